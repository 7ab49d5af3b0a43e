#pragma once

#include <cstdint>
#include <span>

#include "common/stage/kernels_on.hpp"
#include "common/stage/plan.hpp"
#include "stages/codag/gzip/crc32_tables.hpp"

/// Compares a checksum of decompressed blocks with those that are stored, in the executor's memory.
namespace gsst::codag::gzip {

/// Most bytes whose part of a checksum a warp computes: longer blocks have several pieces. Whatever its size,
/// a piece of CRC-32 also takes eight multiplications of polynomials, of 32 steps each.
inline constexpr std::uint32_t checksum_piece_bytes = 32768;

/// Some of a block's output.
struct ChecksumPiece {
  std::uint32_t block;
  /// From the block's first byte to the piece's.
  std::uint32_t begin;
};

/// All pointers are in the executor's memory.
struct ChecksumCheck {
  /// Of CRC-32; nullptr for Adler-32.
  const Crc32Tables* tables;
  /// piece_count of them, by rising block and begin. A block without bytes has none.
  const ChecksumPiece* pieces;
  /// The number of each block's first piece, and after them that of all pieces.
  const std::uint32_t* first_piece;
  /// Entries of an index, one for each block, at any address, with the checksum that is stored.
  const std::uint8_t* index;
  const std::uint8_t* output;
  /// A word for each piece.
  std::uint32_t* piece_terms;
  /// A word for each block. Those that are 0 are set to BlockStatus::wrong_checksum where the checksum
  /// differs.
  std::uint32_t* status;
  std::uint32_t piece_count;
  std::uint32_t block_count;
};

/// What prepare() puts into the executor's memory.
struct ChecksumLists {
  std::span<const ChecksumPiece> pieces;
  std::span<const std::uint32_t> first_piece;
};

/// The kernels of a checksum on an executor: what a plan calls (checksum_plan.hpp).
struct ChecksumKernels {
  /// Enqueues copies of the lists, and of the tables, to where `check` has them.
  void (*prepare)(const ChecksumCheck& check, const ChecksumLists& lists, stage::Stream stream);
  /// Enqueues the check: allocates nothing, waits for nothing.
  void (*enqueue)(const ChecksumCheck& check, stage::Stream stream);
};

/// As they are registered.
struct Crc32Kernels {
  ChecksumKernels kernels;
};
struct Adler32Kernels {
  ChecksumKernels kernels;
};

}  // namespace gsst::codag::gzip
