#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// Step 3: stage 03, a thread block decodes several packed blocks, into the sum.
namespace gsst::tile_integer::registers_of_many_blocks {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of threads_of_partial_sums threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with bytes_of_partial_sums and staged_tile_bytes() of shared memory.
__global__ void sum_tiles(stage::FrameOnDevice frame, PartialSums sums, std::uint32_t part_bytes,
                          std::uint32_t blocks_of_tile) {
  GSST_SHARED_MEMORY(memory);
  // There is no output: what would be its address is not used.
  const FramePart part(frame, memory, part_bytes);
  if (!part.has_values()) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  const std::uint32_t values = payload.values();
  const std::uint32_t count = packed_blocks_of(part.number(), blocks_of_tile, values);
  // Of all threads or of none: barriers follow.
  if (count == 0) return;
  const StagedTile tile = stage_tile(payload, part.number() * blocks_of_tile, count,
                                     reinterpret_cast<std::uint32_t*>(memory + bytes_of_partial_sums));
  __syncthreads();
  std::uint32_t sum = 0;
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    const std::uint64_t index =
        std::uint64_t{tile.first_packed_block + block} * packed_block_values + threadIdx.x;
    if (index >= values) break;
    sum += static_cast<std::uint32_t>(
        decode_value(tile.words, tile.starts[block], threadIdx.x, type.reference_words));
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer::registers_of_many_blocks
