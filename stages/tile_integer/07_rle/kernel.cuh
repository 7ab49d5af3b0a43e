#pragma once

#include <cstdint>

#include "common/format/tile_integer/run_lengths.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"

// RLE (paper, sections 6 and 9.3): two sums over all of a block, a scatter and a gather, in kernels that
// leave what they find in global memory.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t rle_threads = 256;
constexpr std::uint32_t rle_numbers_of_thread = 8;
// Runs or values of a part: each kernel takes both in parts of so many.
constexpr std::uint32_t rle_numbers_of_part = rle_threads * rle_numbers_of_thread;
constexpr std::uint32_t rle_shared_bytes = rle_threads / 32 * sizeof(std::uint32_t);

// What the kernels leave for each other.
struct RleLayers {
  // A place for each value of the output, 1 where a run begins. `least_value_bytes` bytes of the output take
  // a place.
  std::uint8_t* marks;
  // Of each part: the sum of its lengths or marks, then that of all parts of its block before it.
  std::uint32_t* totals;
  // Of the frame's smallest values.
  std::uint32_t least_value_bytes;
};

// The runs and the values that a part has, of a block that is not raw.
struct RlePart {
  const std::uint8_t* payload;
  format::tile_integer::RleShape shape;
  // The first run and the first value.
  std::uint32_t first;
  // Those of the block.
  std::uint8_t* marks;
  std::uint32_t* totals;

  // `part` is of an output that starts at `output`.
  __device__ RlePart(const FramePart& part, const std::uint8_t* output, const RleLayers& layers)
      : payload(part.block().payload),
        shape{.value_bytes = payload[format::tile_integer::rle_value_bytes_offset],
              .number_bytes = payload[format::tile_integer::rle_number_bytes_offset],
              .length_bytes = payload[format::tile_integer::rle_length_bytes_offset],
              .values = load_word(payload + format::tile_integer::rle_value_count_offset),
              .runs = load_word(payload + format::tile_integer::rle_run_count_offset),
              .rest_bytes =
                  part.block().uncompressed_bytes % payload[format::tile_integer::rle_value_bytes_offset]},
        first(part.number() * rle_numbers_of_part),
        marks(layers.marks +
              static_cast<std::uint64_t>(part.block().output - output) / layers.least_value_bytes),
        totals(layers.totals + blockIdx.x - part.number()) {}

  // This thread's first number in the block.
  __device__ std::uint32_t own() const { return first + threadIdx.x * rle_numbers_of_thread; }

  // 0 where there is no such run.
  __device__ std::uint32_t length(std::uint32_t run) const {
    if (run >= shape.runs) return 0;
    return static_cast<std::uint32_t>(load_value(
        payload + shape.lengths_offset() + std::uint64_t{run} * shape.length_bytes, shape.length_bytes));
  }

  // 1 where a run begins, 0 also where there is no such value.
  __device__ std::uint32_t mark(std::uint32_t value) const { return value < shape.values ? marks[value] : 0; }
};

// All threads, with rle_shared_bytes at `sums`: the sum of all numbers of the part before this thread's,
// whose sum is `own`; `total` becomes that of all.
__device__ inline std::uint32_t rle_sum_before(std::uint32_t own, std::uint8_t* sums, std::uint32_t& total) {
  return block_inclusive_sum<std::uint32_t, rle_threads>(own, reinterpret_cast<std::uint32_t*>(sums), total) -
         own;
}

// The kernels, in their order, with thread blocks of rle_threads threads, parts_of() of them. Of all threads
// of a thread block there is something to do, or of none: barriers follow.

// The first sum begins: that of a part's lengths. Marks are cleared.
__global__ void total_lengths(stage::FrameOnDevice frame, RleLayers layers, std::uint8_t* output,
                              std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values()) return;
  const RlePart numbers(part, output, layers);
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < rle_numbers_of_thread; ++i) {
    own += numbers.length(numbers.own() + i);
    const std::uint32_t value = numbers.first + i * rle_threads + threadIdx.x;
    if (value < numbers.shape.values) numbers.marks[value] = 0;
  }
  std::uint32_t total = 0;
  rle_sum_before(own, sums, total);
  if (threadIdx.x == 0) numbers.totals[part.number()] = total;
}

// Of either sum: each part's total becomes the sum of those before it. The block's first part does it.
__global__ void sum_totals(stage::FrameOnDevice frame, RleLayers layers, std::uint8_t* output,
                           std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values() || part.number() != 0) return;
  const RlePart numbers(part, output, layers);
  const std::uint32_t parts = (numbers.shape.values + rle_numbers_of_part - 1) / rle_numbers_of_part;
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < parts; first += rle_threads) {
    const std::uint32_t place = first + threadIdx.x;
    const std::uint32_t own = place < parts ? numbers.totals[place] : 0;
    std::uint32_t total = 0;
    const std::uint32_t sum = before + rle_sum_before(own, sums, total);
    if (place < parts) numbers.totals[place] = sum;
    before += total;
  }
}

// The first sum ends, with where each run begins. The scatter: a mark there, but for the first run.
__global__ void mark_begins(stage::FrameOnDevice frame, RleLayers layers, std::uint8_t* output,
                            std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values()) return;
  const RlePart numbers(part, output, layers);
  if (numbers.first >= numbers.shape.runs) return;
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < rle_numbers_of_thread; ++i) own += numbers.length(numbers.own() + i);
  std::uint32_t total = 0;
  std::uint32_t begin = numbers.totals[part.number()] + rle_sum_before(own, sums, total);
  for (std::uint32_t i = 0; i < rle_numbers_of_thread; ++i) {
    const std::uint32_t length = numbers.length(numbers.own() + i);
    if (length != 0 && begin != 0) numbers.marks[begin] = 1;
    begin += length;
  }
}

// The second sum begins: that of a part's marks.
__global__ void total_marks(stage::FrameOnDevice frame, RleLayers layers, std::uint8_t* output,
                            std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.has_values()) return;
  const RlePart numbers(part, output, layers);
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < rle_numbers_of_thread; ++i) own += numbers.mark(numbers.own() + i);
  std::uint32_t total = 0;
  rle_sum_before(own, sums, total);
  if (threadIdx.x == 0) numbers.totals[part.number()] = total;
}

// The second sum ends, with the run of each value. The gather: the run's value.
__global__ void gather_values(stage::FrameOnDevice frame, RleLayers layers, std::uint8_t* output,
                              std::uint32_t* status, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(sums);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const RlePart numbers(part, output, layers);
  const format::tile_integer::RleShape& shape = numbers.shape;
  std::uint8_t* const values = part.block().output;
  if (part.number() == 0 && threadIdx.x < shape.rest_bytes) {
    values[std::uint64_t{shape.values} * shape.value_bytes + threadIdx.x] =
        numbers.payload[shape.rest_offset() + threadIdx.x];
  }
  std::uint32_t own = 0;
  for (std::uint32_t i = 0; i < rle_numbers_of_thread; ++i) own += numbers.mark(numbers.own() + i);
  std::uint32_t total = 0;
  std::uint32_t run = numbers.totals[part.number()] + rle_sum_before(own, sums, total);
  for (std::uint32_t i = 0; i < rle_numbers_of_thread; ++i) {
    const std::uint32_t value = numbers.own() + i;
    if (value >= shape.values) return;
    run += numbers.mark(value);
    store_value(values + std::uint64_t{value} * shape.value_bytes,
                load_value(numbers.payload + format::tile_integer::rle_header_bytes +
                               std::uint64_t{run} * shape.number_bytes,
                           shape.number_bytes),
                shape.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
