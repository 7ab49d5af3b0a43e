#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// A tile, several packed blocks that a thread block decodes, in shared memory (paper, section 4.2,
// optimization 2).
namespace gsst::tile_integer {
namespace {

struct StagedTile {
  // Of the tile in its block.
  std::uint32_t first_packed_block;
  std::uint32_t packed_blocks;
  // In words of the payload, with the end of the last packed block.
  const std::uint32_t* starts;
  StagedWords words;
};

// Packed blocks of the tile `part`, of `blocks_of_tile` or fewer: none where the last tile of a block is
// before it.
__device__ inline std::uint32_t packed_blocks_of(std::uint32_t part, std::uint32_t blocks_of_tile,
                                                 std::uint32_t values) {
  constexpr std::uint32_t packed = format::tile_integer::packed_block_values;
  const std::uint32_t all = (values + packed - 1) / packed;
  const std::uint32_t first = part * blocks_of_tile;
  if (first >= all) return 0;
  return all - first < blocks_of_tile ? all - first : blocks_of_tile;
}

// All threads of the block, more than `packed_blocks`, which is not 0: copies starts and words to `memory`,
// which has staged_tile_bytes(). Nobody waits for the words.
__device__ inline StagedTile stage_tile(const ForPayload& payload, std::uint32_t first_packed_block,
                                        std::uint32_t packed_blocks, std::uint32_t* memory) {
  if (threadIdx.x <= packed_blocks) memory[threadIdx.x] = payload.start(first_packed_block + threadIdx.x);
  __syncthreads();
  return {first_packed_block, packed_blocks, memory,
          stage_words(payload, memory[0], memory[packed_blocks], memory + packed_blocks + 1)};
}

// On the host.

inline std::size_t staged_tile_bytes(const stage::FrameOnDevice& frame, std::uint32_t blocks_of_tile) {
  return (std::size_t{blocks_of_tile} + 1) * sizeof(std::uint32_t) +
         blocks_of_tile * most_staged_bytes(frame);
}

}  // namespace
}  // namespace gsst::tile_integer
