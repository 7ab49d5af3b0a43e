#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/shared/random_words.hpp"

namespace gsst::data {

/// Random numbers 0 to n - 1, each as often as its weight says. The same numbers on every machine: the table
/// is computed by additions and divisions alone, which IEEE 754 defines to the last bit.
class WeightedNumbers {
public:
  /// Weights are at least 0 and their sum is above 0. Throws std::invalid_argument otherwise, and for none or
  /// more than 2^32 - 1 of them.
  explicit WeightedNumbers(std::span<const double> weights);

  std::uint32_t draw(RandomWords& random) const;

private:
  // Number i is drawn by words from ends_[i - 1] to before ends_[i], the last one also by all above.
  std::vector<std::uint64_t> ends_;
  // The first number that words with these highest bits draw, and the last number after them.
  std::vector<std::uint32_t> first_;
};

}  // namespace gsst::data
