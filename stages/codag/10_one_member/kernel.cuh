#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/10_one_member/kernel_pieces.cuh"
#include "stages/codag/10_one_member/kernel_planes.cuh"
#include "stages/codag/10_one_member/kernel_windows.cuh"
#include "stages/codag/10_one_member/kernel_work.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_pieces.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Many warps decode a chunk: each of them other sections, before what precedes these is known (past the
// paper).
namespace gsst::codag {
namespace {

// A warp for each block, a thread block each: what pieces are not, a whole chunk or all from a mistake on,
// which is named here.
__global__ void decode_rest(MemberWork work) {
  GSST_SHARED_MEMORY(memory);
  auto& own = *reinterpret_cast<WarpMemory<member_segment_bits>*>(memory);
  const stage::BlockOnDevice block = work.frame.block(blockIdx.x, work.output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes(block.payload, block.uncompressed_bytes, block.output);
  } else {
    ChunkPart rest;
    const bool has_pieces = pieces_of(work, block) != 0;
    const std::uint32_t alone = has_pieces ? work.decoded_alone[blockIdx.x] : 0;
    if (alone != 0) {
      const MemberPiece& piece = work.pieces[first_slot(work, blockIdx.x) + ~alone];
      rest.bit = piece.begin_bit;
      rest.place = piece.place;
    }
    if (!has_pieces || alone != 0) {
      OwnPieces pieces(own.staged, block.output);
      result = decode_substreams(byte_chunk(block), own.substreams, pieces, rest).status;
    }
  }
  if (lane_number() == 0) work.status[blockIdx.x] = result;
}

}  // namespace
}  // namespace gsst::codag
