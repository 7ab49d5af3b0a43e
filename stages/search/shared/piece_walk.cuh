#pragma once

#include <cstdint>

#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/search_on_device.hpp"

// How thread blocks and their warps share the pieces of a frame.
namespace gsst::search::kernels {
namespace {

// Of a thread block. With 1024 a thread has 64 registers, which are too few for stage 04: for each tile a
// lane then writes six words to local memory, three quarters of the bytes that a tile of 8-bit codes has.
// With 896 it has 72.
constexpr std::uint32_t most_threads = 896;

// Lane 0 takes the next piece of a segment; the others get 0.
__device__ __forceinline__ unsigned ask_for_piece(unsigned* next_piece, std::uint32_t lane) {
  return lane == 0 ? atomicAdd(next_piece, 1u) : 0;
}

// Goes through the pieces of all segments of this shape, the thread blocks together. `Work` has
//   load_table(block)          the thread block loads the table that `block` holds
//   begin_piece(piece, tile)   a warp goes on with `piece`, whose first tile `tile` points to
//   tile(codes, block, tile)   a warp searches the next tile; whether it has to verify before it goes on
//   verify(block, tile)        it does, after that tile
//   end_segment()              a warp has no piece left for this table
//   end()                      a warp has no piece left
// A thread block begins with another segment than its neighbours: where there are many, each is searched by
// one that has loaded its table, and who has none left helps with those of others. The codes of the next tile
// are loaded while one is searched, and once more after verify(): it calls functions, which need the
// registers. `has_pieces` is a word of shared memory.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned, typename Work>
__device__ __forceinline__ void walk_pieces(const SearchOnDevice& search, std::uint32_t* has_pieces,
                                            Work& work) {
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t segment_count = *search.segment_count;
  const auto first_segment =
      static_cast<std::uint32_t>(std::uint64_t{segment_count} * blockIdx.x / gridDim.x);
  for (std::uint32_t i = 0; i < segment_count; ++i) {
    const std::uint32_t number = (first_segment + i) % segment_count;
    const Segment segment = search.segments[number];
    if (segment.shape_bit != format::tile_shape_bit(Codes::shape())) continue;
    unsigned* const next_piece = search.next_pieces + number;
    // Nobody uses the table of the segment before any more.
    __syncthreads();
    if (threadIdx.x == 0) *has_pieces = atomicAdd(next_piece, 0u) < segment.piece_count ? 1 : 0;
    __syncthreads();
    if (*has_pieces == 0) continue;
    work.load_table(segment.holder);
    __syncthreads();
    std::uint32_t taken = __shfl_sync(all_lanes, ask_for_piece(next_piece, lane), 0);
    if (taken >= segment.piece_count) continue;
    const Piece* const pieces = search.pieces + segment.first_piece;
    Codes codes;
    codes.template load<Aligned>(search.frame + pieces[taken].offset, lane);
    while (taken < segment.piece_count) {
      // What is needed of a piece is loaded again here: it would take registers while the one before is
      // searched.
      const Piece piece = pieces[taken];
      const unsigned asked = ask_for_piece(next_piece, lane);
      const std::uint8_t* next_tile = search.frame + piece.offset;
      work.begin_piece(piece, next_tile);
      taken = __shfl_sync(all_lanes, asked, 0);
      const std::uint8_t* const next_piece_tile =
          taken < segment.piece_count ? search.frame + pieces[taken].offset : next_tile;
      // Verifies outside of the loop over tiles: what the calls do to registers is paid there.
      for (std::uint32_t tile = piece.first_tile; tile < piece.end_tile; ++tile) {
        bool has_to_verify = false;
        while (true) {
          next_tile = tile + 1 == piece.end_tile ? next_piece_tile : next_tile + Codes::shape().bytes();
          Codes next_codes;
          next_codes.template load<Aligned>(next_tile, lane);
          has_to_verify = work.tile(codes, piece.block, tile);
          codes = next_codes;
          if (has_to_verify || tile + 1 == piece.end_tile) break;
          ++tile;
        }
        if (!has_to_verify) continue;
        work.verify(piece.block, tile);
        codes.template load<Aligned>(next_tile, lane);
      }
    }
    work.end_segment();
  }
  work.end();
}

}  // namespace
}  // namespace gsst::search::kernels
