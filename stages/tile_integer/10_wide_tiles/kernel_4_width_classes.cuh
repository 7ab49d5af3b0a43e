#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// Step 4: the widths of a packed block choose how it is unpacked.
namespace gsst::tile_integer::width_classes {
namespace {

// 32 registers a thread at most, so that a multiprocessor has 64 warps; 40 where a lane has 16 values.
constexpr int most_threads = 256;
template <std::uint32_t ValueBytes>
constexpr int blocks_at_once = ValueBytes == 1 ? 6 : 8;

// As that of step 1.
template <std::uint32_t ValueBytes, bool IsAligned>
__global__ void __launch_bounds__(most_threads, blocks_at_once<ValueBytes>)
    decode_tiles(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                 WarpTileShape shape) {
  GSST_SHARED_MEMORY(memory);
  WarpTile tile;
  if (!find_tile<ValueBytes, IsAligned>(frame, output, status, shape, tile)) return;
  const std::uint32_t* const words = bulk_copy_words<IsAligned>(tile, memory + tile.warp * shape.warp_bytes);
  decode_steps<ValueBytes>(tile, words,
                           [](const LaneBlock<ValueBytes>& block) { return unpack_by_class(block); });
}

}  // namespace
}  // namespace gsst::tile_integer::width_classes
