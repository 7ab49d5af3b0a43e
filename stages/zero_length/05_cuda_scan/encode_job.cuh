#pragma once

#include <cstdint>

#include "common/format/host_device.hpp"
#include "stages/zero_length/05_cuda_scan/encode_chunk.cuh"
#include "stages/zero_length/shared/encoded_blocks.cuh"

// What the kernels of an encoding share: how the input is cut, and what is kept of its parts.
namespace gsst::zero_length::encoder {
namespace {

// Where a tile's elements go, known once the sizes of all are.
struct TilePlace {
  // From the first byte of the block's elements.
  std::uint32_t offset;
  // Zeros of a piece before the tile.
  std::uint32_t zeros_before;
};

// All pointers are in the executor's memory. A tile is what a thread block encodes: part of one block,
// chunks_of_thread chunks for each thread.
struct EncodeJob : EncodedBlocks {
  std::uint32_t tile_bytes;
  std::uint32_t tiles_per_block;
  std::uint32_t tile_count;
  // Tiles that have begun; blocks are counted by the second.
  unsigned* tickets;
  // Look-back states of each tile: bytes of elements, and zeros at the end.
  std::uint64_t* tile_bytes_states;
  std::uint64_t* tile_zeros_states;
  // Look-back states of each thread block that places blocks.
  std::uint64_t* places_states;
  // Of each tile where the input is read twice.
  TilePlace* tiles;

  GSST_HOST_DEVICE InputRange input_range() const { return {.begin = input, .end = input + input_bytes}; }
  // The number of the block's first tile, or of all tiles where the block comes after the last one.
  GSST_HOST_DEVICE std::uint32_t first_tile(std::uint32_t block) const {
    return block < block_count ? block * tiles_per_block : tile_count;
  }
};

}  // namespace
}  // namespace gsst::zero_length::encoder
