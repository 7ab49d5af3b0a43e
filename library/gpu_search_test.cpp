#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/frame/frame.hpp"
#include "gsst/gpu_search.hpp"
#include "library/gpu_test_memory.hpp"
#include "reference_cpu/memory_codec.hpp"

// gsst/gpu_search.hpp and, through it, gsst/gpu_search.h, on a GPU. What finds matches is tested in
// stages/search/tests/query, and the plan in gpu_search_plan_test.cpp, without a GPU too.
namespace gsst::gpu {
namespace {

using namespace test;
using GpuSearch = GpuLibrary;
using Numbers = std::vector<std::uint64_t>;

std::string_view view_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Numbers positions_in(const Bytes& searched, std::string_view pattern) {
  const std::string_view all = view_of(searched);
  Numbers found;
  for (std::size_t at = all.find(pattern); at != std::string_view::npos; at = all.find(pattern, at + 1)) {
    found.push_back(at);
  }
  return found;
}

constexpr std::size_t searched_block_bytes = 30'000;

// Blocks of text, and one of them stored raw.
Bytes text_to_search() {
  Bytes bytes = text(3 * searched_block_bytes, 3);
  const Bytes raw = to_bytes(reference::test::make_random(searched_block_bytes, 4));
  bytes.insert(bytes.end(), raw.begin(), raw.end());
  const Bytes more = text(searched_block_bytes / 2, 5);
  bytes.insert(bytes.end(), more.begin(), more.end());
  return bytes;
}

Bytes frame_to_search(const Bytes& searched, std::uint32_t code_bits) {
  const std::span input(reinterpret_cast<const std::uint8_t*>(searched.data()), searched.size());
  return to_bytes(reference::compress(input, {.format = format::BlockFormat::tiles,
                                              .block_bytes = searched_block_bytes,
                                              .code_bits = code_bits,
                                              .level = 1,
                                              .threads = 1}));
}

// What a search works in. The frame is nowhere else.
struct SearchArrays {
  SearchArrays(const Bytes& frame_bytes, std::span<const Pattern> patterns, std::uint64_t position_capacity,
               const Stream& stream)
      : frame(std::span<const std::byte>(frame_bytes)),
        plan(value_of(SearchPlan::create(frame.all(), patterns, {.position_capacity = position_capacity},
                                         stream.get()))),
        counts(plan.sizes().count_count),
        positions(plan.sizes().position_count),
        state(plan.sizes().state_bytes),
        scratch(plan.sizes().scratch_bytes),
        status(plan.sizes().status_count) {
    poison();
    value_of(plan.prepare(frame.all(), state.all(), stream.get()));
  }

  void poison() {
    counts.fill(0xb7);
    positions.fill(0xb7);
    scratch.fill(0xb7);
    status.fill(0xb7);
  }
  SearchMemory memory() {
    return {.frame = frame.all(),
            .counts = counts.all(),
            .positions = positions.all(),
            .state = state.all(),
            .scratch = scratch.all(),
            .status = status.all()};
  }
  void execute(const Stream& stream) { value_of(plan.execute(memory(), stream.get())); }
  Result<std::size_t> check() const { return plan.check(counts.read(), status.read()); }
  // Of a pattern, in order.
  Numbers found(std::size_t pattern) const {
    const Numbers all = positions.read();
    const std::size_t capacity = all.size() / counts.read().size();
    const auto first = all.begin() + static_cast<std::ptrdiff_t>(pattern * capacity);
    Numbers of_pattern(first, first + static_cast<std::ptrdiff_t>(counts.read().at(pattern)));
    std::ranges::sort(of_pattern);
    return of_pattern;
  }
  bool is_intact() const {
    return frame.is_intact() && counts.is_intact() && positions.is_intact() && state.is_intact() &&
           scratch.is_intact() && status.is_intact();
  }

  DeviceArray<std::byte> frame;
  SearchPlan plan;
  DeviceArray<std::uint64_t> counts;
  DeviceArray<std::uint64_t> positions;
  DeviceArray<std::byte> state;
  DeviceArray<std::byte> scratch;
  DeviceArray<std::uint32_t> status;
};

TEST_F(GpuSearch, WordsAreFoundInAFrameOfTheDeviceByAGraphThatRunsAgain) {
  const Bytes searched = text_to_search();
  const std::string over_a_border(view_of(searched).substr(searched_block_bytes - 3, 7));
  const std::string to_raw(view_of(searched).substr(3 * searched_block_bytes - 5, 9));
  const std::vector<Pattern> patterns = {
      {.text = "e"}, {.text = over_a_border}, {.text = to_raw}, {.text = "\xff\xfe never"}};
  const std::uint64_t capacity = positions_in(searched, "e").size() + 10;
  for (const std::uint32_t code_bits : tile_code_bits) {
    SCOPED_TRACE(code_bits);
    const Stream stream;
    SearchArrays arrays(frame_to_search(searched, code_bits), patterns, capacity, stream);
    const Graph graph(stream, [&] { arrays.execute(stream); });
    for (int run = 0; run < 2; ++run) {
      arrays.poison();
      graph.run(stream);
      EXPECT_EQ(value_of(arrays.check()), patterns.size());
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        EXPECT_EQ(arrays.found(i), positions_in(searched, patterns[i].text)) << "pattern " << i;
      }
      EXPECT_TRUE(arrays.is_intact());
    }
  }
}

TEST_F(GpuSearch, MoreMatchesThanRoomAreCountedAndReported) {
  const Bytes searched = text_to_search();
  const std::vector<Pattern> patterns = {{.text = "e"}};
  const std::uint64_t count = positions_in(searched, "e").size();
  for (const std::uint64_t capacity : {std::uint64_t{0}, std::uint64_t{1}, count - 1}) {
    const Stream stream;
    SearchArrays arrays(frame_to_search(searched, 10), patterns, capacity, stream);
    arrays.execute(stream);
    stream.wait();
    EXPECT_EQ(arrays.counts.read(), Numbers{count});
    const Result<std::size_t> checked = arrays.check();
    EXPECT_EQ(checked.has_value(), capacity == 0);
    if (!checked) {
      EXPECT_EQ(checked.failure().error, Error::output_too_small) << checked.failure().message;
    }
    EXPECT_TRUE(arrays.is_intact());
  }
}

// As examples/search_gpu.cu does it.
TEST_F(GpuSearch, OnlyTextAroundMatchesIsDecompressed) {
  Bytes searched = text_to_search();
  const std::string word = "\x01needle\x02";
  for (const std::size_t at : {std::size_t{0}, searched_block_bytes - 4, 3 * searched_block_bytes + 20,
                               searched.size() - word.size()}) {
    std::ranges::copy(std::as_bytes(std::span(word)), searched.begin() + static_cast<std::ptrdiff_t>(at));
  }
  const Stream stream;
  SearchArrays arrays(frame_to_search(searched, 12), std::vector<Pattern>{{.text = word}}, 10, stream);
  arrays.execute(stream);
  stream.wait();
  value_of(arrays.check());
  std::vector<Range> ranges;
  for (const std::uint64_t at : arrays.found(0)) {
    ranges.push_back({.offset = at, .bytes = word.size(), .output_offset = ranges.size() * word.size()});
  }
  ASSERT_EQ(ranges.size(), 4u);
  const DecompressPlan plan =
      value_of(DecompressPlan::create_on_device(arrays.frame.all(), {}, stream.get()));
  EXPECT_EQ(plan.info().uncompressed_bytes, searched.size());
  DeviceArray<Range> places{std::span<const Range>(ranges)};
  DeviceArray<std::byte> output(ranges.size() * word.size());
  DeviceArray<std::byte> scratch(value_of(plan.ranges_sizes(ranges.size())).scratch_bytes);
  DeviceArray<std::uint32_t> status(ranges.size());
  value_of(plan.execute_ranges({.frame = arrays.frame.all(),
                                .ranges = places.all(),
                                .output = output.all(),
                                .scratch = scratch.all(),
                                .status = status.all()},
                               stream.get()));
  stream.wait();
  value_of(check_range_status(status.read()));
  EXPECT_EQ(std::string(view_of(output.read())), word + word + word + word);
}

TEST_F(GpuSearch, DamagedCodesAreReported) {
  const Bytes searched = text(3 * searched_block_bytes, 1);
  Bytes frame = frame_to_search(searched, 8);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(frame.data()), frame.size());
  const std::size_t block = format::parse_frame(bytes).index.entries[1].payload_offset;
  for (std::size_t i = 0; i < 200; ++i) frame[block + 48 + 5 * i] = static_cast<std::byte>(33 + i % 64);
  const Stream stream;
  SearchArrays arrays(frame, std::vector<Pattern>{{.text = "e"}, {.text = "th"}}, searched.size(), stream);
  arrays.execute(stream);
  stream.wait();
  const Result<std::size_t> checked = arrays.check();
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.failure().error, Error::damaged);
  EXPECT_NE(checked.failure().message.find(": block 1: codes of strip"), std::string::npos)
      << checked.failure().message;
  EXPECT_TRUE(arrays.is_intact());
}

}  // namespace
}  // namespace gsst::gpu
