#pragma once

#include <cstdint>
#include <span>

#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"
#include "stages/codag/gzip/crc32_tables.hpp"

/// Compares the CRC-32 of decompressed blocks with those that are stored, in the executor's memory.
namespace gsst::codag::gzip {

/// Most bytes of which a warp computes the CRC-32: longer blocks have several pieces. Whatever its size, a
/// piece also takes eight multiplications of polynomials, of 32 steps each.
inline constexpr std::uint32_t crc32_piece_bytes = 32768;

/// Some of a block's output.
struct Crc32Piece {
  std::uint32_t block;
  /// From the block's first byte to the piece's.
  std::uint32_t begin;
};

/// All pointers are in the executor's memory.
struct Crc32Check {
  const Crc32Tables* tables;
  /// piece_count of them, by rising block and begin. A block without bytes has none.
  const Crc32Piece* pieces;
  /// The number of each block's first piece, and after them that of all pieces.
  const std::uint32_t* first_piece;
  /// Entries of an index, one for each block, at any address, whose checksum is the CRC-32.
  const std::uint8_t* index;
  const std::uint8_t* output;
  /// A word for each piece.
  std::uint32_t* piece_terms;
  /// A word for each block. Those that are 0 are set to BlockStatus::wrong_checksum where the CRC-32 differs.
  std::uint32_t* status;
  std::uint32_t piece_count;
  std::uint32_t block_count;
};

/// What prepare() puts into the executor's memory.
struct Crc32Lists {
  std::span<const Crc32Piece> pieces;
  std::span<const std::uint32_t> first_piece;
};

/// The kernels on an executor: what a plan calls (crc32_plan.hpp).
struct Crc32Kernels {
  /// Enqueues copies of the lists, and of the tables, to where `check` has them.
  void (*prepare)(const Crc32Check& check, const Crc32Lists& lists, stage::Stream stream);
  /// Enqueues the check: allocates nothing, waits for nothing.
  void (*enqueue)(const Crc32Check& check, stage::Stream stream);
};

}  // namespace gsst::codag::gzip
