#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_1_warp_chunks.cuh"

// Half the bytes: hash entries of 8 bytes instead of 16, and pairs of one byte instead of two.
namespace {

// The symbol of 3 to 8 bytes at the start of the next 8 bytes; bits = 0 if there is none.
__device__ inline Match find_long(const SmallEntries& hash, std::uint32_t multiplier, std::uint32_t low,
                                  std::uint32_t high, std::uint32_t left) {
  const std::uint32_t product = low * multiplier;
  const std::uint64_t entry = hash.entries[product >> (32 - small_entry_bits)];
  const auto entry_low = static_cast<std::uint32_t>(entry);
  // What an entry keeps of the first four bytes: 13 bits of the product in place of the first three.
  const std::uint32_t wanted = (product & 0x00ffffff) | (low & 0xff000000);
  const std::uint64_t difference = ((wanted ^ entry_low) & 0xff1fff00) |
                                   std::uint64_t{high ^ static_cast<std::uint32_t>(entry >> 32)} << 32;
  const std::uint32_t bits = (entry_low >> 18 & 0x38) + 8;
  const bool is_hit = difference << (64 - bits) == 0 && bits >= 24 && bits <= left;
  return {.code = entry_low, .bits = is_hit ? bits : 0};
}

class MediumLookup {
public:
  using Tables = MediumTables;

  __device__ explicit MediumLookup(const Tables& tables)
      : tables_(tables), multiplier_(tables.hash.multiplier), pair_codes_(tables.pair_codes) {}

  // As LargeLookup's.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left) const {
    const std::uint32_t pair = tables_.pairs[low & 0xffff];
    Match match = {.code = pair, .bits = pair < pair_codes_ ? 16u : 8u};
    if (match.bits > left) match = {.code = tables_.singles[low & 0xff], .bits = 8};
    const Match longer = find_long(tables_.hash, multiplier_, low, high, left);
    if (longer.bits != 0) match = longer;
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_codes_;
};

}  // namespace
