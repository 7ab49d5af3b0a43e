#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_1_warp_chunks.cuh"

// Half the bytes: hash entries of 8 bytes instead of 16, and pairs of one byte instead of two.
namespace {

// Whether the entry is of a symbol of 3 to 8 bytes that stands at the start of the next 8 bytes; `match`
// becomes it, with the code at code_bit. `unused_bits` is what the entry's symbol lacks to 64.
__device__ inline bool is_long_match(std::uint64_t entry, std::uint32_t unused_bits, std::uint32_t low,
                                     std::uint32_t high, std::uint32_t left, Match& match) {
  const auto entry_low = static_cast<std::uint32_t>(entry);
  const std::uint32_t low_difference = (low ^ entry_low) & small_entry_symbol;
  const std::uint32_t high_difference = high ^ static_cast<std::uint32_t>(entry >> 32);
  const std::uint64_t difference = (low_difference | std::uint64_t{high_difference} << 32) << unused_bits;
  match = {.code = entry_low, .bits = 64 - unused_bits};
  // One comparison with zero instead of two.
  const std::uint32_t any_difference =
      static_cast<std::uint32_t>(difference) | static_cast<std::uint32_t>(difference >> 32);
  const bool is_symbol = unused_bits <= most_unused_bits && match.bits <= left;
  return is_symbol && any_difference == 0;
}

class MediumLookup {
public:
  using Tables = MediumTables;
  static constexpr std::size_t shared_bytes = sizeof(Tables);
  static constexpr unsigned code_byte = code_bit / 8;
  static constexpr unsigned code_bytes = 1;

  __device__ explicit MediumLookup(const Tables& tables)
      : tables_(tables), multiplier_(tables.hash.multiplier), pair_codes_(tables.pair_codes) {}

  // As LargeLookup's.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left, bool behind_escape) const {
    const std::uint32_t pair = tables_.pairs[low & 0xffff];
    Match match = {};
    const std::uint64_t entry = tables_.hash.entries[slot_of_product<small_entries>(low * multiplier_)];
    const std::uint32_t unused_bits = static_cast<std::uint32_t>(entry) >> 10 & 0x38;
    if (!is_long_match(entry, unused_bits, low, high, left, match)) {
      match = match_of_single(pair);
      if (pair < pair_codes_) match.bits = 16;
      if (match.bits > left) match = match_of_single(tables_.singles[low & 0xff]);
      match.code <<= code_bit;
    }
    if (behind_escape) match = {.code = low << code_bit, .bits = 8};
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_codes_;
};

}  // namespace
