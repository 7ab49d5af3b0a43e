#pragma once

#include <algorithm>
#include <cstdint>

#include "common/format/gsst/symbol_table.hpp"

namespace gsst::reference {

/// A string of 1 to format::max_symbol_length bytes that a code stands for.
struct Symbol {
  /// First byte in the lowest 8 bits, zero above `length` bytes.
  std::uint64_t bytes = 0;
  unsigned length = 0;

  bool operator==(const Symbol&) const = default;
};

inline std::uint8_t byte_of(const Symbol& symbol, unsigned index) {
  return static_cast<std::uint8_t>(symbol.bytes >> (8 * index));
}

/// The first `length` bytes, 1 to 8, of a word whose first byte is the lowest.
inline std::uint64_t first_bytes(std::uint64_t word, unsigned length) {
  return word & (~std::uint64_t{0} >> (64 - 8 * length));
}

/// `first` and after it as much of `second` as fits into a symbol.
inline Symbol concatenate(const Symbol& first, const Symbol& second) {
  if (first.length == format::max_symbol_length) return first;
  const unsigned length = std::min(first.length + second.length, format::max_symbol_length);
  return {.bytes = first_bytes(first.bytes | second.bytes << (8 * first.length), length), .length = length};
}

/// An order of symbols that is the same on every machine: longer ones first, then by their bytes.
inline bool comes_before(const Symbol& left, const Symbol& right) {
  if (left.length != right.length) return left.length > right.length;
  return left.bytes < right.bytes;
}

}  // namespace gsst::reference
