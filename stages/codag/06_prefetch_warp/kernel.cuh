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
#include "stages/codag/shared/prefetched_bytes.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/word_values.cuh"

// A chunk has two warps: one reads ahead, the other decodes and writes (paper, section V-F).
namespace gsst::codag {
namespace {

// All lanes of the first warp, for a chunk that is not raw. The status. `buffer`:
// PrefetchedBytes::buffer_bytes bytes of shared memory.
template <typename Codec>
__device__ inline std::uint32_t decode_chunk(const CodedChunk& chunk, const std::uint8_t* buffer) {
  InputStream input(PrefetchedBytes(chunk.stream, chunk.stream_bytes, buffer));
  OutputStream output(WordValues(chunk.output, chunk.value_bytes), chunk.values);
  Codec codec(chunk);
  auto problem = format::codag::Problem::none;
  while (output.left() > 0) {
    problem = codec.step(input, output);
    if (problem != format::codag::Problem::none) break;
  }
  input.bytes().take_remaining_lines();
  return chunk_status(chunk, problem, codec, input);
}

// Thread blocks of threads_of_pair threads, one for each chunk, with PrefetchedBytes::buffer_bytes bytes of
// shared memory.
template <typename Codec>
__global__ void decode_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status) {
  GSST_SHARED_MEMORY(buffer);
  const bool is_prefetcher = threadIdx.x >= lanes_of_warp;
  const stage::BlockOnDevice block = frame.block(blockIdx.x, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes<BlockTeam>(block.payload, block.uncompressed_bytes, block.output);
  } else {
    const CodedChunk chunk = Codec::chunk_of(block);
    if (is_prefetcher) {
      prefetch_lines(chunk.stream, chunk.stream_bytes, buffer);
    } else {
      copy_rest(chunk);
      result = decode_chunk<Codec>(chunk, buffer);
    }
  }
  if (threadIdx.x == 0) status[blockIdx.x] = result;
}

}  // namespace
}  // namespace gsst::codag
