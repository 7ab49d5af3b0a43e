#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/08_vertical_registers/vertical_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"

// Step 3: nobody but its thread needs a lane's words, and the next thread's are next to them. So each thread
// reads its own where they are.
namespace gsst::tile_integer::registers_from_own_words {
namespace {

// The words of the thread's lane, from the payload.
class WordsOfLane {
public:
  // `first`: of the lane, by its number in the payload.
  __device__ WordsOfLane(const ForPayload& payload, std::uint32_t first) : payload_(payload), first_(first) {}

  __device__ std::uint32_t word(std::uint32_t number) const {
    return payload_.word(first_ + number * vertical_lanes);
  }

private:
  ForPayload payload_;
  std::uint32_t first_;
};

// Thread blocks of vertical_lanes threads, parts_of() of them, with bytes_of_partial_sums of shared memory; a
// part is a vertical block.
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
  const auto reference = static_cast<std::uint32_t>(reference_of(payload, block.start, type.reference_words));
  const WordsOfLane lane(payload, block.start + type.reference_words + threadIdx.x);
  std::uint32_t sum = 0;
  for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
    if (!block.has(item)) break;
    sum += reference + static_cast<std::uint32_t>(extract_bits(lane, 0, item * block.width, block.width));
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer::registers_from_own_words
