#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/sum_tiles.cuh"
#include "stages/tile_integer/shared/sum_words.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// How a warp sums packed blocks, in the kernels of shared/sum_tiles.cuh.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;

// The sum of the lane's miniblock, four values at a time. `unpack` is one of the functions that unpack four.
template <typename Unpack>
__device__ inline std::uint32_t sum_by_fours(const LaneBlock<4>& block, Unpack&& unpack) {
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < miniblock_values; i += 4) {
    std::uint32_t values[4];
    unpack(block.miniblock, i * block.width, block.width, values);
#pragma unroll
    for (const std::uint32_t value : values) sum += block.reference + value;
  }
  return sum;
}

// As unpack_any(), which reads five words whatever the width: lanes read those alone that four values of
// their width may reach. Miniblocks of different widths begin anywhere, so that each read of all lanes takes
// several passes over the banks of shared memory, and fewer with fewer lanes.
__device__ inline void unpack_of_words_in_use(const std::uint32_t* words, std::uint32_t bit,
                                              std::uint32_t width, std::uint32_t* values) {
  const std::uint32_t* const own = words + bit / 32;
  constexpr std::uint32_t most_words = 5;
  std::uint32_t read[most_words] = {own[0], own[1]};
#pragma unroll
  for (std::uint32_t i = 2; i < most_words; ++i) {
    if (4 * width + 31 > 32 * i) read[i] = own[i];
  }
  unpack_any(read, bit % 32, width, values);
}

// All lanes: the sum of the lane's miniblock. Lanes vote once for how all of them unpack theirs.
__device__ inline std::uint32_t sum_miniblock(const LaneBlock<4>& block) {
  const std::uint32_t width = __shfl_sync(every_lane, block.width, 0);
  if (__all_sync(every_lane, block.width == width)) {
    return sum_words<1>(width, block.miniblock, block.reference);
  }
  if (__all_sync(every_lane, block.width <= 8)) return sum_by_fours(block, unpack_up_to_8);
  if (__all_sync(every_lane, block.width <= 16)) return sum_by_fours(block, unpack_up_to_16);
  if (__all_sync(every_lane, block.width > 16)) return sum_by_fours(block, unpack_above_16);
  return sum_by_fours(block, unpack_of_words_in_use);
}

// The layout of format `for` (shared/sum_tiles.cuh). A lane takes a miniblock, the warp eight packed blocks.
struct PackedSums {
  static constexpr std::uint32_t unit_values = packed_block_values;
  static constexpr std::uint32_t most_words = 2 + miniblocks_of_packed_block * 32;
  static constexpr std::uint32_t usual_units = 16;

  __device__ static std::uint32_t sum_units(const std::uint32_t* words, std::uint32_t lane_offset,
                                            std::uint32_t first, std::uint32_t end, std::uint32_t values) {
    constexpr std::uint32_t blocks_of_step = lanes_of_warp / miniblocks_of_packed_block;
    const std::uint32_t whole_blocks = values / packed_block_values;
    const std::uint32_t whole_end = end < whole_blocks ? end : whole_blocks;
    const std::uint32_t index = lane_number() % miniblocks_of_packed_block * miniblock_values;
    std::uint32_t sum = 0;
#pragma unroll 1
    for (; first < whole_end; first += blocks_of_step) {
      const std::uint32_t own = first + lane_number() / miniblocks_of_packed_block;
      // A lane without a packed block reads the first one.
      const bool exists = own < whole_end;
      const std::uint32_t offset =
          __shfl_sync(every_lane, lane_offset, static_cast<int>(exists ? own : first));
      const std::uint32_t of_miniblock = sum_miniblock(LaneBlock<4>(words + offset, index));
      if (exists) sum += of_miniblock;
    }
    // Of the frame block's last packed block there may be a part, and what follows it is not to be summed.
    if (end > whole_blocks) {
      const std::uint32_t offset = __shfl_sync(every_lane, lane_offset, static_cast<int>(whole_blocks));
      for (std::uint32_t i = lane_number(); i < values % packed_block_values; i += lanes_of_warp) {
        sum += static_cast<std::uint32_t>(decode_value(StagedWords(words, 0), offset, i, 1));
      }
    }
    return sum;
  }
};

}  // namespace
}  // namespace gsst::tile_integer
