#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/08_vertical/vertical_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/strided_words.cuh"

// Step 2: each value is stored as soon as it is known.
namespace gsst::tile_integer::value_by_value {
namespace {

// Thread blocks of vertical_lanes threads, parts_of() of them, with the words of the largest vertical block
// in shared memory; a part is a vertical block. `Number` has the bits of the frame's largest values.
template <typename Number>
__global__ void decode_vertical(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                                std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes, vertical_block_values);
  const VerticalBlock block(part, payload, type);
  // Of all threads or of none: a barrier follows.
  if (block.values == 0) return;
  auto* const staged = reinterpret_cast<std::uint32_t*>(memory);
  const StagedWords words = stage_words(payload, block.start, block.end, staged);
  __syncthreads();
  const auto reference = static_cast<Number>(reference_of(words, block.start, type.reference_words));
  const StridedWords<vertical_lanes> lane(staged + type.reference_words + threadIdx.x);
  for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
    block.store(item, reference + static_cast<Number>(extract_bits(lane, 0, item * block.width, block.width)),
                type);
  }
}

}  // namespace
}  // namespace gsst::tile_integer::value_by_value
