#pragma once

#include <cstdint>

#include "stages/gsst/10_wide_encoder/chunks.cuh"
#include "stages/gsst/10_wide_encoder/tile_tables.hpp"

// Finds symbols of tables with length classes, which may be many that start alike.
namespace {

// `InShared` is false where a thread block has too little shared memory for the tables: they stay in global
// memory, and the L1 cache holds what shared memory leaves of it.
template <unsigned CodeBits, bool InShared = true>
class TileLookup {
public:
  using Tables = TileTables<CodeBits>;
  static constexpr std::size_t shared_bytes = InShared ? sizeof(Tables) : 0;
  static constexpr unsigned code_byte = 0;
  static constexpr unsigned code_bytes = CodeBits == 8 ? 1 : 2;

  __device__ explicit TileLookup(const Tables& tables)
      : tables_(tables), class_lengths_(tables.class_lengths), multiplier_(tables.multiplier) {}

  // As LargeLookup's: the longest symbol. Behind an escape none is found: none was found before it.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left, bool behind_escape) const {
    // Before it is known whether it is needed: the load must not wait for that.
    const Match other = single(low & 0xff, behind_escape);
    std::uint32_t code = 0;
    const bool has_five = search(low, high & 0xff, 5, left, code);
    // Selected, not shifted: 3 or 7 bytes, then 2, 4, 6 or 8.
    const bool has_more =
        search(has_five ? low : low & 0xffffff, has_five ? high & 0xffffff : 0, has_five ? 7 : 3, left, code);
    const std::uint32_t last_high = has_more ? high : high & 0xffff;
    search(has_five || has_more ? low : low & 0xffff, has_five ? last_high : 0,
           (has_five ? 6u : 2u) + (has_more ? 2u : 0u), left, code);

    const std::uint32_t bits =
        static_cast<std::uint32_t>(class_lengths_ >> (code >> (CodeBits - 4)) * 4 & 0xf) * 8;
    const std::uint64_t difference = tables_.symbols[code] ^ (std::uint64_t{high} << 32 | low);
    // Another key can have the same hash: only the symbol itself tells.
    const bool is_symbol = bits != 0 && bits <= left && difference << (64 - bits) % 64 == 0;
    return {.code = is_symbol ? code : other.code, .bits = is_symbol ? bits : other.bits};
  }

private:
  __device__ Match single(std::uint32_t byte, bool behind_escape) const {
    if constexpr (CodeBits != 8) {
      return {.code = byte, .bits = 8};
    } else {
      const std::uint32_t entry = tables_.singles[byte | (behind_escape ? 256 : 0)];
      return {.code = entry, .bits = entry >> 8};
    }
  }

  // Whether there is an entry for the key of `bytes` bytes, which stand in `low` and `high`, with zeros
  // behind them; `code` becomes its code.
  __device__ bool search(std::uint32_t low, std::uint32_t high, std::uint32_t bytes, std::uint32_t left,
                         std::uint32_t& code) const {
    const std::uint32_t hash = tile_hash(low, high, bytes, multiplier_);
    const std::uint32_t shift = tables_.shifts[Tables::group(hash)];
    const std::uint32_t entry = tables_.entries[Tables::slot(hash, shift)];
    const std::uint32_t found = entry ^ hash << Tables::entry_code_bits;
    const bool is_there = found < (1u << Tables::entry_code_bits) && bytes * 8 <= left;
    if (is_there) code = found;
    return is_there;
  }

  const Tables& tables_;
  std::uint64_t class_lengths_;
  std::uint32_t multiplier_;
};

}  // namespace
