#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/10_wide_encoder/chunks.cuh"

// A warp brings a chunk of its input to shared memory and encodes it from there, a row a lane. All
// lookup tables are in shared memory: 16 bytes for a hash entry, two for a pair.
namespace {

// Rows one behind the other.
class RowsInOrder {
public:
  static constexpr unsigned most_warps = 16;
  static constexpr std::uint32_t row_bytes = long_row_bytes;
  // 12 modulo 32 banks: rows that are read at the same place spread over 8 of them.
  static constexpr std::uint32_t stride_words = row_bytes / 4 + 12;
  static constexpr std::uint32_t shared_bytes = 32 * stride_words * 4;
  static_assert(lookahead_words <= 12);

  // `shared`: shared_bytes bytes of the warp.
  __device__ explicit RowsInOrder(std::uint8_t* shared)
      : rows_(reinterpret_cast<std::uint32_t*>(shared)), own_(row_of(threadIdx.x % 32)) {}

  // All lanes, before the first row: what stands behind a row is read and means nothing.
  __device__ void clear() const {
    // The chunk before may still be read.
    __syncwarp();
    for (std::uint32_t word = 0; word < stride_words; ++word) own_[word] = 0;
  }

  // All lanes: the next rows. Returns the byte of the row that the lane's next one is.
  __device__ std::uint32_t load(const InputCut& cut, const Cursor& cursor) const {
    __syncwarp();
    const std::uint32_t first = load_rows<row_bytes>(cut, cursor, [&](std::uint32_t row, std::uint32_t unit) {
      return reinterpret_cast<Unit*>(row_of(row)) + unit;
    });
    __syncwarp();
    return first;
  }

  // The word of the lane's row with bit `at`; the next word is word_stride further.
  static constexpr std::uint32_t word_stride = 1;
  __device__ const std::uint32_t* input(std::uint32_t at) const { return own_ + at / 32; }

private:
  __device__ std::uint32_t* row_of(std::uint32_t lane) const {
    return rows_ + std::size_t{lane} * stride_words;
  }

  std::uint32_t* rows_;
  std::uint32_t* own_;
};

// What stands behind an escape.
__device__ inline Match match_of_escaped(std::uint32_t byte) {
  return {.code = byte, .bits = 8};
}

__device__ inline Match match_of_single(std::uint32_t code) {
  return {.code = code, .bits = code == gsst::format::escape_code ? 0u : 8u};
}

// Finds symbols as FSST's own encoder does.
class LargeLookup {
public:
  using Tables = LargeTables;
  // Of the tables; 0 where they stay in global memory.
  static constexpr std::size_t shared_bytes = sizeof(Tables);
  // The byte of a match's code that is the code.
  static constexpr unsigned code_byte = 0;
  // Bytes that a code takes in a line.
  static constexpr unsigned code_bytes = 1;

  __device__ explicit LargeLookup(const Tables& tables) : tables_(tables) {}

  // The match at the start of the next 8 bytes, first byte lowest, of which `left` bits are input.
  __device__ Match find(std::uint32_t low, std::uint32_t high, std::uint32_t left, bool behind_escape) const {
    if (behind_escape) return match_of_escaped(low);
    const Tables::Entry entry = tables_.entries[symbol_hash_slot(low)];
    const std::uint64_t difference = (low ^ entry.low) | std::uint64_t{high ^ entry.high} << 32;
    const bool is_hit = entry.bits != 0 && entry.bits <= left && difference << (64 - entry.bits) % 64 == 0;
    const std::uint32_t pair = tables_.pairs[low & 0xffff];
    Match match = {.code = pair, .bits = pair >> 8};
    if (match.bits > left) match = match_of_single(tables_.singles[low & 0xff]);
    if (is_hit) match = {.code = entry.code, .bits = entry.bits};
    return match;
  }

private:
  const Tables& tables_;
};

}  // namespace
