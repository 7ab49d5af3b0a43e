#include "data/tile_integer/weighted_numbers.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace gsst::data {
namespace {

std::vector<std::size_t> drawn_numbers(const std::vector<double>& weights, std::size_t draws) {
  const WeightedNumbers numbers(weights);
  RandomWords random(3, 0);
  std::vector<std::size_t> counts(weights.size());
  for (std::size_t draw = 0; draw < draws; ++draw) ++counts.at(numbers.draw(random));
  return counts;
}

TEST(TileIntegerWeightedNumbers, AreDrawnAsOftenAsTheirWeightsSay) {
  constexpr std::size_t draws = 1 << 20;
  // More than 2^16 numbers have several for the same highest bits of a word, a few have many words each.
  const std::vector<double> steps(100, 1);
  for (const std::vector<double>& weights :
       {std::vector<double>{1, 0, 2, 5}, std::vector<double>{3, 1}, std::vector<double>{7}, steps}) {
    double sum = 0;
    for (const double weight : weights) sum += weight;
    const std::vector<std::size_t> counts = drawn_numbers(weights, draws);
    for (std::size_t number = 0; number < weights.size(); ++number) {
      const double wanted = draws * weights[number] / sum;
      // Six standard deviations.
      EXPECT_NEAR(static_cast<double>(counts[number]), wanted, 6 * std::sqrt(wanted)) << number;
    }
  }
}

TEST(TileIntegerWeightedNumbers, MayBeMoreThanTheSearchBeginsWith) {
  const std::vector<std::size_t> counts = drawn_numbers(std::vector<double>(1 << 18, 1), 1 << 22);
  std::size_t missing = 0;
  for (const std::size_t count : counts) {
    // 16 are wanted.
    EXPECT_LT(count, 60U);
    missing += count == 0 ? 1U : 0U;
  }
  EXPECT_LT(missing, 5U);
}

TEST(TileIntegerWeightedNumbers, RefuseWhatIsNoWeight) {
  EXPECT_THROW(WeightedNumbers(std::vector<double>{}), std::invalid_argument);
  EXPECT_THROW(WeightedNumbers(std::vector<double>{0, 0}), std::invalid_argument);
  EXPECT_THROW(WeightedNumbers(std::vector<double>{1, -1}), std::invalid_argument);
  EXPECT_THROW(WeightedNumbers(std::vector<double>{std::numeric_limits<double>::quiet_NaN()}),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::data
