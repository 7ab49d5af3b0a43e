#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/kernel_3_transposed.cuh"

// Pairs are hashed too: 16 KB instead of 64, so that more warps find room.
namespace {

class SmallLookup {
public:
  using Tables = SmallTables;
  static constexpr std::size_t shared_bytes = sizeof(Tables);
  static constexpr unsigned code_byte = code_bit / 8;
  static constexpr unsigned code_bytes = 1;

  __device__ explicit SmallLookup(const Tables& tables)
      : tables_(tables),
        multiplier_(tables.hash.multiplier),
        pair_multiplier_(tables.pair_multiplier),
        constants_(tables.constants) {}

  // As LargeLookup's. Behind an escape neither a pair nor a longer symbol is found: none was found at the
  // same place before it.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left, bool behind_escape) const {
    const std::uint32_t pair_slot = shifted_by_product(low * pair_multiplier_, constants_.pair_slots);
    const std::uint32_t pair = tables_.pairs[pair_slot];
    const std::uint32_t single = tables_.singles[(low & 0xff) | (behind_escape ? 256 : 0)];
    // Before it is known whether there is a pair: the load must not wait for that.
    const std::uint32_t single_bits = computed_here(shifted_by_product(single, constants_.bits_factor));
    const std::uint64_t entry = tables_.hash.entries[shifted_by_product(low * multiplier_, constants_.slots)];
    const std::uint32_t unused_bits =
        shifted_by_product(static_cast<std::uint32_t>(entry) & 0xe000, constants_.unused_factor);
    Match match = {};
    const bool is_long = is_long_match(entry, unused_bits, low, high, left, match);
    const bool is_pair = ((pair ^ low) & constants_.pair_bytes) == 0 && left >= 16;
    const Match shorter = {.code = is_pair ? pair : single, .bits = is_pair ? 16 : single_bits};
    if (!is_long) match = shorter;
    return match;
  }

private:
  const Tables& tables_;
  std::uint32_t multiplier_;
  std::uint32_t pair_multiplier_;
  KernelConstants constants_;
};

}  // namespace
