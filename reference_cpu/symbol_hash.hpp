#pragma once

#include <cstdint>

#include "common/format/host_device.hpp"

namespace gsst::reference {

inline constexpr unsigned symbol_hash_bits = 10;
/// Slots of a hash table for symbols of 3 to 8 bytes.
inline constexpr unsigned symbol_hash_slots = 1u << symbol_hash_bits;

/// The slot of the symbols that start with the lowest three bytes of `word`. An encoder that finds the same
/// symbols as SymbolMatcher has the same slots.
GSST_HOST_DEVICE inline std::uint32_t symbol_hash_slot(std::uint32_t word) {
  // The three bytes at the top of a 32-bit product: Fibonacci hashing, whose high bits depend on all of
  // them.
  return (word << 8) * std::uint32_t{0x9e3779b1} >> (32 - symbol_hash_bits);
}

}  // namespace gsst::reference
