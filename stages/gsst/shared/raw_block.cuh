#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"

namespace gsst::stage {

/// A block stored as it is. Called by all threads of the thread block: each copies its part.
__device__ inline void copy_raw(const BlockOnDevice& block) {
  for (std::uint32_t byte = threadIdx.x; byte < block.uncompressed_bytes; byte += blockDim.x) {
    block.output[byte] = block.payload[byte];
  }
}

}  // namespace gsst::stage
