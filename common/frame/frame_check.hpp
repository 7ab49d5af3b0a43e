#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/frame_problem.hpp"
#include "common/stage/plan.hpp"

/// Checks a frame that the host cannot read: what frame_shape() checks on the host, by kernels in the
/// executor's memory. What they accept is written as an index of its own, in which a block that was refused,
/// or that the frame does not have, has no bytes. A decoder that is given this index needs to check nothing
/// but codes. What only a format knows, of its blocks' records and headers, the rules of a series check:
/// common/frame/frame_check.cuh says how.
namespace gsst::frame {

/// In the lowest byte of a status word: the frame was refused, or the block's header; a block's FrameProblem
/// stands above. No stage::BlockStatus.
inline constexpr std::uint32_t refused_frame_status = 251;
inline constexpr std::uint32_t refused_block_status = 252;

/// The problem in the word of a block whose header was refused.
inline FrameProblem problem_of_refused_block(std::uint32_t word) {
  return static_cast<FrameProblem>(word >> 8);
}

/// What became of a frame.
struct FrameResult {
  /// Bytes that the frame decompresses to, and its blocks; 0 if it was refused.
  std::uint64_t output_bytes;
  std::uint64_t block_count;
  /// The block that `problem` is in, counted from 1; 0 if it is in none.
  std::uint64_t problem_block;
  FrameProblem problem;
  std::uint32_t reserved;
};

/// What is known before the frame is. The format and the splits are the frame's own, the rest are bounds.
struct FrameBounds {
  format::BlockFormat format;
  /// 1 for formats without splits.
  std::uint32_t split_count;
  std::uint64_t frame_bytes;
  std::uint64_t output_bytes;
  /// 1 to format::max_block_bytes.
  std::uint64_t block_bytes;
  /// 1 to format::max_block_count.
  std::uint64_t block_count;
};

/// What the kernels learn of the frame. Written by the first of them but for `problem`.
struct CheckedFrame {
  /// The first problem in the order of the host's checks, which is the largest number (problem_key() in
  /// frame_check.cu); 0: none.
  unsigned long long problem;
  /// 1: the header, the trailer and the index record can be trusted, and so can the fields below.
  std::uint32_t has_index;
  std::uint32_t block_count;
  format::ChecksumKind checksum_kind;
  std::uint64_t block_bytes;
  /// From the frame's first byte to the end of the last block, to the first entry, and behind the trailer.
  std::uint64_t blocks_end;
  std::uint64_t index_offset;
  std::uint64_t frame_bytes;
  std::uint64_t uncompressed_bytes;
};

/// One check. All pointers are in the executor's memory.
struct FrameCheck {
  FrameBounds bounds;
  /// The most payload bytes of a block without the part that depends on its uncompressed bytes.
  std::uint64_t fixed_payload_bytes;
  /// bounds.frame_bytes bytes, at any address, of which the first *frame_bytes are the frame.
  const std::uint8_t* frame;
  const std::uint64_t* frame_bytes;
  CheckedFrame* checked;
  /// A word for each piece of the largest index.
  std::uint64_t* index_pieces;
  /// bounds.block_count entries.
  std::uint8_t* entries;
  /// A word for each block: 0, or what its status becomes.
  std::uint32_t* refusals;
};

/// Words of FrameCheck::index_pieces.
inline std::uint64_t index_piece_words(std::uint64_t block_count) {
  return format::part_size(block_count * format::index_entry_bytes + format::index_totals_bytes,
                           format::checksum_piece_bytes);
}

/// The kernels on an executor, with the rules of a series. They allocate nothing and wait for nothing.
struct FrameCheckKernels {
  /// Enqueues the checks on `stream`.
  void (*enqueue_check)(const FrameCheck& check, stage::Stream stream);
  /// Enqueues, after the decoder, what became of the frame: `result`, and the words of refused blocks in
  /// `status`, which has bounds.block_count words.
  void (*enqueue_result)(const FrameCheck& check, FrameResult* result, std::uint32_t* status,
                         stage::Stream stream);
};

}  // namespace gsst::frame
