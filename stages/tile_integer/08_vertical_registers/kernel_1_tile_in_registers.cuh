#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/08_vertical_registers/vertical_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/strided_words.cuh"

// Step 1: as the paper has it, words in shared memory, and 32 values of each thread in registers before
// anything is done with them (section 4.3).
namespace gsst::tile_integer::registers_hold_a_tile {
namespace {

// The word of shared memory that a query's condition stands for, with what aligns the next ones.
constexpr std::uint32_t bytes_of_condition = 16;

// Thread blocks of vertical_lanes threads, parts_of() of them, with bytes_of_partial_sums, bytes_of_condition
// and the words of the largest vertical block in shared memory; a part is a vertical block.
__global__ void sum_vertical(stage::FrameOnDevice frame, PartialSums sums, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  // There is no output: what would be its address is not used.
  const FramePart part(frame, memory, part_bytes);
  if (!part.has_values()) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  const VerticalPart block(part, payload, type);
  // Of all threads or of none: barriers follow.
  if (block.values == 0) return;
  auto* const staged = reinterpret_cast<std::uint32_t*>(memory + bytes_of_partial_sums + bytes_of_condition);
  const StagedWords words = stage_words(payload, block.start, block.end, staged);
  auto* const condition = reinterpret_cast<std::uint32_t*>(memory + bytes_of_partial_sums);
  if (threadIdx.x == 0) *condition = 0;
  __syncthreads();
  const auto reference = static_cast<std::uint32_t>(reference_of(words, block.start, type.reference_words));
  const StridedWords<vertical_lanes> lane(staged + type.reference_words + threadIdx.x);
  std::uint32_t values[vertical_lane_values];
#pragma unroll
  for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
    values[item] =
        reference + static_cast<std::uint32_t>(extract_bits(lane, 0, item * block.width, block.width));
  }
  // A tile is loaded before it is used: by a condition that every value meets, and that is not known before.
  // Without it the compiler adds each value at once.
  __syncthreads();
  const std::uint32_t least = *condition;
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
    if (block.has(item) && values[item] >= least) sum += values[item];
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer::registers_hold_a_tile
