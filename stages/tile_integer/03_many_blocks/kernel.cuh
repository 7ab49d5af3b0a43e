#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// A thread block decodes several packed blocks (paper, section 4.2, optimization 2).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with staged_tile_bytes() of shared memory.
__global__ void decode_tiles(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                             std::uint32_t part_bytes, std::uint32_t blocks_of_tile) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint32_t values = payload.values();
  const std::uint32_t count = packed_blocks_of(part.number(), blocks_of_tile, values);
  // Of all threads or of none: barriers follow.
  if (count == 0) return;
  const StagedTile tile =
      stage_tile(payload, part.number() * blocks_of_tile, count, reinterpret_cast<std::uint32_t*>(memory));
  __syncthreads();
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    const std::uint64_t index =
        std::uint64_t{tile.first_packed_block + block} * packed_block_values + threadIdx.x;
    if (index >= values) return;
    store_value(part.block().output + index * type.value_bytes,
                decode_value(tile.words, tile.starts[block], threadIdx.x, type.reference_words),
                type.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
