#include "data/tile_integer/weighted_numbers.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>

namespace gsst::data {
namespace {

// Highest bits of a word by which the search begins.
constexpr unsigned index_bits = 16;
constexpr unsigned word_bits = 64;
// Of a double's fraction: a probability times 2^53 is a whole number or nearly.
constexpr unsigned exact_bits = 53;

}  // namespace

WeightedNumbers::WeightedNumbers(std::span<const double> weights) {
  double sum = 0;
  for (const double weight : weights) {
    if (!(weight >= 0)) throw std::invalid_argument("a weight is below 0");
    sum += weight;
  }
  if (!(sum > 0) || weights.size() > std::numeric_limits<std::uint32_t>::max()) {
    throw std::invalid_argument("weights need a sum above 0, and there are at most 2^32 - 1");
  }
  constexpr auto all = static_cast<double>(std::uint64_t{1} << exact_bits);
  ends_.reserve(weights.size());
  double before = 0;
  for (const double weight : weights) {
    before += weight;
    const auto end = static_cast<std::uint64_t>(before / sum * all);
    ends_.push_back(end >= std::uint64_t{1} << exact_bits ? std::numeric_limits<std::uint64_t>::max()
                                                          : end << (word_bits - exact_bits));
  }
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << index_bits; ++bits) {
    const auto found = std::ranges::upper_bound(ends_, bits << (word_bits - index_bits));
    first_.push_back(static_cast<std::uint32_t>(found - ends_.begin()));
  }
  first_.push_back(static_cast<std::uint32_t>(weights.size() - 1));
}

std::uint32_t WeightedNumbers::draw(RandomWords& random) const {
  const std::uint64_t word = random.next();
  const std::size_t bits = word >> (word_bits - index_bits);
  // The last of these is drawn where no other one is.
  const auto begin = ends_.begin() + first_[bits];
  const auto end = ends_.begin() + first_[bits + 1];
  return static_cast<std::uint32_t>(std::upper_bound(begin, end, word) - ends_.begin());
}

}  // namespace gsst::data
