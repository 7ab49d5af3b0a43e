#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// Where miniblocks are is computed once for a tile (paper, section 4.2, optimization 3): GPU-FOR.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with as many times most_staged_bytes() of shared memory, the tile's starts, and a Miniblock
// for each of its miniblocks.
__global__ void decode_tiles(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                             std::uint32_t part_bytes, std::uint32_t blocks_of_tile) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.exists()) return;
  part.report(status);
  if (part.is_raw()) {
    part.copy_raw();
    return;
  }
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint32_t values = payload.values();
  const std::uint32_t packed_blocks = (values + packed_block_values - 1) / packed_block_values;
  const std::uint32_t first = part.number() * blocks_of_tile;
  // Of all threads or of none: barriers follow.
  if (first >= packed_blocks) return;
  const std::uint32_t count = packed_blocks - first < blocks_of_tile ? packed_blocks - first : blocks_of_tile;
  auto* const starts = reinterpret_cast<std::uint32_t*>(memory);
  if (threadIdx.x <= count) starts[threadIdx.x] = payload.start(first + threadIdx.x);
  __syncthreads();
  auto* const miniblocks = reinterpret_cast<Miniblock*>(starts + blocks_of_tile + 1);
  auto* const staged =
      reinterpret_cast<std::uint32_t*>(miniblocks + miniblocks_of_packed_block * blocks_of_tile);
  const StagedWords words = stage_words(payload, starts[0], starts[count], staged);
  __syncthreads();
  if (threadIdx.x < miniblocks_of_packed_block * count) {
    const std::uint32_t widths =
        words.word(starts[threadIdx.x / miniblocks_of_packed_block] + type.reference_words);
    miniblocks[threadIdx.x] = Miniblock(widths, threadIdx.x % miniblocks_of_packed_block);
  }
  __syncthreads();
  for (std::uint32_t block = 0; block < count; ++block) {
    const std::uint64_t index = std::uint64_t{first + block} * packed_block_values + threadIdx.x;
    if (index >= values) return;
    const Miniblock& miniblock =
        miniblocks[block * miniblocks_of_packed_block + threadIdx.x / miniblock_values];
    const std::uint64_t difference =
        extract_bits(words, starts[block] + type.reference_words + 1 + miniblock.offset,
                     threadIdx.x % miniblock_values * miniblock.width, miniblock.width);
    store_value(part.block().output + index * type.value_bytes,
                reference_of(words, starts[block], type.reference_words) + difference, type.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
