#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_3_transposed.cuh"

// Pairs are hashed too: 8 KB instead of 64, so that more warps find room.
namespace {

class SmallLookup {
public:
  using Tables = SmallTables;

  __device__ explicit SmallLookup(const Tables& tables)
      : tables_(tables), multiplier_(tables.hash.multiplier), pair_multiplier_(tables.pair_multiplier) {}

  // As LargeLookup's.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left) const {
    const std::uint32_t product = low * pair_multiplier_;
    const std::uint32_t pair = tables_.pairs[product >> (32 - pair_entry_bits)];
    const std::uint32_t single = tables_.singles[low & 0xff];
    Match match = {};
    const bool is_long = find_long(tables_.hash, multiplier_, low, high, left, match);
    const bool is_pair = ((pair ^ product >> 8) & pair_tag) == 0 && left >= 16;
    const std::uint32_t shorter = is_pair ? pair : single;
    if (!is_long) match = {.code = shorter, .bits = shorter >> 10 & 0x38};
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_multiplier_;
};

}  // namespace
