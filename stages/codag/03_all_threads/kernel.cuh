#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/chunk_status.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/input_stream.cuh"
#include "stages/codag/shared/orc_rle_v1.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/plain_bytes.cuh"
#include "stages/codag/shared/plain_values.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A warp decodes a chunk: each lane decodes the same symbols, so that none is broadcast (paper, section
// IV-D).
namespace gsst::codag {
namespace {

// All lanes, for a chunk that is not raw. The status.
template <typename Codec>
__device__ inline std::uint32_t decode_chunk(const CodedChunk& chunk) {
  InputStream input(PlainBytes(chunk.stream, chunk.stream_bytes));
  OutputStream output(PlainValues<>(chunk.output, chunk.value_bytes), chunk.values);
  Codec codec(chunk);
  auto problem = format::codag::Problem::none;
  while (output.left() > 0) {
    problem = codec.step(input, output);
    if (problem != format::codag::Problem::none) break;
  }
  return chunk_status(chunk, problem, codec, input);
}

// Warps for all chunks.
template <typename Codec>
__global__ void decode_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
  if (number >= frame.block_count) return;
  const stage::BlockOnDevice block = frame.block(number, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes(block.payload, block.uncompressed_bytes, block.output);
  } else {
    const CodedChunk chunk = Codec::chunk_of(block);
    copy_rest(chunk);
    result = decode_chunk<Codec>(chunk);
  }
  if (lane_number() == 0) status[number] = result;
}

}  // namespace
}  // namespace gsst::codag
