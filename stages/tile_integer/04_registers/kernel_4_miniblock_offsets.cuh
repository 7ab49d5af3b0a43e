#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// Step 4: stage 04, where miniblocks are is computed once for a tile, and values go into the sum.
namespace gsst::tile_integer::registers_of_miniblocks {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;

// Thread blocks of threads_of_partial_sums threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with bytes_of_partial_sums, a Miniblock for each of its miniblocks and then
// staged_tile_bytes() in shared memory.
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
  auto* const miniblocks = reinterpret_cast<Miniblock*>(memory + bytes_of_partial_sums);
  auto* const staged =
      reinterpret_cast<std::uint32_t*>(miniblocks + miniblocks_of_packed_block * blocks_of_tile);
  const StagedTile tile = stage_tile(payload, part.number() * blocks_of_tile, count, staged);
  __syncthreads();
  if (threadIdx.x < miniblocks_of_packed_block * count) {
    const std::uint32_t start = tile.starts[threadIdx.x / miniblocks_of_packed_block];
    miniblocks[threadIdx.x] =
        Miniblock(tile.words.word(start + type.reference_words), threadIdx.x % miniblocks_of_packed_block);
  }
  __syncthreads();
  std::uint32_t sum = 0;
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    const std::uint64_t index =
        std::uint64_t{tile.first_packed_block + block} * packed_block_values + threadIdx.x;
    if (index >= values) break;
    const Miniblock& miniblock =
        miniblocks[block * miniblocks_of_packed_block + threadIdx.x / miniblock_values];
    const std::uint64_t difference =
        extract_bits(tile.words, tile.starts[block] + type.reference_words + 1 + miniblock.offset,
                     threadIdx.x % miniblock_values * miniblock.width, miniblock.width);
    sum += static_cast<std::uint32_t>(reference_of(tile.words, tile.starts[block], type.reference_words) +
                                      difference);
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer::registers_of_miniblocks
