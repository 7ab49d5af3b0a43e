#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/cascade.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"
#include "stages/tile_integer/shared/run_block.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// RLE+FOR+BitPack (paper, section 9.2): a kernel for each layer of both streams of format `rfor`, and one for
// each of the four steps that expand runs.
namespace gsst::tile_integer {
namespace {

// What the kernels leave for each other in global memory. A run block has a place in each for each of its
// values; runs take the first ones.
struct RunLayers {
  // As wide as values are, and as far apart as in the output.
  std::uint8_t* run_values;
  // Lengths, then ends. `least_value_bytes` bytes of the output take a place.
  std::uint32_t* lengths;
  // Whether a run begins here, then which run this is.
  std::uint32_t* runs;
  // Of the frame's smallest values.
  std::uint32_t least_value_bytes;
};

constexpr std::uint32_t length_bytes = sizeof(std::uint32_t);

// The run block that is a part whose block is not raw, for threads_of_run_block threads.
struct CascadeRuns {
  ForPayload payload;
  TypeOnDevice type;
  // 0 where the block ends before.
  std::uint32_t values = 0;
  // The place in the block of its first value.
  std::uint32_t first;
  // In words; of the run block and of the reference of lengths.
  std::uint32_t start = 0;
  std::uint32_t lengths_start = 0;
  std::uint32_t count = 0;
  std::uint32_t miniblocks = 0;
  // Its own places.
  std::uint8_t* run_values;
  std::uint32_t* lengths;
  std::uint32_t* runs;

  // `part` is of an output that starts at `output`.
  __device__ CascadeRuns(const FramePart& part, const std::uint8_t* output, const RunLayers& layers)
      : payload(part.block().payload),
        type(payload.type()),
        first(part.number() * run_block_values),
        run_values(layers.run_values),
        lengths(layers.lengths),
        runs(layers.runs) {
    const std::uint32_t all = payload.values();
    if (first >= all) return;
    values = all - first < run_block_values ? all - first : run_block_values;
    const auto bytes_before = static_cast<std::uint64_t>(part.block().output - output);
    run_values += bytes_before + std::uint64_t{first} * type.value_bytes;
    lengths += bytes_before / layers.least_value_bytes + first;
    runs += bytes_before / layers.least_value_bytes + first;
    start = payload.start(part.number());
    count = payload.word(start);
    miniblocks = (count + miniblock_values - 1) / miniblock_values;
    // Lengths follow the last miniblock of values. Widths are filled up with 0.
    const std::uint32_t widths = start + 1 + type.reference_words;
    lengths_start = widths + format::tile_integer::words_of_widths(miniblocks);
    for (std::uint32_t i = 0; i < format::tile_integer::words_of_widths(miniblocks); ++i) {
      const std::uint32_t four = payload.word(widths + i);
      lengths_start += (four & 0xff) + (four >> 8 & 0xff) + (four >> 16 & 0xff) + (four >> 24);
    }
  }
};

// All threads, with stream_shared_bytes() at `memory`: the bits of a stream's numbers, which are
// `number_bytes` wide, without their reference. It starts at word `start`.
__device__ inline void unpack_stream(const CascadeRuns& block, std::uint32_t start,
                                     std::uint32_t reference_words, std::uint8_t* memory,
                                     std::uint8_t* numbers, std::uint32_t number_bytes) {
  auto* const miniblocks = reinterpret_cast<std::uint32_t*>(memory);
  find_miniblocks(block.payload, RunStream{start, reference_words, miniblocks}, block.miniblocks);
  __syncthreads();
  const StagedWords words = stage_words(block.payload, miniblocks[0], miniblocks[block.miniblocks],
                                        miniblocks + max_miniblocks_of_stream + 1);
  __syncthreads();
  for (std::uint32_t run = threadIdx.x; run < block.count; run += threads_of_run_block) {
    const std::uint32_t* const miniblock = miniblocks + run / miniblock_values;
    const std::uint32_t width = miniblock[1] - miniblock[0];
    store_value(numbers + run * number_bytes,
                extract_bits(words, miniblock[0], run % miniblock_values * width, width), number_bytes);
  }
}

// All threads: adds a stream's reference to its numbers.
__device__ inline void add_reference(std::uint32_t count, std::uint64_t reference, std::uint8_t* numbers,
                                     std::uint32_t number_bytes) {
  for (std::uint32_t run = threadIdx.x; run < count; run += threads_of_run_block) {
    std::uint8_t* const number = numbers + run * number_bytes;
    store_value(number, load_value(number, number_bytes) + reference, number_bytes);
  }
}

// All threads, with sum_shared_bytes at `memory`: replaces each of at most run_block_values numbers in global
// memory by the sum of those up to its own.
__device__ inline void sum_numbers(std::uint8_t* memory, std::uint32_t* numbers, std::uint32_t count) {
  auto* const sums = reinterpret_cast<std::uint32_t*>(memory);
  std::uint32_t* const summed = sums + warps_of_run_block;
  for (std::uint32_t place = threadIdx.x; place < run_block_values; place += threads_of_run_block) {
    summed[place] = place < count ? numbers[place] : 0;
  }
  __syncthreads();
  sum_in_place<std::uint32_t, threads_of_run_block, values_of_run_thread>(summed, 0, sums);
  __syncthreads();
  for (std::uint32_t place = threadIdx.x; place < count; place += threads_of_run_block) {
    numbers[place] = summed[place];
  }
}

// The kernels, in their order, with thread blocks of threads_of_run_block threads, parts_of() of them; a part
// is a run block. Of all threads of a thread block there is something to do, or of none: barriers follow.

__global__ void unpack_values(stage::FrameOnDevice frame, RunLayers layers, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  unpack_stream(block, block.start + 1, block.type.reference_words, memory, block.run_values,
                block.type.value_bytes);
}

__global__ void add_reference_of_values(stage::FrameOnDevice frame, RunLayers layers,
                                        std::uint32_t part_bytes) {
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  add_reference(block.count, reference_of(block.payload, block.start + 1, block.type.reference_words),
                block.run_values, block.type.value_bytes);
}

__global__ void unpack_lengths(stage::FrameOnDevice frame, RunLayers layers, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  unpack_stream(block, block.lengths_start, format::tile_integer::length_reference_words, memory,
                reinterpret_cast<std::uint8_t*>(block.lengths), length_bytes);
}

__global__ void add_reference_of_lengths(stage::FrameOnDevice frame, RunLayers layers,
                                         std::uint32_t part_bytes) {
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  add_reference(block.count, block.payload.word(block.lengths_start),
                reinterpret_cast<std::uint8_t*>(block.lengths), length_bytes);
}

// The first sum: lengths become ends.
__global__ void sum_lengths(stage::FrameOnDevice frame, RunLayers layers, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  sum_numbers(memory, block.lengths, block.count);
}

// The first scatter: a 1 where each run but the first begins, which is where the one before ends.
__global__ void mark_runs(stage::FrameOnDevice frame, RunLayers layers, std::uint32_t part_bytes) {
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  for (std::uint32_t place = threadIdx.x; place < block.values; place += threads_of_run_block) {
    block.runs[place] = 0;
  }
  __syncthreads();
  for (std::uint32_t run = threadIdx.x; run + 1 < block.count; run += threads_of_run_block) {
    block.runs[block.lengths[run]] = 1;
  }
}

// The second sum: marks become numbers of runs.
__global__ void number_runs(stage::FrameOnDevice frame, RunLayers layers, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, layers.run_values, part_bytes);
  if (!part.has_values()) return;
  const CascadeRuns block(part, layers.run_values, layers);
  if (block.values == 0) return;
  sum_numbers(memory, block.runs, block.values);
}

// The second scatter, the other way round, as in stage 06.
__global__ void expand_runs(stage::FrameOnDevice frame, RunLayers layers, std::uint8_t* output,
                            std::uint32_t* status, std::uint32_t part_bytes) {
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const CascadeRuns block(part, output, layers);
  const std::uint32_t value_bytes = block.type.value_bytes;
  part.copy_rest(block.payload, value_bytes, run_block_values);
  std::uint8_t* const values = part.block().output + std::uint64_t{block.first} * value_bytes;
  for (std::uint32_t place = threadIdx.x; place < block.values; place += threads_of_run_block) {
    store_value(values + place * value_bytes,
                load_value(block.run_values + block.runs[place] * value_bytes, value_bytes), value_bytes);
  }
}

// On the host.

// Of unpack_stream(): the larger stream has values of all bits.
inline std::size_t stream_shared_bytes(const stage::FrameOnDevice& frame) {
  const std::size_t width = extreme_shape(frame, false).max_width();
  const std::size_t most = width > format::tile_integer::max_length_width
                               ? width
                               : std::size_t{format::tile_integer::max_length_width};
  return (max_miniblocks_of_stream + 1 + max_miniblocks_of_stream * most) * sizeof(std::uint32_t);
}

constexpr std::size_t sum_shared_bytes = (warps_of_run_block + run_block_values) * sizeof(std::uint32_t);

}  // namespace
}  // namespace gsst::tile_integer
