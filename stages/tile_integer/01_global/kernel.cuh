#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"

// One thread a value, straight from global memory (paper, section 4.2, Algorithm 1).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a packed block.
__global__ void decode_values(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                              std::uint32_t part_bytes) {
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint64_t index = std::uint64_t{part.number()} * packed_block_values + threadIdx.x;
  if (index >= payload.values()) return;
  const std::uint32_t start = payload.start(part.number());
  store_value(part.block().output + index * type.value_bytes,
              decode_value(payload, start, threadIdx.x, type.reference_words), type.value_bytes);
}

}  // namespace
}  // namespace gsst::tile_integer
