#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Step 1: a warp decodes a tile and ends. No warp waits for another one.
namespace gsst::tile_integer::warp_tiles {
namespace {

// A warp for each tile, with `shape.warp_bytes` of shared memory: decodes blocks of values of `ValueBytes`
// bytes.
template <std::uint32_t ValueBytes, bool IsAligned>
__global__ void decode_tiles(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                             WarpTileShape shape) {
  GSST_SHARED_MEMORY(memory);
  WarpTile tile;
  if (!find_tile<ValueBytes, IsAligned>(frame, output, status, shape, tile)) return;
  const std::uint32_t lane = lane_number();
  const StagedWords words(copy_words(tile, memory + tile.warp * shape.warp_bytes), 0);
  std::uint8_t* const tile_output = tile.output<ValueBytes>();
  // All lanes go on to the end: they tell each other where packed blocks start.
  for (std::uint32_t first = 0; first < tile.values; first += lanes_of_warp) {
    constexpr std::uint32_t packed = format::tile_integer::packed_block_values;
    const std::uint32_t start = tile.offset(first / packed);
    const std::uint32_t index = first + lane;
    if (index >= tile.values) continue;
    store_value(tile_output + std::uint64_t{index} * ValueBytes,
                decode_value(words, start, index % packed, reference_words_of<ValueBytes>), ValueBytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer::warp_tiles
