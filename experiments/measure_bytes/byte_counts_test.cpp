#include "experiments/measure_bytes/byte_counts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <vector>

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> with_run(std::size_t zeros) {
  std::vector<std::uint8_t> block(zeros + 2, 0);
  block.front() = block.back() = 7;
  return block;
}

TEST(MeasureByteCounts, RunsAreCountedByTheirLength) {
  ByteCounts counts;
  for (std::size_t zeros = 0; zeros <= 12; ++zeros) counts.add(with_run(zeros));
  EXPECT_EQ(counts.runs, (std::array<std::uint64_t, 9>{0, 1, 1, 1, 1, 1, 1, 1, 1}));
  EXPECT_EQ(counts.longer_runs, 4U);
  EXPECT_EQ(counts.saved_by_longer_runs, 7U + 8 + 9 + 10);
  EXPECT_EQ(counts.longest_run, 12U);
  EXPECT_EQ(counts.bytes[0], 78U);
  EXPECT_EQ(counts.bytes[7], 26U);
}

TEST(MeasureByteCounts, ARunEndsWithItsBlock) {
  ByteCounts counts;
  counts.add(std::vector<std::uint8_t>{1, 0, 0, 0, 0});
  counts.add(std::vector<std::uint8_t>{0, 0, 0, 1, 0});
  EXPECT_EQ(counts.runs, (std::array<std::uint64_t, 9>{0, 1, 0, 1, 1, 0, 0, 0, 0}));
}

TEST(MeasureByteCounts, ElementsOfRuns) {
  const std::vector<std::uint64_t> sizes = {0, 1, 2, 2, 2};
  for (std::size_t length = 0; length < sizes.size(); ++length) {
    EXPECT_EQ(elements_bytes_of_run(length), sizes[length]) << length;
    EXPECT_EQ(elements_bytes_of_run(252 + length), 2 + sizes[length]) << 252 + length;
  }
  EXPECT_EQ(elements_bytes_of_run(251), 2U);
  EXPECT_EQ(elements_bytes_of_run(504), 4U);
}

TEST(MeasureByteCounts, TheRarestByteIsTheSmallestOfSeveralAndNeverZero) {
  ByteCounts counts;
  for (int value = 1; value < 256; ++value) {
    counts.add(
        std::vector<std::uint8_t>(value == 9 || value == 200 ? 1 : 2, static_cast<std::uint8_t>(value)));
  }
  EXPECT_EQ(counts.rarest_byte(), 9);
  EXPECT_EQ(counts.bytes[0], 0U);
}

}  // namespace
}  // namespace gsst::experiments
