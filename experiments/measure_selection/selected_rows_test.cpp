#include "experiments/measure_selection/selected_rows.hpp"

#include <gtest/gtest.h>

#include <bit>

#include "experiments/measure_selection/selected_sums.hpp"

namespace gsst::experiments {
namespace {

std::uint64_t selected_count(std::span<const std::uint32_t> words) {
  std::uint64_t count = 0;
  for (const std::uint32_t word : words) count += static_cast<std::uint64_t>(std::popcount(word));
  return count;
}

TEST(SelectValues, TakesAsManyAsTheSelectivitySays) {
  constexpr std::uint64_t values = 100'001;
  EXPECT_EQ(selected_count(select_values(values, 0)), 0u);
  EXPECT_EQ(selected_count(select_values(values, 1)), values);
  // Five standard deviations.
  EXPECT_NEAR(static_cast<double>(selected_count(select_values(values, 0.01))), 1000, 160);
  EXPECT_NEAR(static_cast<double>(selected_count(select_values(values, 0.5))), 50000, 800);
  EXPECT_EQ(select_values(values, 0.5).size(), 196u * 16);
  EXPECT_TRUE(select_values(0, 1).empty());
}

TEST(SelectValues, TakesTheSameOfALongerColumn) {
  const std::vector<std::uint32_t> few = select_values(512, 0.3);
  const std::vector<std::uint32_t> many = select_values(5000, 0.3);
  EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

TEST(SumsOfSelected, AddsEachValueToTheSumOfItsTile) {
  std::vector<std::uint32_t> values(512 * selected_sums + 3, 0xffffffff);
  values[1] = 7;
  std::vector<std::uint32_t> selected(values.size() / 32 + 16);
  // Two values of the first tile, one of the second, and one of the tile that has the first one's sum.
  selected[0] = 0b110;
  selected[16] = 1;
  selected[512 * selected_sums / 32] = 1;
  const std::vector<std::uint64_t> sums = sums_of_selected(values, selected);
  ASSERT_EQ(sums.size(), selected_sums);
  EXPECT_EQ(sums[0], 7 + 2 * std::uint64_t{0xffffffff});
  EXPECT_EQ(sums[1], 0xffffffffu);
  EXPECT_EQ(sums[2], 0u);
}

}  // namespace
}  // namespace gsst::experiments
