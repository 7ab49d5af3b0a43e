#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Step 3: a lane takes neighbours and stores 16 bytes of them at once.
namespace gsst::tile_integer::vector_stores {
namespace {

// The lane's values without the reference, in one way for all widths.
template <std::uint32_t ValueBytes>
__device__ inline LaneValues<ValueBytes> unpack(const LaneBlock<ValueBytes>& block) {
  LaneValues<ValueBytes> lane;
  if constexpr (ValueBytes == 8) {
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_lane<8>; ++i) {
      lane.values[i] = unpack_long(block.miniblock, block.bit + i * block.width, block.width);
    }
  } else {
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_lane<ValueBytes>; i += 4) {
      unpack_any(block.miniblock, block.bit + i * block.width, block.width, lane.values + i);
    }
  }
  return lane;
}

// As that of step 1.
template <std::uint32_t ValueBytes, bool IsAligned>
__global__ void decode_tiles(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                             WarpTileShape shape) {
  GSST_SHARED_MEMORY(memory);
  WarpTile tile;
  if (!find_tile<ValueBytes, IsAligned>(frame, output, status, shape, tile)) return;
  const std::uint32_t* const words = bulk_copy_words<IsAligned>(tile, memory + tile.warp * shape.warp_bytes);
  decode_steps<ValueBytes>(tile, words, [](const LaneBlock<ValueBytes>& block) { return unpack(block); });
}

}  // namespace
}  // namespace gsst::tile_integer::vector_stores
