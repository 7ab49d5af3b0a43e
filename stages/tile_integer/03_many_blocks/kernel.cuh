#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"

// A thread block decodes several packed blocks (paper, section 4.2, optimization 2).
namespace gsst::tile_integer {
namespace {

using format::tile_integer::packed_block_values;

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, with as many times most_staged_bytes() of shared memory and the tile's starts.
__global__ void decode_tiles(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                             std::uint32_t part_bytes, std::uint32_t blocks_of_tile) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.exists()) return;
  part.report(status);
  if (part.is_raw()) {
    part.copy_raw();
    return;
  }
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint32_t values = payload.values();
  const std::uint32_t packed_blocks = (values + packed_block_values - 1) / packed_block_values;
  const std::uint32_t first = part.number() * blocks_of_tile;
  // Of all threads or of none: barriers follow.
  if (first >= packed_blocks) return;
  const std::uint32_t count = packed_blocks - first < blocks_of_tile ? packed_blocks - first : blocks_of_tile;
  auto* const starts = reinterpret_cast<std::uint32_t*>(memory);
  if (threadIdx.x <= count) starts[threadIdx.x] = payload.start(first + threadIdx.x);
  __syncthreads();
  const StagedWords words = stage_words(payload, starts[0], starts[count], starts + blocks_of_tile + 1);
  __syncthreads();
  for (std::uint32_t block = 0; block < count; ++block) {
    const std::uint64_t index = std::uint64_t{first + block} * packed_block_values + threadIdx.x;
    if (index >= values) return;
    store_value(part.block().output + index * type.value_bytes,
                decode_value(words, starts[block], threadIdx.x, type.reference_words), type.value_bytes);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
