#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/08_vertical/vertical_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"

// Step 3: nobody but its thread needs a lane's words, and the next thread's are next to them. So each thread
// reads its own where they are.
namespace gsst::tile_integer::own_words {
namespace {

// The words of the thread's lane, from the payload.
class VerticalWords {
public:
  // `first`: of the lane, by its number in the payload.
  __device__ VerticalWords(const ForPayload& payload, std::uint32_t first)
      : payload_(payload), first_(first) {}

  __device__ std::uint32_t word(std::uint32_t number) const {
    return payload_.word(first_ + number * vertical_lanes);
  }

private:
  ForPayload payload_;
  std::uint32_t first_;
};

// Thread blocks of vertical_lanes threads, parts_of() of them; a part is a vertical block. `Number` has the
// bits of the frame's largest values.
template <typename Number>
__global__ void decode_vertical(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                                std::uint32_t part_bytes) {
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes, vertical_block_values);
  const VerticalBlock block(part, payload, type);
  if (block.values == 0) return;
  const auto reference = static_cast<Number>(reference_of(payload, block.start, type.reference_words));
  const VerticalWords lane(payload, block.start + type.reference_words + threadIdx.x);
  for (std::uint32_t item = 0; item < vertical_lane_values; ++item) {
    block.store(item, reference + static_cast<Number>(extract_bits(lane, 0, item * block.width, block.width)),
                type);
  }
}

}  // namespace
}  // namespace gsst::tile_integer::own_words
