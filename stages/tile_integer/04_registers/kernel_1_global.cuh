#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/partial_sums.cuh"

// Step 1: stage 01, one thread a value, straight from global memory; the value goes into the sum.
namespace gsst::tile_integer::registers_from_global {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of threads_of_partial_sums threads, parts_of() of them, with bytes_of_partial_sums of shared
// memory; a part is a packed block.
__global__ void sum_values(stage::FrameOnDevice frame, PartialSums sums, std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  // There is no output: what would be its address is not used.
  const FramePart part(frame, memory, part_bytes);
  if (!part.has_values()) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  const std::uint64_t index = std::uint64_t{part.number()} * packed_block_values + threadIdx.x;
  std::uint32_t sum = 0;
  // All threads of the block add up.
  if (index < payload.values()) {
    const std::uint32_t start = payload.start(part.number());
    sum = static_cast<std::uint32_t>(decode_value(payload, start, threadIdx.x, type.reference_words));
  }
  sums.add(sum, memory);
}

}  // namespace
}  // namespace gsst::tile_integer::registers_from_global
