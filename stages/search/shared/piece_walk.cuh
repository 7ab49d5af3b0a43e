#pragma once

#include <cstdint>

#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/search_on_device.hpp"

// How thread blocks and their warps share the pieces of a frame.
namespace gsst::search::kernels {
namespace {

// Lane 0 takes the next piece of a segment; the others get 0.
__device__ __forceinline__ unsigned ask_for_piece(unsigned* next_piece, std::uint32_t lane) {
  return lane == 0 ? atomicAdd(next_piece, 1u) : 0;
}

// A piece as the warp that has taken it sees it.
struct TakenPiece {
  std::uint32_t block;
  std::uint32_t first_tile;
  // Behind its last tile.
  std::uint32_t end_tile;
  // Its first tile in memory.
  const std::uint8_t* tiles;
};

__device__ __forceinline__ TakenPiece taken_piece(const SearchOnDevice& search, std::uint32_t number) {
  const Piece piece = search.pieces[number];
  const SearchedBlock& block = search.blocks[piece.block];
  const std::uint32_t tiles = block.tile_count();
  return {.block = piece.block,
          .first_tile = piece.first_tile,
          .end_tile = tiles - piece.first_tile < piece_tiles ? tiles : piece.first_tile + piece_tiles,
          .tiles = search.frame + block.tile(piece.first_tile)};
}

// Goes through the pieces of all segments of this shape, the thread blocks together. `Work` has
//   load_table(block)          the thread block loads the table that `block` holds
//   begin_piece(block, tile)   a warp goes on with tile `tile` of block `block`
//   tile(codes)                a warp searches the next tile; whether it has to verify before it goes on
//   verify(block, tile)        it does, after that tile
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
    TakenPiece piece = taken_piece(search, segment.first_piece + taken);
    Codes codes;
    codes.template load<Aligned>(piece.tiles, lane);
    while (taken < segment.piece_count) {
      const unsigned asked = ask_for_piece(next_piece, lane);
      work.begin_piece(piece.block, piece.first_tile);
      taken = __shfl_sync(all_lanes, asked, 0);
      const TakenPiece next =
          taken < segment.piece_count ? taken_piece(search, segment.first_piece + taken) : piece;
      for (std::uint32_t tile = piece.first_tile; tile < piece.end_tile; ++tile) {
        const bool is_last = tile + 1 == piece.end_tile;
        piece.tiles += Codes::shape().bytes();
        Codes next_codes;
        next_codes.template load<Aligned>(is_last ? next.tiles : piece.tiles, lane);
        if (work.tile(codes)) {
          work.verify(piece.block, tile);
          next_codes.template load<Aligned>(is_last ? next.tiles : piece.tiles, lane);
        }
        codes = next_codes;
      }
      piece = next;
    }
  }
  work.end();
}

}  // namespace
}  // namespace gsst::search::kernels
