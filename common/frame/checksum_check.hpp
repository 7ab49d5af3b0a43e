#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/checksum.hpp"
#include "common/stage/stage.hpp"

/// Compares decompressed blocks with their stored checksums, in the executor's memory.
namespace gsst::frame {

/// All pointers are in the executor's memory.
struct ChecksumCheck {
  /// A checked frame that has blocks.
  stage::FrameOnDevice frame;
  format::ChecksumKind kind;
  /// Null, or where the kind stands that is to be taken in place of `kind`, which then is xxh64_tree.
  const format::ChecksumKind* stored_kind;
  /// checksum_pieces().
  std::uint64_t pieces_per_block;
  /// frame.uncompressed_bytes bytes.
  std::uint8_t* output;
  /// A word for each piece of each block, for ChecksumKind::xxh64_tree; what they hold does not matter.
  std::uint64_t* piece_checksums;
  /// A word for each block. Those that are 0 are set to BlockStatus::wrong_checksum where the checksum
  /// differs.
  std::uint32_t* status;
};

/// Pieces that the checksum of a block of `block_bytes` bytes is made of; 0 where it is made of the whole.
inline std::uint64_t checksum_pieces(format::ChecksumKind kind, std::uint64_t block_bytes) {
  if (kind == format::ChecksumKind::xxh64) return 0;
  return format::part_size(block_bytes, format::checksum_piece_bytes);
}

/// Enqueues the check on `stream`, a cudaStream_t for Executor::gpu: allocates nothing, waits for nothing.
/// The output must have been enqueued before.
template <stage::Executor RunsOn>
void enqueue_checksum_check(const ChecksumCheck& check, void* stream);

template <>
void enqueue_checksum_check<stage::Executor::gpu>(const ChecksumCheck& check, void* stream);
template <>
void enqueue_checksum_check<stage::Executor::simt>(const ChecksumCheck& check, void* stream);

}  // namespace gsst::frame
