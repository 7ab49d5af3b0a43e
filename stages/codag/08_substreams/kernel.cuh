#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_pieces.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A warp decodes a chunk: each lane another part of the compressed bits (past the paper).
namespace gsst::codag {
namespace {

// Of the kernel: what shape_of_warps() launches at most, and 32 warps on a multiprocessor, so that the
// compiler takes 64 registers.
constexpr std::uint32_t most_threads_of_substreams = 256;
constexpr std::uint32_t least_blocks_of_substreams = 4;

// Warps for all chunks.
template <std::uint32_t SegmentBits>
__global__ void __launch_bounds__(most_threads_of_substreams, least_blocks_of_substreams)
    decode_substream_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(memory);
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
  if (number >= frame.block_count) return;
  const stage::BlockOnDevice block = frame.block(number, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes(block.payload, block.uncompressed_bytes, block.output);
  } else {
    auto& own = reinterpret_cast<WarpMemory<SegmentBits>*>(memory)[threadIdx.x / lanes_of_warp];
    OwnPieces pieces(own.staged, block.output);
    result = decode_substreams(byte_chunk(block), own.substreams, pieces).status;
  }
  if (lane_number() == 0) status[number] = result;
}

}  // namespace
}  // namespace gsst::codag
