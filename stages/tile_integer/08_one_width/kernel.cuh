#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// One width for all of a packed block: nothing is there to be found out before a value's bits (paper, section
// 4.3).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with staged_tile_bytes() in shared memory.
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
  auto* const staged = reinterpret_cast<std::uint32_t*>(memory);
  const StagedTile tile = stage_tile(payload, part.number() * blocks_of_tile, count, staged);
  __syncthreads();
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    const std::uint64_t index =
        std::uint64_t{tile.first_packed_block + block} * packed_block_values + threadIdx.x;
    if (index >= values) return;
    const std::uint32_t widths = tile.starts[block] + type.reference_words;
    // All four are the same.
    const std::uint32_t width = tile.words.word(widths) & 0xff;
    const std::uint64_t difference = extract_bits(tile.words, widths + 1, threadIdx.x * width, width);
    store_value(part.block().output + index * type.value_bytes,
                reference_of(tile.words, tile.starts[block], type.reference_words) + difference,
                type.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
