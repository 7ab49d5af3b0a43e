#include "data/tile_integer/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/frame/checksum.hpp"

namespace gsst::data {
namespace {

constexpr std::uint64_t narrow_values_of_part = std::uint64_t{1} << 18;
constexpr Column two_parts = {.values = 2 * narrow_values_of_part, .value_bytes = 4, .seed = 1};

// All bytes of a column, part by part as they are made.
std::vector<std::uint8_t> bytes_of_column(const Parts& parts) {
  std::vector<std::uint8_t> bytes;
  for (std::uint64_t part = 0; part * parts.part_bytes < parts.bytes; ++part) {
    std::vector<std::uint8_t> filled(parts.part_bytes, 0x5A);
    parts.fill(part, filled);
    bytes.insert(bytes.end(), filled.begin(), filled.end());
  }
  bytes.resize(parts.bytes);
  return bytes;
}

template <typename Value>
std::vector<Value> values_of_column(const Parts& parts) {
  const std::vector<std::uint8_t> bytes = bytes_of_column(parts);
  std::vector<Value> values(bytes.size() / sizeof(Value));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

// Random ones: none of their bits is always the same, and each is set in half of them.
template <typename Value>
void expect_uniform(const std::vector<Value>& values, unsigned width) {
  std::vector<std::size_t> set(8 * sizeof(Value));
  for (const Value value : values) {
    for (std::size_t bit = 0; bit < set.size(); ++bit) set[bit] += (value >> bit) & 1;
  }
  const auto half = static_cast<double>(values.size()) / 2;
  for (std::size_t bit = 0; bit < set.size(); ++bit) {
    // Six standard deviations.
    const double deviation = bit < width ? 6 * std::sqrt(half / 2) : 0;
    EXPECT_NEAR(static_cast<double>(set[bit]), bit < width ? half : 0, deviation) << "bit " << bit;
  }
}

TEST(TileIntegerColumns, UniformValuesHaveTheirWidth) {
  for (unsigned width = 1; width <= 32; ++width) {
    SCOPED_TRACE(width);
    expect_uniform(values_of_column<std::uint32_t>(uniform_parts({.values = 1 << 14}, width)), width);
  }
  for (unsigned width = 1; width <= 64; ++width) {
    SCOPED_TRACE(width);
    expect_uniform(
        values_of_column<std::uint64_t>(uniform_parts({.values = 1 << 14, .value_bytes = 8}, width)), width);
  }
}

// The width of each miniblock, of values that begin at the smallest one of a signed type.
template <typename Value>
std::vector<int> widths_of_miniblocks(const std::vector<Value>& values) {
  constexpr Value smallest = std::numeric_limits<Value>::max() / 2 + 1;
  std::vector<int> widths;
  for (std::size_t begin = 0; begin < values.size(); begin += 32) {
    Value bits = 0;
    for (std::size_t index = begin; index < begin + 32; ++index) bits |= values[index] ^ smallest;
    widths.push_back(static_cast<int>(std::bit_width(bits)));
  }
  return widths;
}

template <typename Value>
void expect_every_width() {
  constexpr std::size_t widths = 8 * sizeof(Value) + 1;
  const std::vector<int> found = widths_of_miniblocks(
      values_of_column<Value>(mixed_parts({.values = 1 << 19, .value_bytes = sizeof(Value)})));
  std::map<int, std::size_t> counts;
  std::size_t as_before = 0;
  for (std::size_t index = 0; index < found.size(); ++index) {
    ++counts[found[index]];
    as_before += index != 0 && found[index] == found[index - 1] ? 1U : 0U;
  }
  const double wanted = static_cast<double>(found.size()) / widths;
  EXPECT_EQ(counts.size(), widths);
  for (const auto& [width, miniblocks] : counts) {
    EXPECT_NEAR(static_cast<double>(miniblocks), wanted, 6 * std::sqrt(wanted)) << "width " << width;
  }
  EXPECT_NEAR(static_cast<double>(as_before), wanted, 6 * std::sqrt(wanted))
      << "neighbours of the same width";
}

TEST(TileIntegerColumns, MixedMiniblocksHaveEveryWidth) {
  expect_every_width<std::uint32_t>();
  expect_every_width<std::uint64_t>();
}

TEST(TileIntegerColumns, SortedValuesHaveTheirNumberOfUniqueOnes) {
  constexpr std::uint64_t count = narrow_values_of_part + 12345;
  for (const std::uint64_t unique : {std::uint64_t{1}, std::uint64_t{4}, std::uint64_t{4096},
                                     std::uint64_t{100000}, count, 2 * count, std::uint64_t{1} << 28}) {
    SCOPED_TRACE(unique);
    const std::vector<std::uint32_t> values =
        values_of_column<std::uint32_t>(sorted_parts({.values = count}, unique));
    ASSERT_EQ(values.size(), count);
    EXPECT_TRUE(std::ranges::is_sorted(values));
    EXPECT_EQ(std::set<std::uint32_t>(values.begin(), values.end()).size(), std::min(unique, count));
    EXPECT_EQ(values.front(), 0U);
    EXPECT_LT(values.back(), unique);
    // The largest value is a step from the end.
    EXPECT_GE(values.back(), unique - 1 - unique / count);
    std::uint32_t least = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t most = 0;
    for (std::size_t index = 1; index < count; ++index) {
      least = std::min(least, values[index] - values[index - 1]);
      most = std::max(most, values[index] - values[index - 1]);
    }
    EXPECT_LE(most - least, 1U) << "steps of the same length, or one more";
  }
}

TEST(TileIntegerColumns, NormalValuesHaveTheirMeanAndDeviation) {
  for (const std::uint32_t mean : {64U, 65536U, 1U << 30}) {
    SCOPED_TRACE(mean);
    const std::vector<std::int32_t> values = values_of_column<std::int32_t>(normal_parts(two_parts, mean));
    const auto count = static_cast<double>(values.size());
    double sum = 0;
    double squares = 0;
    std::size_t within_one_deviation = 0;
    for (const std::int32_t value : values) {
      const double distance = value - static_cast<double>(mean);
      sum += distance;
      squares += distance * distance;
      within_one_deviation += std::abs(distance) < 20 ? 1U : 0U;
    }
    EXPECT_NEAR(sum / count, 0, 6 * 20 / std::sqrt(count));
    EXPECT_NEAR(std::sqrt(squares / count), 20, 0.12);
    // Of whole numbers less than 20 away: up to 19.5.
    EXPECT_NEAR(static_cast<double>(within_one_deviation) / count, std::erf(19.5 / 20 / std::sqrt(2)), 0.005);
    const auto [least, most] = std::ranges::minmax(values);
    EXPECT_LT(least, static_cast<std::int32_t>(mean) - 80);
    EXPECT_GT(most, static_cast<std::int32_t>(mean) + 80);
  }
}

TEST(TileIntegerColumns, ZipfValuesHaveTheirExponent) {
  for (const std::uint32_t tenths : {10U, 15U, 20U, 30U, 50U}) {
    SCOPED_TRACE(tenths);
    const std::vector<std::uint32_t> values = values_of_column<std::uint32_t>(zipf_parts(two_parts, tenths));
    double sum = 0;
    for (std::uint32_t value = 0; value < zipf_values; ++value) sum += std::pow(value + 1, -0.1 * tenths);
    for (std::uint32_t value = 0; value < 4; ++value) {
      const double wanted = static_cast<double>(values.size()) * std::pow(value + 1, -0.1 * tenths) / sum;
      EXPECT_NEAR(static_cast<double>(std::ranges::count(values, value)), wanted, 6 * std::sqrt(wanted))
          << "value " << value;
    }
    EXPECT_LT(std::ranges::max(values), zipf_values);
    // Half of the weight of exponent 1 lies past the first thousand.
    if (tenths == 10) {
      EXPECT_GT(std::ranges::max(values), zipf_values / 2);
    }
  }
}

TEST(TileIntegerColumns, AscendingValuesAreOneToTheirNumber) {
  const std::vector<std::uint32_t> values =
      values_of_column<std::uint32_t>(ascending_parts({.values = narrow_values_of_part + 7}));
  ASSERT_EQ(values.size(), narrow_values_of_part + 7);
  for (std::size_t index = 0; index < values.size(); ++index) ASSERT_EQ(values[index], index + 1);
}

TEST(TileIntegerColumns, GapsHaveTheirWidthAcrossParts) {
  for (const unsigned width : {1U, 2U, 8U, 16U, 31U}) {
    SCOPED_TRACE(width);
    std::vector<std::uint32_t> values = values_of_column<std::uint32_t>(gaps_parts(two_parts, width));
    std::vector<std::uint32_t> gaps = values;
    for (std::size_t index = 1; index < values.size(); ++index) gaps[index] -= values[index - 1];
    expect_uniform(gaps, width);
    // Where they do not wrap.
    if (width <= 8) {
      EXPECT_TRUE(std::ranges::is_sorted(values));
    }
    EXPECT_LE(std::ranges::max(gaps), (1U << width) - 1);
  }
}

TEST(TileIntegerColumns, RunsHaveTheirMeanLength) {
  for (const std::uint32_t tenths : {10U, 15U, 20U, 40U, 80U, 160U, 320U, 1000U}) {
    SCOPED_TRACE(tenths);
    const std::vector<std::uint32_t> values = values_of_column<std::uint32_t>(runs_parts(two_parts, tenths));
    std::size_t runs = 1;
    for (std::size_t index = 1; index < values.size(); ++index) {
      runs += values[index] != values[index - 1] ? 1U : 0U;
    }
    const double wanted = static_cast<double>(values.size()) * 10 / tenths;
    EXPECT_NEAR(static_cast<double>(runs), wanted, tenths == 10 ? 1 : 6 * std::sqrt(wanted));
    // All 16 bits are in use.
    EXPECT_LT(std::ranges::max(values), 1U << 16);
    EXPECT_GT(std::ranges::max(values), (1U << 16) - 200);
  }
}

struct NamedColumn {
  std::string name;
  std::function<Parts()> parts;
  std::uint64_t checksum;
};

// Every machine makes these bytes.
TEST(TileIntegerColumns, HaveTheBytesThatTheyHadBefore) {
  constexpr Column wide = {.values = narrow_values_of_part, .value_bytes = 8, .seed = 1};
  const std::vector<NamedColumn> columns = {
      {"uniform 5", [] { return uniform_parts(two_parts, 5); }, 0x5212ad6db0b812b7U},
      {"uniform 40, 8 bytes", [wide] { return uniform_parts(wide, 40); }, 0x405cb0cc279a7274U},
      {"mixed", [] { return mixed_parts(two_parts); }, 0x07007c26a7f9e14eU},
      {"mixed, 8 bytes", [wide] { return mixed_parts(wide); }, 0x675a945270fdccbcU},
      {"sorted 4096", [] { return sorted_parts(two_parts, 4096); }, 0x8d07cacf169514a8U},
      {"normal 65536", [] { return normal_parts(two_parts, 65536); }, 0x0ef739fd675088bdU},
      {"zipf 1.5", [] { return zipf_parts(two_parts, 15); }, 0x1781c5260a09cc83U},
      {"zipf 4", [] { return zipf_parts(two_parts, 40); }, 0x75abf92f796505c8U},
      {"ascending", [] { return ascending_parts(two_parts); }, 0x37df548124934189U},
      {"gaps 7", [] { return gaps_parts(two_parts, 7); }, 0x433461168c90c1edU},
      {"runs 1.5", [] { return runs_parts(two_parts, 15); }, 0x7ec948f9ef28b6c3U},
  };
  for (const NamedColumn& column : columns) {
    EXPECT_EQ(format::checksum(bytes_of_column(column.parts())), column.checksum) << column.name;
  }
}

TEST(TileIntegerColumns, SeedsAndPartsDiffer) {
  const std::vector<std::uint8_t> one = bytes_of_column(uniform_parts(two_parts, 8));
  EXPECT_NE(one, bytes_of_column(uniform_parts({.values = two_parts.values, .seed = 2}, 8)));
  const std::span<const std::uint8_t> bytes(one);
  EXPECT_FALSE(std::ranges::equal(bytes.first(1 << 20), bytes.subspan(1 << 20)));
}

TEST(TileIntegerColumns, WhatIsOutOfRangeIsRefused) {
  const Column wide = {.values = 1, .value_bytes = 8};
  EXPECT_THROW(uniform_parts({.values = 0}, 1), std::invalid_argument);
  EXPECT_THROW(uniform_parts({.values = 1, .value_bytes = 2}, 1), std::invalid_argument);
  EXPECT_THROW(uniform_parts({.values = 1}, 0), std::invalid_argument);
  EXPECT_THROW(uniform_parts({.values = 1}, 33), std::invalid_argument);
  EXPECT_THROW(uniform_parts(wide, 65), std::invalid_argument);
  EXPECT_THROW(sorted_parts(wide, 1), std::invalid_argument);
  EXPECT_THROW(sorted_parts({.values = 1}, 0), std::invalid_argument);
  EXPECT_THROW(normal_parts({.values = 1}, (1U << 30) + 1), std::invalid_argument);
  EXPECT_THROW(zipf_parts({.values = 1}, 12), std::invalid_argument);
  EXPECT_THROW(ascending_parts({.values = std::uint64_t{1} << 31}), std::invalid_argument);
  EXPECT_THROW(gaps_parts({.values = 1}, 32), std::invalid_argument);
  EXPECT_THROW(runs_parts(Column{.values = 1}, 9), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::data
