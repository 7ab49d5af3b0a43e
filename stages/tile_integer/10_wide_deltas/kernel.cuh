#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// Differences are summed in registers: in the lane first, then over the warp.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_blocks_of_chain;

// Steps that are summed next to each other: their shuffles do not wait for one another. 16 words of values a
// lane; a chain, or half of one with values of 8 bytes.
template <std::uint32_t ValueBytes>
constexpr std::uint32_t steps_of_group = ValueBytes < 4 ? ValueBytes : 4;
template <std::uint32_t ValueBytes>
constexpr std::uint32_t groups_of_chain = format::tile_integer::chain_values /
                                          (steps_of_group<ValueBytes> * values_of_step<ValueBytes>);

// The lane's differences of a step. Of a packed block that does not exist they are others: it comes after all
// that exist, so that no sum has them.
template <std::uint32_t ValueBytes>
__device__ inline LaneValues<ValueBytes> differences_of(const WarpTile& tile, const std::uint32_t* words,
                                                        std::uint32_t step, bool is_whole) {
  const LanePlace<ValueBytes> place(step);
  const bool exists = is_whole || place.packed_block < tile.packed_blocks;
  const std::uint32_t packed_block = exists ? place.packed_block : tile.packed_blocks - 1;
  // A chain's first packed block starts with its base. A tile begins with a chain.
  const bool follows_base = packed_block % packed_blocks_of_chain == 0;
  const std::uint32_t offset =
      tile.offset(packed_block) + (follows_base ? reference_words_of<ValueBytes> : 0);
  const LaneBlock<ValueBytes> block(words + offset, place.index);
  LaneValues<ValueBytes> lane = unpack_by_class(block);
#pragma unroll
  for (NumberOf<ValueBytes>& value : lane.values) value += block.reference;
  return lane;
}

// All lanes: decodes and stores the group of steps that begins with `first_step`. `before` is what is added
// to the first difference; it becomes the group's last value.
template <std::uint32_t ValueBytes>
__device__ inline void decode_group(const WarpTile& tile, const std::uint32_t* words,
                                    const TileOutput<ValueBytes>& output, bool is_whole,
                                    std::uint32_t first_step, NumberOf<ValueBytes>& before) {
  using Number = NumberOf<ValueBytes>;
  constexpr std::uint32_t steps = steps_of_group<ValueBytes>;
  constexpr std::uint32_t last = values_of_lane<ValueBytes> - 1;
  LaneValues<ValueBytes> values[steps];
  Number sums[steps];
#pragma unroll
  for (std::uint32_t i = 0; i < steps; ++i) {
    values[i] = differences_of<ValueBytes>(tile, words, first_step + i, is_whole);
#pragma unroll
    for (std::uint32_t k = 1; k <= last; ++k) values[i].values[k] += values[i].values[k - 1];
    sums[i] = values[i].values[last];
  }
  warp_inclusive_sums(sums);
#pragma unroll
  for (std::uint32_t i = 0; i < steps; ++i) {
    const Number added = before + sums[i] - values[i].values[last];
#pragma unroll
    for (Number& value : values[i].values) value += added;
    before += __shfl_sync(every_lane, sums[i], static_cast<int>(lanes_of_warp - 1));
    if (is_whole) {
      output.store_whole(first_step + i, values[i]);
    } else {
      output.store(first_step + i, values[i]);
    }
  }
}

// All lanes: decodes and stores the chains of a tile.
template <std::uint32_t ValueBytes>
__device__ inline void decode_chains_of(const WarpTile& tile, const std::uint32_t* words,
                                        const TileOutput<ValueBytes>& output, bool is_whole) {
  for (std::uint32_t block = 0; block < tile.packed_blocks; block += packed_blocks_of_chain) {
    const std::uint32_t* const base = words + tile.offset(block);
    NumberOf<ValueBytes> before = base[0];
    if constexpr (ValueBytes == 8) before |= std::uint64_t{base[1]} << 32;
    constexpr std::uint32_t steps_of_chain = groups_of_chain<ValueBytes> * steps_of_group<ValueBytes>;
    const std::uint32_t first_step = block / packed_blocks_of_chain * steps_of_chain;
#pragma unroll
    for (std::uint32_t step = 0; step < steps_of_chain; step += steps_of_group<ValueBytes>) {
      decode_group(tile, words, output, is_whole, first_step + step, before);
    }
  }
}

// 32 registers a thread, so that a multiprocessor has 64 warps; 40 and 48 warps with values of 8 bytes, whose
// sums would be spilled. The compiler would take 48.
constexpr int most_threads = 256;
template <std::uint32_t ValueBytes>
constexpr int blocks_at_once = ValueBytes == 8 ? 6 : 8;

// A warp for each tile, of whole chains, with `shape.warp_bytes` of shared memory: decodes blocks of values
// of `ValueBytes` bytes.
template <std::uint32_t ValueBytes, bool IsAligned>
__global__ void __launch_bounds__(most_threads, blocks_at_once<ValueBytes>)
    decode_chains(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                  WarpTileShape shape) {
  GSST_SHARED_MEMORY(memory);
  WarpTile tile;
  if (!find_tile<ValueBytes, IsAligned>(frame, output, status, shape, tile)) return;
  const std::uint32_t* const words = bulk_copy_words<IsAligned>(tile, memory + tile.warp * shape.warp_bytes);
  const TileOutput<ValueBytes> tile_output(tile);
  // A chain that is cut has packed blocks that do not exist.
  const bool is_whole = tile_output.has_whole_groups(1) && tile.packed_blocks % packed_blocks_of_chain == 0;
  if (is_whole) {
    decode_chains_of(tile, words, tile_output, true);
  } else {
    decode_chains_of(tile, words, tile_output, false);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
