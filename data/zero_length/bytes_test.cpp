#include "data/zero_length/bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <stdexcept>
#include <vector>

namespace gsst::data {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::uint64_t parts_counted = 4;

Bytes part_of(const Parts& parts, std::uint64_t part) {
  Bytes bytes(parts.part_bytes, 0x5A);
  parts.fill(part, bytes);
  return bytes;
}

std::array<std::size_t, 256> counts_of(const Bytes& bytes) {
  std::array<std::size_t, 256> counts{};
  for (const std::uint8_t byte : bytes) ++counts[byte];
  return counts;
}

// Lengths of the runs of zeros that neither begin nor end the bytes.
std::map<std::size_t, std::size_t> inner_runs(const Bytes& bytes) {
  std::map<std::size_t, std::size_t> runs;
  std::size_t run = 0;
  bool is_inner = false;
  for (const std::uint8_t byte : bytes) {
    if (byte == 0) {
      ++run;
      continue;
    }
    if (run != 0 && is_inner) ++runs[run];
    run = 0;
    is_inner = true;
  }
  return runs;
}

TEST(ZeroLengthBytes, RandomBytesAreUniform) {
  const Bytes bytes = part_of(random_parts(1 << 20, 7), 3);
  for (const std::size_t count : counts_of(bytes)) {
    // Six standard deviations of 64.
    EXPECT_NEAR(static_cast<double>(count), 4096, 384);
  }
  EXPECT_NE(bytes, part_of(random_parts(1 << 20, 8), 3)) << "seeds 7 and 8";
  EXPECT_NE(bytes, part_of(random_parts(1 << 20, 7), 4)) << "parts 3 and 4";
}

TEST(ZeroLengthBytes, AConstantIsThatByteAlone) {
  for (const std::uint8_t value : {std::uint8_t{0}, std::uint8_t{255}}) {
    const Bytes bytes = part_of(constant_parts(1 << 20, value), 1);
    EXPECT_EQ(counts_of(bytes)[value], bytes.size());
  }
}

// The bytes of several parts, each of whose inner runs have `run_bytes` zeros.
Bytes bytes_of_runs(const Parts& parts, std::uint32_t run_bytes) {
  Bytes bytes;
  for (std::uint64_t part = 0; part < parts_counted; ++part) {
    const Bytes more = part_of(parts, part);
    const std::map<std::size_t, std::size_t> runs = inner_runs(more);
    EXPECT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs.begin()->first, run_bytes);
    bytes.insert(bytes.end(), more.begin(), more.end());
  }
  return bytes;
}

TEST(ZeroLengthBytes, RunsHaveTheirLengthAndTheirShare) {
  for (const std::uint32_t run_bytes : {1U, 2U, 3U, 4U, 16U, 253U, 4096U}) {
    for (const std::uint32_t zeros : {16U, 62U, 250U, 500U, 937U}) {
      if (zeros * (run_bytes + 1) > 1000 * run_bytes) continue;
      SCOPED_TRACE(testing::Message()
                   << "runs of " << run_bytes << ", " << zeros << " of 1000 bytes, seed 5");
      const Bytes bytes = bytes_of_runs(
          runs_parts(
              {.bytes = parts_counted << 20, .seed = 5, .zeros_per_thousand = zeros, .run_bytes = run_bytes}),
          run_bytes);
      const std::array<std::size_t, 256> counts = counts_of(bytes);
      const double wanted = static_cast<double>(bytes.size()) * zeros / 1000;
      // Lengths of stretches are uniform, their deviation 0.58 of the mean: four of those of their sum, and
      // a run that the end of each part cuts.
      const double deviation = 0.58 * std::sqrt(wanted * run_bytes) * (1000 - zeros) / 1000;
      EXPECT_NEAR(static_cast<double>(counts[0]), wanted, 4 * deviation + parts_counted * run_bytes);
      EXPECT_EQ(counts[255], 0U);
      EXPECT_GT(*std::min_element(counts.begin() + 1, counts.end() - 1), 0U);
    }
  }
}

TEST(ZeroLengthBytes, WithoutZerosThereAreNone) {
  EXPECT_EQ(counts_of(part_of(runs_parts({.bytes = 1 << 20, .zeros_per_thousand = 0, .run_bytes = 4}), 0))[0],
            0U);
}

TEST(ZeroLengthBytes, RunsThatWouldTouchAreRefused) {
  EXPECT_NO_THROW(runs_parts({.bytes = 1, .zeros_per_thousand = 800, .run_bytes = 4}));
  EXPECT_THROW(runs_parts({.bytes = 1, .zeros_per_thousand = 801, .run_bytes = 4}), std::invalid_argument);
  EXPECT_THROW(runs_parts({.bytes = 1, .zeros_per_thousand = 1, .run_bytes = 0}), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::data
