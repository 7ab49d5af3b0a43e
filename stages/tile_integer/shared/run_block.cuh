#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// A run block of format `rfor` in shared memory: its runs are unpacked, and for each value its run is found
// (paper, section 6).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::max_miniblocks_of_stream;
using format::tile_integer::miniblock_values;
using format::tile_integer::run_block_values;

constexpr std::uint32_t threads_of_run_block = 128;
constexpr std::uint32_t warps_of_run_block = threads_of_run_block / 32;
// Of a run block, those that a thread sums: neighbours.
constexpr std::uint32_t values_of_run_thread = run_block_values / threads_of_run_block;

// Shared memory of a thread block. Its parts are in this order, those of 8 bytes first, and then come the run
// block's words.
template <typename Number>
struct RunMemory {
  // One a run.
  Number* values;
  // One a run: first its length, then the place after its last value.
  std::uint32_t* ends;
  // One a value: first whether a run begins here, then which run this is.
  std::uint32_t* runs;
  // One a warp.
  std::uint32_t* sums;
  std::uint32_t* value_miniblocks;
  std::uint32_t* length_miniblocks;
  std::uint32_t* words;

  __device__ explicit RunMemory(std::uint8_t* memory)
      : values(reinterpret_cast<Number*>(memory)),
        ends(reinterpret_cast<std::uint32_t*>(values + run_block_values)),
        runs(ends + run_block_values),
        sums(runs + run_block_values),
        value_miniblocks(sums + warps_of_run_block),
        length_miniblocks(value_miniblocks + max_miniblocks_of_stream + 1),
        words(length_miniblocks + max_miniblocks_of_stream + 1) {}
};

// A stream of a run block. Places are words of the payload.
struct RunStream {
  // Of the reference.
  std::uint32_t start;
  std::uint32_t reference_words;
  // Of each miniblock, and of the end of the last one: a miniblock has as many words as its values have bits.
  std::uint32_t* miniblocks;
};

// All threads: the places of `count` miniblocks and of their end, one a thread. The barrier is the caller's.
template <typename Words>
__device__ inline void find_miniblocks(const Words& words, const RunStream& stream, std::uint32_t count) {
  if (threadIdx.x > count) return;
  const std::uint32_t widths = stream.start + stream.reference_words;
  std::uint32_t place = widths + format::tile_integer::words_of_widths(count);
  for (std::uint32_t before = 0; before < threadIdx.x; ++before) {
    place += words.word(widths + before / 4) >> 8 * (before % 4) & 0xff;
  }
  stream.miniblocks[threadIdx.x] = place;
}

__device__ inline std::uint64_t decode_number(const StagedWords& words, const RunStream& stream,
                                              std::uint32_t index) {
  const std::uint32_t* const miniblock = stream.miniblocks + index / miniblock_values;
  const std::uint32_t width = miniblock[1] - miniblock[0];
  return reference_of(words, stream.start, stream.reference_words) +
         extract_bits(words, miniblock[0], index % miniblock_values * width, width);
}

// All threads: values and lengths of the runs of the run block at word `start`. Returns how many there are.
// The barrier is the caller's.
template <typename Number>
__device__ inline std::uint32_t unpack_runs(const StagedWords& words, std::uint32_t start,
                                            const RunMemory<Number>& memory, std::uint32_t reference_words) {
  const std::uint32_t count = words.word(start);
  const std::uint32_t miniblocks = (count + miniblock_values - 1) / miniblock_values;
  const RunStream values = {start + 1, reference_words, memory.value_miniblocks};
  find_miniblocks(words, values, miniblocks);
  __syncthreads();
  const RunStream lengths = {values.miniblocks[miniblocks], format::tile_integer::length_reference_words,
                             memory.length_miniblocks};
  find_miniblocks(words, lengths, miniblocks);
  __syncthreads();
  for (std::uint32_t run = threadIdx.x; run < run_block_values; run += threads_of_run_block) {
    const bool exists = run < count;
    if (exists) memory.values[run] = static_cast<Number>(decode_number(words, values, run));
    memory.ends[run] = exists ? static_cast<std::uint32_t>(decode_number(words, lengths, run)) : 0;
  }
  return count;
}

// All threads, with the run block's words on their way to shared memory: memory.values becomes the runs'
// values and memory.runs the number of the run that each value is in. The barrier is the caller's.
template <typename Number>
__device__ inline void find_runs(const StagedWords& words, std::uint32_t start,
                                 const RunMemory<Number>& memory, std::uint32_t reference_words) {
  for (std::uint32_t place = threadIdx.x; place < run_block_values; place += threads_of_run_block) {
    memory.runs[place] = 0;
  }
  __syncthreads();
  const std::uint32_t count = unpack_runs(words, start, memory, reference_words);
  __syncthreads();
  // The first sum: lengths become ends.
  sum_in_place<std::uint32_t, threads_of_run_block, values_of_run_thread>(memory.ends, 0, memory.sums);
  __syncthreads();
  // The first scatter: a 1 where each run but the first begins, which is where the one before ends.
  for (std::uint32_t run = threadIdx.x; run + 1 < count; run += threads_of_run_block) {
    memory.runs[memory.ends[run]] = 1;
  }
  __syncthreads();
  // The second sum: runs are numbered from 0, so this is the number of the run that each value is in.
  sum_in_place<std::uint32_t, threads_of_run_block, values_of_run_thread>(memory.runs, 0, memory.sums);
}

}  // namespace
}  // namespace gsst::tile_integer
