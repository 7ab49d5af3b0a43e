#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/08_vertical_registers/vertical_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/strided_words.cuh"

// Step 2: each value goes into the sum as soon as it is known.
namespace gsst::tile_integer::registers_value_by_value {
namespace {

// Thread blocks of vertical_lanes threads, parts_of() of them, with bytes_of_partial_sums and the words of
// the largest vertical block in shared memory; a part is a vertical block.
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
  auto* const staged = reinterpret_cast<std::uint32_t*>(memory + bytes_of_partial_sums);
  const StagedWords words = stage_words(payload, block.start, block.end, staged);
  __syncthreads();
  const auto reference = static_cast<std::uint32_t>(reference_of(words, block.start, type.reference_words));
  const StridedWords<vertical_lanes> lane(staged + type.reference_words + threadIdx.x);
  std::uint32_t sum = 0;
  for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
    if (!block.has(item)) break;
    sum += reference + static_cast<std::uint32_t>(extract_bits(lane, 0, item * block.width, block.width));
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer::registers_value_by_value
