#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/10_one_member/kernel_planes.cuh"
#include "stages/codag/10_one_member/kernel_search.cuh"
#include "stages/codag/10_one_member/kernel_work.cuh"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_tables.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Where the pieces of chunks begin and what they decode to: guessed by a warp for each piece, verified along
// the chunk.
namespace gsst::codag {
namespace {

// The place in the stream where another piece begins than that of `bit`.
__device__ inline std::uint64_t end_of_range(const MemberWork& work, std::uint64_t bit) {
  const std::uint32_t shift = work.piece_shift + 3;
  return ((bit >> shift) + 1) << shift;
}

// All lanes of a warp: the piece whose first section begins at `bit`. Nothing is written.
__device__ inline MemberPiece count_piece(const MemberWork& work, const CodedChunk& chunk, std::uint64_t bit,
                                          SubstreamMemory<member_segment_bits>& memory) {
  using format::codag::DeflateStatus;
  const std::uint64_t range_end = end_of_range(work, bit);
  SeekableBits input(PayloadWords(chunk.stream, chunk.stream_bytes));
  input.seek(bit);
  CountedOutput output(chunk.values);
  Deflate<TablesOfWarp, SubstreamTables> deflate(counted_chunk(chunk), memory.tables);
  Region<member_segment_bits> region(memory.region, memory.tables);
  auto problem = DeflateStatus::decoded;
  // As in decode_part().
  std::uint64_t step_end = 0;
  while (problem == DeflateStatus::decoded && !deflate.is_done() &&
         !(deflate.is_between_sections() && input.bit() >= range_end)) {
    if (!deflate.is_at_element() || input.bit() < step_end) {
      problem = deflate.step(input, output);
    } else if (!region.find(input, output.left())) {
      step_end = ~std::uint64_t{0};
    } else {
      output.advance(region.bytes());
      input.seek(region.end());
      region.skip_segments();
      if (region.is_stopped()) step_end = input.bit() + 1;
    }
  }
  return {.begin_bit = bit,
          .end_bit = input.bit(),
          .place = 0,
          .bytes = chunk.values - output.left(),
          .plane_offset = 0,
          .is_right = problem == DeflateStatus::decoded,
          .is_last = deflate.is_done(),
          .is_used = false,
          .is_found = false};
}

// A warp for each slot, a thread block each: what its piece is, if a section was found in its range.
__global__ void find_pieces(MemberWork work) {
  GSST_SHARED_MEMORY(memory);
  auto& own = *reinterpret_cast<SubstreamMemory<member_segment_bits>*>(memory);
  const PieceOfBlock place = piece_of_slot(work, blockIdx.x);
  const stage::BlockOnDevice block = work.frame.block(place.block, work.output);
  MemberPiece piece{};
  if (place.piece < pieces_of(work, block)) {
    const CodedChunk chunk = byte_chunk(block);
    const std::uint64_t begin = std::uint64_t{place.piece} << (work.piece_shift + 3);
    const std::uint64_t end = end_of_range(work, begin);
    const std::uint64_t bit = begin == 0 ? 0 : find_section(chunk, begin, end, own.tables);
    if (bit < end) piece = count_piece(work, chunk, bit, own);
    piece.is_found = true;
  }
  if (lane_number() == 0) work.pieces[blockIdx.x] = piece;
}

// A warp for each block, a thread block each: a piece begins where the one before ends. Where another begin
// was found, or none, the piece is looked at again. Pieces are used up to the first with a mistake.
__global__ void join_pieces(MemberWork work) {
  GSST_SHARED_MEMORY(memory);
  auto& own = *reinterpret_cast<SubstreamMemory<member_segment_bits>*>(memory);
  const stage::BlockOnDevice block = work.frame.block(blockIdx.x, work.output);
  const std::uint32_t count = pieces_of(work, block);
  if (count == 0) return;
  const CodedChunk chunk = byte_chunk(block);
  MemberPiece* const pieces = work.pieces + first_slot(work, blockIdx.x);
  std::uint64_t bit = 0;
  std::uint32_t place = 0;
  std::uint32_t alone = 0;
  for (std::uint32_t number = 0;;) {
    MemberPiece piece = pieces[number];
    if (!piece.is_right || piece.begin_bit != bit) piece = count_piece(work, chunk, bit, own);
    const auto next = static_cast<std::uint32_t>(piece.end_bit >> (work.piece_shift + 3));
    const std::uint32_t left = chunk.values - place;
    piece.place = place;
    piece.is_used = piece.is_right && has_room(work, piece.bytes) &&
                    (piece.is_last ? piece.bytes == left : piece.bytes <= left && next < count);
    // All have read it.
    __syncwarp();
    if (lane_number() == 0) pieces[number] = piece;
    if (!piece.is_used) alone = ~number;
    if (!piece.is_used || piece.is_last) break;
    bit = piece.end_bit;
    place += piece.bytes;
    number = next;
  }
  if (lane_number() == 0) work.decoded_alone[blockIdx.x] = alone;
}

// One warp: numbers the pieces that are used, and gives each its place in the planes.
__global__ void order_pieces(MemberWork work) {
  const std::uint32_t lane = lane_number();
  std::uint64_t bytes_before = 0;
  std::uint32_t used_before = 0;
  if (lane == 0) work.batch_begin[0] = 0;
  for (std::uint32_t first = 0; first < work.slot_count; first += lanes_of_warp) {
    const std::uint32_t slot = first + lane;
    const bool is_used = slot < work.slot_count && work.pieces[slot].is_used;
    const std::uint64_t bytes = is_used ? plane_bytes_of(work.pieces[slot].bytes) : 0;
    const std::uint64_t sum = sum_up_to_lane(bytes);
    const std::uint32_t used = __ballot_sync(every_lane, is_used);
    const std::uint64_t end = bytes_before + sum;
    if (is_used) {
      const std::uint64_t batch = (end - bytes) / work.batch_bytes;
      const std::uint32_t number = used_before + count_of_ones(used & lower_lanes());
      work.pieces[slot].plane_offset = (end - bytes) % work.batch_bytes;
      work.order[number] = slot;
      // No piece has as many bytes as a batch.
      if (end / work.batch_bytes != batch) work.batch_begin[batch + 1] = number + 1;
    }
    bytes_before = __shfl_sync(every_lane, end, lanes_of_warp - 1);
    used_before += count_of_ones(used);
  }
  for (std::uint64_t batch = bytes_before / work.batch_bytes + 1 + lane; batch <= work.batch_count;
       batch += lanes_of_warp) {
    work.batch_begin[batch] = used_before;
  }
}

}  // namespace
}  // namespace gsst::codag
