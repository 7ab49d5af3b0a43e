#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_3_transposed.cuh"

// Pairs are hashed too: 16 KB instead of 64, so that more warps find room.
namespace {

class SmallLookup {
public:
  using Tables = SmallTables;
  static constexpr unsigned code_byte = code_bit / 8;

  __device__ explicit SmallLookup(const Tables& tables)
      : tables_(tables),
        multiplier_(tables.hash.multiplier),
        pair_multiplier_(tables.pair_multiplier),
        pair_mask_(computed_here(0xffff)) {}

  // As LargeLookup's. Behind an escape neither a pair nor a longer symbol is found: none was found at the
  // same place before it.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left, bool behind_escape) const {
    const std::uint32_t pair = tables_.pairs[computed_here(low * pair_multiplier_ >> (32 - pair_entry_bits))];
    const std::uint32_t single = tables_.singles[(low & 0xff) | (behind_escape ? 256 : 0)];
    Match match = {};
    const bool is_long = find_long(tables_.hash, multiplier_, low, high, left, match);
    const bool is_pair = ((pair ^ low) & pair_mask_) == 0 && left >= 16;
    const std::uint32_t shorter = is_pair ? pair : single;
    if (!is_long) match = {.code = shorter, .bits = shorter >> 24};
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_multiplier_;
  // In a register: a constant mask becomes a conversion to 16 bits and back, two instructions more.
  std::uint32_t pair_mask_;
};

}  // namespace
