#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "common/stage/frame_on_device.hpp"

// Stages that need scratch memory by the size of the output.
namespace gsst::tile_integer {
namespace {

// The bytes that the frame decodes to. Throws std::invalid_argument, which names the stage, for the batches
// of a stream: memory for them is allocated before anybody knows how much they decode to.
inline std::uint64_t output_bytes_of_whole_frame(const std::string& stage,
                                                 const stage::FrameOnDevice& frame) {
  if (frame.block_count != 0 && frame.uncompressed_bytes == 0) {
    throw std::invalid_argument(
        "stage " + stage +
        " decodes whole frames that are in memory, no stream of blocks: it needs scratch "
        "memory by the size of the output");
  }
  return frame.uncompressed_bytes;
}

}  // namespace
}  // namespace gsst::tile_integer
