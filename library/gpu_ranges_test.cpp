#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/stage/ranges.hpp"
#include "gsst/column.hpp"
#include "library/foreign_array.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "library/guarded_memory.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Byte ranges of a frame through the library's plan, on the CPU executor.
// stages/gsst/tests/ranges/ranges_test.cpp tests the decoders.
namespace gsst::library {
namespace {

using format::BlockFormat;
using stage::Executor;
using Ranges = std::vector<gsst_range>;

constexpr std::uint8_t unwritten_byte = 0xcd;

struct RangesResult {
  std::vector<std::uint8_t> output;
  std::vector<std::uint32_t> status;
};

RangesResult run_ranges(std::span<const std::uint8_t> in_memory, const Ranges& ranges,
                        std::uint64_t output_bytes) {
  const GpuDecompressPlan plan(Executor::simt, in_memory, {});
  GuardedMemory frame(in_memory.size());
  std::ranges::copy(in_memory, frame.data());
  GuardedMemory device_ranges(ranges.size() * sizeof(gsst_range));
  if (!ranges.empty()) std::memcpy(device_ranges.data(), ranges.data(), ranges.size() * sizeof(gsst_range));
  GuardedMemory output(output_bytes);
  output.poison(unwritten_byte);
  GuardedMemory scratch(plan.range_scratch_bytes(ranges.size()));
  GuardedMemory status(ranges.size() * sizeof(std::uint32_t));
  plan.enqueue_ranges({.frame = frame.data(),
                       .ranges = reinterpret_cast<const gsst_range*>(device_ranges.data()),
                       .range_count = ranges.size(),
                       .output = output.data(),
                       .output_bytes = output_bytes,
                       .scratch = scratch.data(),
                       .status = reinterpret_cast<std::uint32_t*>(status.data())},
                      nullptr);
  EXPECT_TRUE(frame.is_intact() && device_ranges.is_intact() && output.is_intact() && scratch.is_intact() &&
              status.is_intact());
  RangesResult result{.output = output.first(output_bytes),
                      .status = std::vector<std::uint32_t>(ranges.size())};
  const std::vector<std::uint8_t> words = status.first(ranges.size() * sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(result.status.data(), words.data(), words.size());
  return result;
}

// The text in blocks of 2000 bytes.
std::vector<std::uint8_t> frame_for_ranges(std::span<const std::uint8_t> text, BlockFormat format) {
  return reference::compress(text, {.format = format, .block_bytes = 2000, .split_count = 20, .threads = 1});
}

TEST(GpuRanges, AreTheSlicesOfTheWholeAndThoseThatReachOutAreRefused) {
  const std::vector<std::uint8_t> text = reference::test::make_text(9000, 1);
  const Ranges ranges = {{0, 10, 0}, {1990, 2020, 11}, {9000, 1, 0},
                         {5, 0, 0},  {8999, 1, 2040},  {5, 10, 2041}};
  for (const BlockFormat format : {BlockFormat::splits, BlockFormat::tiles}) {
    const RangesResult result = run_ranges(frame_for_ranges(text, format), ranges, 2050);
    EXPECT_EQ(result.status, (std::vector<std::uint32_t>{0, 0, stage::outside_frame_status, 0, 0,
                                                         stage::outside_output_status}));
    std::vector<std::uint8_t> expected(2050, unwritten_byte);
    for (const std::size_t number : {0u, 1u, 4u}) {
      const gsst_range& range = ranges[number];
      std::copy_n(text.begin() + static_cast<std::ptrdiff_t>(range.offset), range.bytes,
                  expected.begin() + static_cast<std::ptrdiff_t>(range.output_offset));
    }
    EXPECT_TRUE(result.output == expected);
  }
}

// Each third string is null and each fifth empty.
Strings strings_for_ranges(std::size_t count) {
  const auto text = reference::test::make_text(count * 50, 5);
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* const first = reinterpret_cast<const char*>(text.data() + i * 50);
    strings.emplace_back(std::string(first, i % 5 == 0 ? 0 : i % 51));
    if (i % 3 == 1) strings.back().reset();
  }
  return strings;
}

// The bytes of the strings of an array of type string that take() made.
std::vector<std::uint8_t> bytes_of_array(const ArrowArray& array) {
  std::int32_t end = 0;
  std::memcpy(&end, static_cast<const std::int32_t*>(array.buffers[1]) + array.length, sizeof(end));
  const auto* const data = static_cast<const std::uint8_t*>(array.buffers[2]);
  return {data, data + end};
}

TEST(GpuRanges, StringsOfAColumnAreThoseThatTakeGives) {
  constexpr std::uint64_t seed = 17;
  SCOPED_TRACE(seed);
  constexpr std::size_t string_count = 2000;
  const Strings strings = strings_for_ranges(string_count);
  const ForeignArray foreign("u", strings);
  std::mt19937_64 random(seed);
  std::vector<std::uint64_t> numbers(200);
  std::ranges::generate(numbers, [&] { return random() % string_count; });
  for (const Format format : {Format::splits, Format::tiles}) {
    const auto column =
        compress_column(foreign.schema, foreign.array, {.format = format, .block_bytes = 9000});
    ASSERT_TRUE(column) << column.failure().message;
    const auto plan = gsst::ColumnPlan::create(column.value());
    ASSERT_TRUE(plan) << plan.failure().message;
    const auto found = plan.value().ranges(numbers);
    ASSERT_TRUE(found) << found.failure().message;
    auto taken = plan.value().take(numbers);
    ASSERT_TRUE(taken) << taken.failure().message;

    const std::span<const std::byte> frame = plan.value().frame();
    const std::span<const std::uint8_t> bytes(reinterpret_cast<const std::uint8_t*>(frame.data()),
                                              frame.size());
    const RangesResult result = run_ranges(bytes, found.value().ranges, found.value().output_bytes);
    EXPECT_TRUE(std::ranges::all_of(result.status, [](std::uint32_t word) { return word == 0; }));
    OwnedArray array = std::move(taken).value();
    EXPECT_TRUE(result.output == bytes_of_array(array.array()));
    EXPECT_EQ(std::ranges::count(found.value().nulls, 1), array.array().null_count);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const gsst_range& range = found.value().ranges[i];
      const auto* const first = reinterpret_cast<const char*>(result.output.data() + range.output_offset);
      EXPECT_EQ(std::string(first, range.bytes), strings[numbers[i]].value_or(""));
    }
  }
}

TEST(GpuRanges, NoRangesNeedNoMemory) {
  const std::vector<std::uint8_t> frame =
      frame_for_ranges(reference::test::make_text(100, 1), BlockFormat::splits);
  EXPECT_EQ(GpuDecompressPlan(Executor::simt, frame, {}).range_scratch_bytes(0), 0u);
  EXPECT_TRUE(run_ranges(frame, {}, 10).output == std::vector<std::uint8_t>(10, unwritten_byte));
}

TEST(GpuRanges, OtherFormatsAndTooManyRangesAreRefused) {
  const std::vector<std::uint8_t> input = reference::test::make_text(100, 1);
  for (const BlockFormat format : {BlockFormat::blocks, BlockFormat::coalesced}) {
    const GpuDecompressPlan plan(Executor::simt, reference::compress(input, {.format = format}), {});
    EXPECT_THROW(static_cast<void>(plan.range_scratch_bytes(1)), WrongFormat);
  }
  const GpuDecompressPlan plan(Executor::simt, reference::compress(input, {.format = BlockFormat::splits}),
                               {});
  EXPECT_THROW(static_cast<void>(plan.range_scratch_bytes(std::numeric_limits<std::uint64_t>::max())),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::library
