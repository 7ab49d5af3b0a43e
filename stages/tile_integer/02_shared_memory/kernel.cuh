#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// A packed block is copied to shared memory and decoded from there (paper, section 4.2, optimization 1).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them, with most_staged_bytes() of shared
// memory; a part is a packed block.
__global__ void decode_values(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                              std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint64_t first = std::uint64_t{part.number()} * packed_block_values;
  const std::uint32_t values = payload.values();
  // Of all threads or of none: a barrier follows.
  if (first >= values) return;
  const std::uint32_t start = payload.start(part.number());
  const StagedWords words =
      stage_words(payload, start, payload.start(part.number() + 1), reinterpret_cast<std::uint32_t*>(memory));
  __syncthreads();
  if (first + threadIdx.x >= values) return;
  store_value(part.block().output + (first + threadIdx.x) * type.value_bytes,
              decode_value(words, start, threadIdx.x, type.reference_words), type.value_bytes);
}

}  // namespace
}  // namespace gsst::tile_integer
