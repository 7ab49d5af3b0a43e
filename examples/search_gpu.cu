// Finds a word in a frame that is in memory of the GPU, and decompresses only the strips where it is: prints
// what begins at each place.
//   search_gpu FILE WORD
#include <thrust/device_vector.h>
#include <thrust/sort.h>
#include <thrust/universal_vector.h>
#include <algorithm>
#include <fstream>
#include <gsst/gpu_search.hpp>
#include <iostream>
#include <iterator>

template <typename Value>
using Memory = thrust::universal_vector<Value>;  // managed: the host reads it too, once the stream is done
template <typename Value>
Value value_of(gsst::Result<Value> result) {
  if (!result) throw std::runtime_error(result.failure().message);
  return std::move(result).value();
}
template <typename Values>
auto all_of(Values& values) {
  return std::span(thrust::raw_pointer_cast(values.data()), values.size());
}

int main(int argument_count, char** arguments) try {
  if (argument_count != 3) throw std::runtime_error("search_gpu FILE WORD");
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto packed = value_of(gsst::compress(std::as_bytes(std::span(text))));
  thrust::device_vector<std::byte> frame(packed.begin(), packed.end());
  const cudaStream_t stream = nullptr;  // the one that Thrust works on; any will do

  auto search = value_of(gsst::gpu::SearchPlan::create(all_of(frame), gsst::Pattern{arguments[2]},
                                                       {.position_capacity = 1000}, stream));
  const auto sizes = search.sizes();
  Memory<std::byte> state(sizes.state_bytes), room(sizes.scratch_bytes);
  Memory<std::uint64_t> count(sizes.count_count), found(sizes.position_count);
  Memory<std::uint32_t> blocks(sizes.status_count);
  value_of(search.prepare(all_of(frame), all_of(state), stream));
  value_of(search.execute(
      {all_of(frame), all_of(count), all_of(found), all_of(state), all_of(room), all_of(blocks)}, stream));
  cudaStreamSynchronize(stream);
  value_of(search.check(all_of(count), all_of(blocks)));

  thrust::sort(found.begin(), found.begin() + count[0]);
  Memory<gsst::Range> ranges;
  for (const std::uint64_t at : all_of(found).first(count[0]))
    ranges.push_back({at, std::min<std::uint64_t>(60, text.size() - at), 60 * ranges.size()});
  const auto plan = value_of(gsst::gpu::DecompressPlan::create_on_device(all_of(frame), {}, stream));
  Memory<std::byte> lines(60 * ranges.size()),
      scratch(value_of(plan.ranges_sizes(ranges.size())).scratch_bytes);
  Memory<std::uint32_t> status(ranges.size());
  value_of(plan.execute_ranges(
      {all_of(frame), all_of(ranges), all_of(lines), all_of(scratch), all_of(status)}, stream));
  cudaStreamSynchronize(stream);
  value_of(gsst::gpu::check_range_status(all_of(status)));
  for (const gsst::Range& range : all_of(ranges)) {
    const auto* const line = reinterpret_cast<const char*>(all_of(lines).data() + range.output_offset);
    std::cout << range.offset << ": " << std::string_view(line, range.bytes) << '\n';
  }
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
