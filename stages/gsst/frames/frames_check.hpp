#pragma once

#include <cstdint>

#include "common/frame/frame_check.hpp"
#include "common/stage/kernels_on.hpp"

/// Checks many frames that only the executor can read, in one launch: each as common/frame/frame_check.hpp
/// checks one. What is accepted is written as one index of the blocks of all frames, whose offsets are from
/// the first byte of the input and of the output. With this index a decoder of one frame decodes all of them.
namespace gsst::frames {

/// Where a frame is, and where its output goes, in bytes from the first of the input and of the output. One
/// of all zeros is no frame.
struct FramePlace {
  std::uint64_t input_offset;
  std::uint64_t output_offset;
  std::uint64_t frame_bytes;
  std::uint64_t output_capacity;
};

/// Why a frame is refused that would be accepted alone. The numbers are stored where those of
/// frame::FrameProblem are, and are above all of them: none changes.
enum class PlaceProblem : std::uint32_t {
  outside_input = 192,
  outside_output,
  misaligned_input,
  other_checksum_kind,
};

/// What is known before the frames are. Format, splits and the kind of checksum are those of every frame, the
/// rest are bounds.
struct FramesBounds {
  std::uint64_t frame_count;
  format::BlockFormat format;
  /// 1 for formats without splits.
  std::uint32_t split_count;
  /// Of frames with blocks, where checksums are compared.
  format::ChecksumKind checksum_kind;
  /// Format tiles: tile_shape_bit() of each shape that blocks may have.
  std::uint32_t tile_shapes;
  /// Of each frame.
  std::uint64_t frame_bytes;
  std::uint64_t output_bytes;
  std::uint64_t block_count;
  /// Of all frames.
  std::uint64_t input_bytes;
  std::uint64_t all_output_bytes;

  std::uint64_t all_blocks() const { return frame_count * block_count; }
};

/// One check. All pointers are in the executor's memory. Frame f has the entries and words of blocks from
/// f * bounds.block_count on.
struct FramesCheck {
  FramesBounds bounds;
  bool compares_checksums;
  /// Of every frame's offset in the input.
  std::uint32_t alignment;
  /// As in frame::FrameCheck.
  std::uint64_t fixed_payload_bytes;
  const std::uint8_t* input;
  const FramePlace* places;
  /// frame::index_piece_words(bounds.block_count) words for each frame.
  std::uint64_t* index_pieces;
  std::uint8_t* entries;
  /// A word for each block: 0, or what its status becomes.
  std::uint32_t* refusals;
};

/// The kernels on an executor. They allocate nothing and wait for nothing.
struct FramesCheckKernels {
  /// Enqueues the check of all frames, at least one, on `stream`. Each has its element of `results`.
  void (*enqueue_check)(const FramesCheck& check, frame::FrameResult* results, stage::Stream stream);
  /// Enqueues, after the decoder, the words of blocks that were refused or that frames do not have.
  void (*enqueue_statuses)(const FramesCheck& check, const frame::FrameResult* results, std::uint32_t* status,
                           stage::Stream stream);
};

}  // namespace gsst::frames
