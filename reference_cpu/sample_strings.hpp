#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_cpu/symbol.hpp"

namespace gsst::reference {

/// Numbers the strings that occur in a sample more than once, so that what is counted for each of them is an
/// array: a sample is looked at dozens of times while a dictionary is trained, and its strings stay the same.
class SampleStrings {
public:
  /// The number of a string that occurs once.
  static constexpr std::uint32_t occurs_once = 0;

  /// `pieces` are the parts of the sample that no symbol crosses. Takes 33 bytes of memory a sample byte, and
  /// at most 16 for each string.
  explicit SampleStrings(std::span<const std::span<const std::uint8_t>> pieces);

  /// Lengths of the strings at a byte of the sample that occur more than once and do not cross the end of the
  /// piece, bit n for n + 1 bytes.
  std::uint8_t repeated(std::size_t position) const { return repeated_[position]; }
  /// Numbers are below this.
  std::size_t count() const { return strings_.size(); }
  /// The string of a number, of which occurs_once has none.
  const Symbol& operator[](std::uint32_t number) const { return strings_[number]; }
  /// The numbers of the strings of 1 to 8 bytes at a byte of the sample, pieces counted one after another.
  /// Those that would cross the end of the piece mean nothing.
  std::span<const std::uint32_t, format::max_symbol_length> at(std::size_t position) const {
    return numbers_[position];
  }

private:
  using Numbers = std::array<std::uint32_t, format::max_symbol_length>;

  std::vector<Symbol> strings_;
  std::vector<Numbers> numbers_;
  std::vector<std::uint8_t> repeated_;
};

}  // namespace gsst::reference
