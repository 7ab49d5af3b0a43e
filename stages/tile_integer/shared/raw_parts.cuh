#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/frame_part.cuh"

// Raw blocks, where a kernel of their own copies them.
namespace gsst::tile_integer {
namespace {

// Thread blocks of any size, parts_of() of them, copy the raw blocks. Of the others it sets the status, as
// the kernels that decode them do.
__global__ void copy_raw_parts(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                               std::uint32_t part_bytes) {
  const FramePart part(frame, output, part_bytes);
  part.begin(status);
}

}  // namespace
}  // namespace gsst::tile_integer
