#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/chunk_status.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A warp decodes a chunk: what a lane does is no longer what all lanes do.
namespace gsst::codag {
namespace {

// Warps for all chunks, with Codec::buffer_bytes bytes of shared memory each.
template <typename Codec>
__global__ void decode_parallel_runs(stage::FrameOnDevice frame, std::uint8_t* output,
                                     std::uint32_t* status) {
  GSST_SHARED_MEMORY(buffers);
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
  if (number >= frame.block_count) return;
  const stage::BlockOnDevice block = frame.block(number, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes(block.payload, block.uncompressed_bytes, block.output);
  } else {
    const CodedChunk chunk = Codec::chunk_of(block);
    copy_rest(chunk);
    Codec codec(chunk, buffers + threadIdx.x / lanes_of_warp * Codec::buffer_bytes);
    const auto problem = codec.decode();
    result = chunk_status(chunk, problem, codec, codec);
  }
  if (lane_number() == 0) status[number] = result;
}

}  // namespace
}  // namespace gsst::codag
