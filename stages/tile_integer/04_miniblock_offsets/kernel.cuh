#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// Where miniblocks are is computed once for a tile (paper, section 4.2, optimization 3): GPU-FOR.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with a Miniblock for each of its miniblocks and then staged_tile_bytes() in shared memory.
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
  auto* const miniblocks = reinterpret_cast<Miniblock*>(memory);
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
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    const std::uint64_t index =
        std::uint64_t{tile.first_packed_block + block} * packed_block_values + threadIdx.x;
    if (index >= values) return;
    const Miniblock& miniblock =
        miniblocks[block * miniblocks_of_packed_block + threadIdx.x / miniblock_values];
    const std::uint64_t difference =
        extract_bits(tile.words, tile.starts[block] + type.reference_words + 1 + miniblock.offset,
                     threadIdx.x % miniblock_values * miniblock.width, miniblock.width);
    store_value(part.block().output + index * type.value_bytes,
                reference_of(tile.words, tile.starts[block], type.reference_words) + difference,
                type.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
