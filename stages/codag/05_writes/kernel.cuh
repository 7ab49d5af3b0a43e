#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/byte_rle.cuh"
#include "stages/codag/shared/chunk_status.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/input_stream.cuh"
#include "stages/codag/shared/orc_rle_v1.cuh"
#include "stages/codag/shared/orc_rle_v2.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/register_line_bytes.cuh"
#include "stages/codag/shared/shared_line_bytes.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/word_values.cuh"

// A warp decodes a chunk: its lanes write whole words wherever values are (paper, section IV-F).
namespace gsst::codag {
namespace {

// All lanes, for a chunk that is not raw. The status. `buffer`: Bytes::buffer_bytes bytes of shared memory.
template <typename Codec, typename Bytes>
__device__ inline std::uint32_t decode_chunk(const CodedChunk& chunk, std::uint8_t* buffer) {
  InputStream input(Bytes(chunk.stream, chunk.stream_bytes, buffer));
  OutputStream output(WordValues(chunk.output, chunk.value_bytes), chunk.values);
  Codec codec(chunk);
  auto problem = format::codag::Problem::none;
  while (output.left() > 0) {
    problem = codec.step(input, output);
    if (problem != format::codag::Problem::none) break;
  }
  return chunk_status(chunk, problem, codec, input);
}

// Warps for all chunks, with Bytes::buffer_bytes bytes of shared memory each.
template <typename Codec, typename Bytes>
__global__ void decode_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
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
    result = decode_chunk<Codec, Bytes>(chunk, buffers + threadIdx.x / lanes_of_warp * Bytes::buffer_bytes);
  }
  if (lane_number() == 0) status[number] = result;
}

}  // namespace
}  // namespace gsst::codag
