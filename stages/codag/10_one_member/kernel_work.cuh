#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/10_one_member/member_piece.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_chunk.cuh"

// What the kernels of a decoding leave for one another.
namespace gsst::codag {
namespace {

constexpr std::uint32_t member_segment_bits = 104;

// All pointers are in the executor's memory.
struct MemberWork {
  stage::FrameOnDevice frame;
  std::uint8_t* output;
  // A word for each block.
  std::uint32_t* status;
  // For each block, ~ the piece from which on one warp decodes all; 0 where pieces are the whole chunk.
  std::uint32_t* decoded_alone;
  // slot_count of each: a piece, and the slots of pieces that are used, by their order.
  MemberPiece* pieces;
  std::uint32_t* order;
  // batch_count + 1: how many pieces are used before those of each batch.
  std::uint32_t* batch_begin;
  // Two, plane_bytes bytes each, one after the other.
  std::uint8_t* planes;
  std::uint64_t plane_bytes;
  // The planes of pieces that begin in this many bytes are a batch.
  std::uint64_t batch_bytes;
  std::uint32_t slot_count;
  std::uint32_t batch_count;
  // A piece's bytes of the stream are 2 to this power.
  std::uint32_t piece_shift;
};

// A piece may have a place for each of these bytes of the stream: chunks may begin anywhere in a frame, and
// have one place more than they need.
__device__ inline std::uint32_t first_slot(const MemberWork& work, std::uint32_t block) {
  const std::uint8_t* const payload = work.frame.block(block, nullptr).payload;
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(payload - work.frame.bytes) >>
                                    work.piece_shift) +
         block;
}

// How many pieces a block has; 0 where one warp decodes it.
__device__ inline std::uint32_t pieces_of(const MemberWork& work, const stage::BlockOnDevice& block) {
  const std::uint32_t pieces =
      block.payload_bytes == 0 ? 0 : ((block.payload_bytes - 1) >> work.piece_shift) + 1;
  return pieces < 2 || block.layout == format::BlockLayout::raw ? 0 : pieces;
}

// What a slot is for.
struct PieceOfBlock {
  std::uint32_t block;
  // As many as the block has, or more, for none.
  std::uint32_t piece;
};

__device__ inline PieceOfBlock piece_of_slot(const MemberWork& work, std::uint32_t slot) {
  std::uint32_t first = 0;
  for (std::uint32_t end = work.frame.block_count; end - first > 1;) {
    const std::uint32_t middle = first + (end - first) / 2;
    if (first_slot(work, middle) <= slot) {
      first = middle;
    } else {
      end = middle;
    }
  }
  return {.block = first, .piece = slot - first_slot(work, first)};
}

}  // namespace
}  // namespace gsst::codag
