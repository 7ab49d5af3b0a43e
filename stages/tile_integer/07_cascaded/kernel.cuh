#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/cascade.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"

// FOR+BitPack (paper, section 9.2): a kernel for each layer of format `for`.
namespace gsst::tile_integer {
namespace {

// Both kernels have thread blocks of packed_block_values threads, parts_of() of them.

// The first: bits of values, without references, to `differences`, which has the output's size. With
// unpack_shared_bytes() of shared memory.
__global__ void unpack_differences(stage::FrameOnDevice frame, std::uint8_t* differences,
                                   std::uint32_t part_bytes) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, differences, part_bytes);
  if (!part.has_values()) return;
  unpack_tile<false>(CascadeTile(part), memory, part.block().output);
}

// The second: values are differences and references.
__global__ void add_references_to_differences(stage::FrameOnDevice frame, const std::uint8_t* differences,
                                              std::uint8_t* output, std::uint32_t* status,
                                              std::uint32_t part_bytes) {
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const CascadeTile tile(part);
  part.copy_rest(tile.payload, tile.type.value_bytes);
  add_references<false>(tile, differences + (part.block().output - output), part.block().output);
}

}  // namespace
}  // namespace gsst::tile_integer
