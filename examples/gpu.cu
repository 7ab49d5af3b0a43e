// Compresses a file on the GPU, decompresses it there, and counts its lines where they are.
//   gpu FILE
#include <thrust/count.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <fstream>
#include <gsst/gpu.hpp>
#include <iostream>
#include <iterator>

using Bytes = thrust::device_vector<std::byte>;
template <typename Value>
Value value_of(gsst::Result<Value> result) {
  if (!result) throw std::runtime_error(result.failure().message);
  return std::move(result).value();
}
template <typename Value>
std::span<Value> all_of(thrust::device_vector<Value>& values) {
  return {thrust::raw_pointer_cast(values.data()), values.size()};
}

int main(int argument_count, char** arguments) try {
  std::ifstream file(argument_count == 2 ? arguments[1] : "", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto bytes = std::as_bytes(std::span(text));
  Bytes input(bytes.begin(), bytes.end());
  const cudaStream_t stream = nullptr;  // the one that Thrust works on; any will do

  const auto packing = value_of(gsst::gpu::CompressPlan::create(text.size()));
  Bytes packed(packing.sizes().output_bytes), room(packing.sizes().scratch_bytes);
  thrust::device_vector<std::uint64_t> size(1);
  value_of(packing.execute({all_of(input), all_of(packed), all_of(room), all_of(size).data()}, stream));
  const thrust::host_vector<std::byte> frame(packed.begin(), packed.begin() + size[0]);

  const auto plan = value_of(gsst::gpu::DecompressPlan::create({frame.data(), frame.size()}));
  Bytes output(plan.sizes().output_bytes), scratch(plan.sizes().scratch_bytes);
  thrust::device_vector<std::uint32_t> status(plan.sizes().status_count);
  packed.resize(frame.size());
  value_of(plan.execute({all_of(packed), all_of(output), all_of(scratch), all_of(status)}, stream));
  const thrust::host_vector<std::uint32_t> words = status;
  value_of(gsst::gpu::check_status({words.data(), words.size()}));
  std::cout << text.size() << " -> " << frame.size() << " bytes, "
            << thrust::count(output.begin(), output.end(), std::byte{'\n'}) << " lines\n";
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
