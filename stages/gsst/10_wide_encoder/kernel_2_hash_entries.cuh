#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_1_warp_chunks.cuh"

// Half the bytes: hash entries of 8 bytes instead of 16, and pairs of one byte instead of two.
namespace {

// Whether a symbol of 3 to 8 bytes stands at the start of the next 8 bytes; `match` becomes it.
__device__ inline bool find_long(const SmallEntries& hash, std::uint32_t multiplier, std::uint32_t low,
                                 std::uint32_t high, std::uint32_t left, Match& match) {
  const std::uint32_t product = low * multiplier;
  const std::uint64_t entry = hash.entries[product >> (32 - small_entry_bits)];
  const auto entry_low = static_cast<std::uint32_t>(entry);
  // What an entry keeps of the first four bytes: 13 bits of the product in place of the first three.
  const std::uint32_t wanted = (product & 0x00ffffff) | (low & 0xff000000);
  const std::uint32_t low_difference = (wanted ^ entry_low) & 0xff1fff00;
  const std::uint32_t high_difference = high ^ static_cast<std::uint32_t>(entry >> 32);
  const std::uint32_t unused_bits = entry_low >> 18 & 0x38;
  const std::uint64_t difference = (low_difference | std::uint64_t{high_difference} << 32) << unused_bits;
  match = {.code = entry_low, .bits = 64 - unused_bits};
  return difference == 0 && unused_bits <= most_unused_bits && match.bits <= left;
}

class MediumLookup {
public:
  using Tables = MediumTables;

  __device__ explicit MediumLookup(const Tables& tables)
      : tables_(tables), multiplier_(tables.hash.multiplier), pair_codes_(tables.pair_codes) {}

  // As LargeLookup's.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left) const {
    const std::uint32_t pair = tables_.pairs[low & 0xffff];
    Match match = {};
    if (find_long(tables_.hash, multiplier_, low, high, left, match)) return match;
    match = match_of_single(pair);
    if (pair < pair_codes_) match.bits = 16;
    if (match.bits > left) match = match_of_single(tables_.singles[low & 0xff]);
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_codes_;
};

}  // namespace
