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
    const std::uint32_t wanted = (product >> 8 & 0xf00) | pair_present;
    const bool is_pair = ((pair ^ wanted) & 0xff00) == 0 && left >= 16;
    Match match = {.code = is_pair ? pair : single, .bits = is_pair ? 16u : 8u};
    const Match longer = find_long(tables_.hash, multiplier_, low, high, left);
    if (longer.bits != 0) match = longer;
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_multiplier_;
};

}  // namespace
