#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/10_wide_runs/kernel_run_values.cuh"
#include "stages/tile_integer/10_wide_runs/kernel_streams.cuh"

// A warp expands run blocks: a byte for each value says whether a run begins with it, and the sum of these
// bytes is the number of the run.
namespace gsst::tile_integer::wide_runs {
namespace {

// A warp's shared memory before what a bulk copy needs: values of runs, and heads, which are a byte for each
// value.
template <std::uint32_t ValueBytes>
constexpr std::uint32_t bytes_of_values = run_block_values * sizeof(NumberOf<ValueBytes>);
template <std::uint32_t ValueBytes>
constexpr std::uint32_t bytes_before_copy = bytes_of_values<ValueBytes> + run_block_values;

// All lanes: sets the heads of a step's runs to 1. The lane has `left` runs, or more than it can have, or
// less than 1; `lengths` are without their reference. `before` values precede those of the step, and the
// result is how many precede those of the next one. Lengths after the last run are anything: no run has them
// before it.
__device__ inline std::uint32_t mark_heads(const std::uint32_t (&lengths)[runs_of_lane],
                                           std::uint32_t reference, std::int32_t left, std::uint32_t before,
                                           std::uint8_t* heads) {
  static_assert(runs_of_lane == 4);
  const std::uint32_t of_lane = lengths[0] + lengths[1] + lengths[2] + (lengths[3] + 4 * reference);
  std::uint32_t sums[1] = {of_lane};
  warp_inclusive_sums(sums);
  std::uint32_t head = before + sums[0] - of_lane;
#pragma unroll
  for (std::int32_t i = 0; i < static_cast<std::int32_t>(runs_of_lane); ++i) {
    if (i < left) heads[head] = 1;
    head += lengths[i] + reference;
  }
  return before + __shfl_sync(every_lane, sums[0], static_cast<int>(lanes_of_warp - 1));
}

// All lanes: unpacks the runs of the run block at `words`, at most 128, and marks heads. Streams of so few
// have the form of a packed block, whose four widths are in one word.
template <std::uint32_t ValueBytes, typename Values>
__device__ inline void unpack_few_runs(const std::uint32_t* words, std::uint32_t runs, const Values& values,
                                       std::uint8_t* heads) {
  const std::uint32_t run = lane_number() * runs_of_lane;
  const LaneBlock<ValueBytes> of_values(words + 1, run);
  NumberOf<ValueBytes> own[runs_of_lane];
  unpack_neighbours<ValueBytes, runs_of_lane>(of_values.miniblock, of_values.bit, of_values.width, own);
#pragma unroll
  for (NumberOf<ValueBytes>& value : own) value += of_values.reference;
  values.store(run, own);
  // The highest byte of the product is the sum of the other three.
  const std::uint32_t value_words = (of_values.widths * 0x01010100U >> 24) + (of_values.widths >> 24);
  const LaneBlock<4> of_lengths(words + 1 + reference_words_of<ValueBytes> + 1 + value_words, run);
  std::uint32_t lengths[runs_of_lane];
  unpack_up_to_16(of_lengths.miniblock, of_lengths.bit, of_lengths.width, lengths);
  mark_heads(lengths, of_lengths.reference, static_cast<std::int32_t>(runs - run), 0, heads);
}

// All lanes: the same for any number of runs. A lane without a run unpacks what is at the streams' begin.
template <std::uint32_t ValueBytes, typename Values>
__device__ inline void unpack_many_runs(const RunStreams<ValueBytes>& streams, std::uint32_t runs,
                                        const Values& values, std::uint8_t* heads) {
  const std::uint32_t of_lane = lane_number() * runs_of_lane;
  const std::uint32_t index = of_lane % miniblock_values;
  std::uint32_t before = 0;
#pragma unroll 1
  for (std::uint32_t first = 0; first < runs; first += runs_of_step) {
    const std::uint32_t run = first + of_lane;
    const MiniblockPair miniblocks = streams.own_miniblocks.of_lane(run / miniblock_values);
    NumberOf<ValueBytes> own[runs_of_lane];
    const std::uint32_t value_width = miniblocks.value_width();
    unpack_neighbours<ValueBytes, runs_of_lane>(streams.values + miniblocks.values_before(),
                                                index * value_width, value_width, own);
#pragma unroll
    for (NumberOf<ValueBytes>& value : own) value += streams.value_reference;
    values.store(run, own);
    std::uint32_t lengths[runs_of_lane];
    const std::uint32_t length_width = miniblocks.length_width();
    unpack_up_to_16(streams.lengths + miniblocks.lengths_before(), index * length_width, length_width,
                    lengths);
    before =
        mark_heads(lengths, streams.length_reference, static_cast<std::int32_t>(runs - run), before, heads);
  }
}

// All lanes: stores the values of a run block. `values_of` gives the lane's values of a step.
template <std::uint32_t ValueBytes, typename ValuesOf>
__device__ inline void store_steps(const TileOutput<ValueBytes>& output, ValuesOf&& values_of) {
  constexpr std::uint32_t steps = steps_of_run_block<ValueBytes>;
  if (output.has_whole_groups(steps)) {
#pragma unroll
    for (std::uint32_t step = 0; step < steps; ++step) output.store_whole(step, values_of(step));
  } else {
#pragma unroll 1
    for (std::uint32_t step = 0; step < output.steps(); ++step) output.store(step, values_of(step));
  }
}

// The number of a lane's first value of a step in its run block.
template <std::uint32_t ValueBytes>
__device__ inline std::uint32_t first_value(std::uint32_t step) {
  return step * values_of_step<ValueBytes> + lane_number() * values_of_lane<ValueBytes>;
}

// All lanes: a run block whose runs have one value each is packed as in format `for`.
template <std::uint32_t ValueBytes>
__device__ inline void store_single_values(const RunStreams<ValueBytes>& streams,
                                           const TileOutput<ValueBytes>& output) {
  store_steps(output, [&](std::uint32_t step) {
    const std::uint32_t first = first_value<ValueBytes>(step);
    const MiniblockPair miniblocks = streams.own_miniblocks.of_lane(first / miniblock_values);
    const std::uint32_t width = miniblocks.value_width();
    LaneValues<ValueBytes> lane;
    unpack_neighbours<ValueBytes, values_of_lane<ValueBytes>>(
        streams.values + miniblocks.values_before(), first % miniblock_values * width, width, lane.values);
#pragma unroll
    for (NumberOf<ValueBytes>& value : lane.values) value += streams.value_reference;
    return lane;
  });
}

// All lanes: each value is that of its run.
template <std::uint32_t ValueBytes, typename Values>
__device__ inline void store_expanded(const std::uint8_t* heads, const Values& values,
                                      const TileOutput<ValueBytes>& output) {
  constexpr std::uint32_t number_bytes = Values::number_bytes;
  const auto heads_of = [&](std::uint32_t step) {
    return HeadSums<ValueBytes>(heads + first_value<ValueBytes>(step));
  };
  const RunsOfSteps<ValueBytes> runs(heads_of);
  // A run begins with the first value.
  std::uint32_t before_step = values.begin() - number_bytes;
  store_steps(output, [&](std::uint32_t step) {
    const HeadSums<ValueBytes> sums = heads_of(step);
    const std::uint32_t before = before_step + runs.before_lane(step) * number_bytes;
    before_step += runs.of_warp(step) * number_bytes;
    LaneValues<ValueBytes> lane;
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_lane<ValueBytes>; ++i) {
      lane.values[i] = values.load(before + sums.of_value(i));
    }
    return lane;
  });
}

// All lanes: decodes and stores the run block at `words`. From byte `begin` of `memory` on the warp has room
// for the values of runs, and for heads after it.
template <std::uint32_t ValueBytes>
__device__ inline void decode_run_block(const std::uint32_t* words, std::uint8_t* memory, std::uint32_t begin,
                                        std::uint32_t count, const TileOutput<ValueBytes>& output) {
  const std::uint32_t runs = words[0];
  std::uint8_t* const heads = memory + begin + bytes_of_values<ValueBytes>;
  reinterpret_cast<Words4*>(heads)[lane_number()] = {};
  __syncwarp();
  if (runs <= runs_of_step && runs != count) {
    const RunValues<ValueBytes, false> values(memory, begin);
    unpack_few_runs<ValueBytes>(words, runs, values, heads);
    __syncwarp();
    store_expanded(heads, values, output);
    return;
  }
  const RunStreams<ValueBytes> streams = find_streams<ValueBytes>(words, runs);
  if (runs == count) {
    store_single_values(streams, output);
    return;
  }
  const RunValues<ValueBytes, true> values(memory, begin);
  unpack_many_runs(streams, runs, values, heads);
  __syncwarp();
  store_expanded(heads, values, output);
}

// So that a multiprocessor has 48 warps; 40 where a lane has 16 values, 32 where they have 8 bytes.
constexpr int most_threads = 256;
template <std::uint32_t ValueBytes>
constexpr int blocks_at_once = ValueBytes == 8 ? 4 : (ValueBytes == 1 ? 5 : 6);

// A warp for each tile, with `shape.warp_bytes` of shared memory: decodes blocks of values of `ValueBytes`
// bytes.
template <std::uint32_t ValueBytes, bool IsAligned>
__global__ void __launch_bounds__(most_threads, blocks_at_once<ValueBytes>)
    decode_run_blocks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                      WarpTileShape shape) {
  GSST_SHARED_MEMORY(memory);
  WarpTile tile;
  if (!find_tile<ValueBytes, IsAligned, run_block_values>(frame, output, status, shape, tile)) return;
  const std::uint32_t begin = tile.warp * shape.warp_bytes;
  const std::uint32_t* const words =
      bulk_copy_words<IsAligned>(tile, memory + begin + bytes_before_copy<ValueBytes>);
  std::uint8_t* const tile_output = tile.output<ValueBytes, run_block_values>();
#pragma unroll 1
  for (std::uint32_t number = 0; number < tile.packed_blocks; ++number) {
    const std::uint32_t first = number * run_block_values;
    const std::uint32_t count =
        tile.values - first < run_block_values ? tile.values - first : run_block_values;
    decode_run_block(words + tile.offset(number), memory, begin, count,
                     TileOutput<ValueBytes>(tile_output + std::uint64_t{first} * ValueBytes, count));
    // Before the values and heads of the next one.
    __syncwarp();
  }
}

}  // namespace
}  // namespace gsst::tile_integer::wide_runs
