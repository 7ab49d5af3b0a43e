#include "experiments/measure/kinds/ranges/range_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t text_bytes = 1'000'003;

std::vector<gsst_range> list_of(RangePattern pattern, double selectivity, std::uint64_t range_bytes = 32) {
  return make_range_list({.pattern = pattern, .selectivity = selectivity, .range_bytes = range_bytes},
                         text_bytes);
}

TEST(RangeLists, HaveTheirShareOfTheTextWithoutSharedBytes) {
  for (const RangePattern pattern :
       {RangePattern::scattered, RangePattern::shuffled, RangePattern::clustered}) {
    for (const double selectivity : {0.01, 0.3, 0.77, 1.0}) {
      SCOPED_TRACE(range_pattern_name(pattern) + " " + std::to_string(selectivity));
      std::vector<gsst_range> ranges = list_of(pattern, selectivity);
      const double share = static_cast<double>(ranges.size()) * 32 / text_bytes;
      EXPECT_NEAR(share, selectivity, ranges_per_cluster * 32.0 / text_bytes);
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        ASSERT_EQ(ranges[i].bytes, 32u);
        ASSERT_EQ(ranges[i].output_offset, i * 32);
        ASSERT_LE(ranges[i].offset + 32, text_bytes);
      }
      std::ranges::sort(ranges, {}, &gsst_range::offset);
      for (std::size_t i = 1; i < ranges.size(); ++i) {
        ASSERT_GE(ranges[i].offset, ranges[i - 1].offset + 32);
      }
    }
  }
}

TEST(RangeLists, PatternsDifferInOrderAndNeighbours) {
  const auto rising = [](const gsst_range& a, const gsst_range& b) { return a.offset < b.offset; };
  EXPECT_TRUE(std::ranges::is_sorted(list_of(RangePattern::scattered, 0.1), rising));
  EXPECT_FALSE(std::ranges::is_sorted(list_of(RangePattern::shuffled, 0.1), rising));
  const std::vector<gsst_range> clustered = list_of(RangePattern::clustered, 0.1);
  ASSERT_EQ(clustered.size() % ranges_per_cluster, 0u);
  EXPECT_EQ(clustered[ranges_per_cluster - 1].offset - clustered[0].offset, (ranges_per_cluster - 1) * 32);
}

TEST(RangeLists, AFewBytesAreOneRange) {
  EXPECT_EQ(list_of(RangePattern::scattered, 1e-9).size(), 1u);
}

TEST(RangeLists, WhatCannotBeIsRefused) {
  EXPECT_THROW(list_of(RangePattern::scattered, 0), InputError);
  EXPECT_THROW(list_of(RangePattern::scattered, 1.1), InputError);
  EXPECT_THROW(list_of(RangePattern::scattered, 0.5, 0), InputError);
  EXPECT_THROW(list_of(RangePattern::scattered, 0.5, text_bytes + 1), InputError);
}

}  // namespace
}  // namespace gsst::experiments
