#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// One width for all of a packed block, and values go into the sum (paper, section 4.3).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of threads_of_partial_sums threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with bytes_of_partial_sums and staged_tile_bytes() of shared memory.
__global__ void sum_one_width_tiles(stage::FrameOnDevice frame, PartialSums sums, std::uint32_t part_bytes,
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
  auto* const staged = reinterpret_cast<std::uint32_t*>(memory + bytes_of_partial_sums);
  const StagedTile tile = stage_tile(payload, part.number() * blocks_of_tile, count, staged);
  __syncthreads();
  std::uint32_t sum = 0;
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    const std::uint64_t index =
        std::uint64_t{tile.first_packed_block + block} * packed_block_values + threadIdx.x;
    if (index >= values) break;
    const std::uint32_t widths = tile.starts[block] + type.reference_words;
    // All four are the same.
    const std::uint32_t width = tile.words.word(widths) & 0xff;
    const std::uint64_t difference = extract_bits(tile.words, widths + 1, threadIdx.x * width, width);
    sum += static_cast<std::uint32_t>(reference_of(tile.words, tile.starts[block], type.reference_words) +
                                      difference);
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer
