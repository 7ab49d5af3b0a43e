#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_status.hpp"
#include "common/frame/index_entry.hpp"
#include "common/stage/copies.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/gzip/checksum_check.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// What the kernels of all checksums have in common: pieces of blocks, and how a warp reads one.
namespace gsst::codag::gzip {
namespace {

constexpr unsigned checksum_threads = 128;
constexpr unsigned checksum_warps = checksum_threads / lanes_of_warp;
constexpr std::uint32_t words_at_once = 8;

// Of a block in the index.
struct CheckedBlock {
  __device__ CheckedBlock(const ChecksumCheck& check, std::uint32_t block)
      : entry(check.index + std::uint64_t{block} * format::index_entry_bytes),
        output(check.output + entry.uncompressed_offset()),
        bytes(entry.uncompressed_bytes()) {}

  __device__ std::uint32_t stored_checksum() const {
    return static_cast<std::uint32_t>(format::load_little_endian<4>(entry.record() + 16));
  }

  format::IndexEntryFields entry;
  const std::uint8_t* output;
  std::uint32_t bytes;
};

// The word at an address that is a multiple of 4, with 0 for bytes that are not from `begin` to `end`.
__device__ inline std::uint32_t word_within(const std::uint8_t* address, const std::uint8_t* begin,
                                            const std::uint8_t* end) {
  if (address >= begin && address + 4 <= end) return *reinterpret_cast<const std::uint32_t*>(address);
  std::uint32_t word = 0;
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (address + i >= begin && address + i < end) word |= std::uint32_t{address[i]} << 8 * i;
  }
  return word;
}

// Where a piece is, and how a warp reads it: whole rows of words, at addresses that are multiples of 4, of
// which the first word begins up to 3 bytes before the piece.
struct PieceRows {
  __device__ PieceRows(const CheckedBlock& block, const ChecksumPiece& piece)
      : begin(block.output + piece.begin) {
    const std::uint32_t left = block.bytes - piece.begin;
    const std::uint32_t bytes = left < checksum_piece_bytes ? left : checksum_piece_bytes;
    const auto skew = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(begin) % 4);
    end = begin + bytes;
    first = begin - skew;
    count = (skew + bytes + checksum_row_bytes - 1) / checksum_row_bytes;
    past_end = count * checksum_row_bytes - skew - bytes;
    after = left - bytes;
  }

  const std::uint8_t* begin;
  const std::uint8_t* end;
  const std::uint8_t* first;
  std::uint32_t count;
  // Bytes of the last row after the piece, which are read as 0.
  std::uint32_t past_end;
  // Bytes of the block after the piece.
  std::uint32_t after;
};

// Calls `take(word)` for the calling lane's word of each row. Neighbours read neighbours.
template <typename Take>
__device__ inline void take_words(const PieceRows& rows, Take&& take) {
  const std::uint8_t* address = rows.first + lane_number() * 4;
  for (std::uint32_t row = 0; row < rows.count; row += words_at_once) {
    std::uint32_t words[words_at_once];
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      words[i] = word_within(address + std::size_t{i} * checksum_row_bytes, rows.begin, rows.end);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < words_at_once; ++i) {
      if (row + i < rows.count) take(words[i]);
    }
    address += std::size_t{words_at_once} * checksum_row_bytes;
  }
}

// One lane of the warp that has computed the checksum of block `number`, and all of whose lanes have read the
// block's status.
__device__ inline void compare_checksum(const ChecksumCheck& check, std::uint32_t number,
                                        const CheckedBlock& block, std::uint32_t checksum) {
  if (checksum == block.stored_checksum()) return;
  check.status[number] = static_cast<std::uint32_t>(format::BlockStatus::wrong_checksum);
}

// Enqueues a kernel with that many warps, one for each piece or block.
inline void launch_warps(std::uint32_t warps, std::size_t shared_bytes, void (*kernel)(ChecksumCheck),
                         const ChecksumCheck& check, stage::Stream stream) {
  // A grid of no blocks is an error in CUDA.
  if (warps == 0) return;
  stage::launch({.thread_blocks = (warps + checksum_warps - 1) / checksum_warps,
                 .threads_per_block = checksum_threads,
                 .shared_bytes = shared_bytes,
                 .stream = stream},
                kernel, check);
}

// Enqueues the copy of `from` to where a check reads it.
template <typename Value>
void fill(const Value* to, std::span<const Value> from, stage::Stream stream) {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): only the kernels must not write it.
  stage::copy_to_executor(const_cast<Value*>(to), from, stream);
}

}  // namespace
}  // namespace gsst::codag::gzip
