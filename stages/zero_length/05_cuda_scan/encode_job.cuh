#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"
#include "stages/zero_length/05_cuda_scan/encode_chunk.cuh"

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

// A block of the format.
struct BlockPlace {
  // From the file's first byte to the block's elements or bytes.
  std::uint64_t payload_offset;
  std::uint32_t payload_bytes;
  format::BlockLayout layout;
};

// All pointers are in the executor's memory. A tile is what a thread block encodes: part of one block,
// chunks_of_thread chunks for each thread.
struct EncodeJob {
  InputRange input;
  std::uint64_t block_bytes;
  std::uint32_t block_count;
  std::uint32_t tile_bytes;
  std::uint32_t tiles_per_block;
  std::uint32_t tile_count;
  std::uint8_t* output;
  // Tiles that have begun; blocks are counted by the second.
  unsigned* tickets;
  // Look-back states of each tile: bytes of elements, and zeros at the end.
  std::uint64_t* tile_bytes_states;
  std::uint64_t* tile_zeros_states;
  // Look-back states of each thread block that places blocks.
  std::uint64_t* places_states;
  // Of each tile and block where the input is read twice.
  TilePlace* tiles;
  std::uint32_t* block_elements;
  BlockPlace* blocks;
  std::uint32_t* status;
  std::uint64_t* file_bytes;

  GSST_HOST_DEVICE std::uint64_t input_bytes() const {
    return static_cast<std::uint64_t>(input.end - input.begin);
  }
  GSST_HOST_DEVICE std::uint64_t block_begin(std::uint32_t block) const { return block * block_bytes; }
  // Uncompressed bytes of a block.
  GSST_HOST_DEVICE std::uint32_t bytes_of_block(std::uint32_t block) const {
    const std::uint64_t left = input_bytes() - block_begin(block);
    return static_cast<std::uint32_t>(left < block_bytes ? left : block_bytes);
  }
  // The number of the block's first tile, or of all tiles where the block comes after the last one.
  GSST_HOST_DEVICE std::uint32_t first_tile(std::uint32_t block) const {
    return block < block_count ? block * tiles_per_block : tile_count;
  }
};

}  // namespace
}  // namespace gsst::zero_length::encoder
