#pragma once

#include <cstdint>

#include "common/format/runs/runs.hpp"
#include "common/stage/frame_on_device.hpp"

// A thread block decodes one block: its threads write each run together, neighbours to neighbouring bytes.
namespace {

using gsst::format::BlockLayout;
using gsst::stage::BlockOnDevice;
using gsst::stage::BlockStatus;
using gsst::stage::FrameOnDevice;

__device__ void copy_raw_block(const BlockOnDevice& block) {
  for (std::uint32_t byte = threadIdx.x; byte < block.uncompressed_bytes; byte += blockDim.x) {
    block.output[byte] = block.payload[byte];
  }
}

// All threads read the same runs, so that each knows where the next one starts without asking another.
__device__ BlockStatus write_runs(const BlockOnDevice& block) {
  std::uint32_t written = 0;
  for (std::uint32_t run = 0; run + gsst::format::run_bytes <= block.payload_bytes;
       run += gsst::format::run_bytes) {
    const std::uint32_t count = block.payload[run];
    const std::uint8_t byte = block.payload[run + 1];
    if (count > block.uncompressed_bytes - written) return BlockStatus::output_too_long;
    for (std::uint32_t i = threadIdx.x; i < count; i += blockDim.x) block.output[written + i] = byte;
    written += count;
  }
  return written == block.uncompressed_bytes ? BlockStatus::decoded : BlockStatus::output_too_short;
}

// `output` and `status` as in DecodeRequest. As many thread blocks as the frame has blocks, of any size.
__global__ void decode_runs(FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  const BlockOnDevice block = frame.block(blockIdx.x, output);
  BlockStatus result = BlockStatus::decoded;
  if (block.layout == BlockLayout::raw) {
    copy_raw_block(block);
  } else {
    result = write_runs(block);
  }
  if (threadIdx.x == 0) status[blockIdx.x] = static_cast<std::uint32_t>(result);
}

}  // namespace
