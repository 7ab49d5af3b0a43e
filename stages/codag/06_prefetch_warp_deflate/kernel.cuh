#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/low_bit_stream.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/prefetched_bytes.cuh"
#include "stages/codag/shared/prefix_code.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/word_bytes.cuh"

// A chunk has two warps: one reads ahead, the other decodes and writes (paper, section V-F).
namespace gsst::codag {
namespace {

// What a thread block has in shared memory.
constexpr std::uint32_t deflate_pair_bytes = PrefetchedBytes::buffer_bytes + sizeof(DeflateTables);

// All lanes of the first warp, for a chunk that is not raw. The status. `memory`: deflate_pair_bytes bytes of
// shared memory.
__device__ inline std::uint32_t decode_deflate(const CodedChunk& chunk, std::uint8_t* memory) {
  LowBitStream input(PrefetchedBytes(chunk.stream, chunk.stream_bytes, memory));
  OutputStream output(WordBytes(chunk.output), chunk.values);
  Deflate<TablesOfWarp> deflate(chunk,
                                *reinterpret_cast<DeflateTables*>(memory + PrefetchedBytes::buffer_bytes));
  auto problem = format::codag::DeflateStatus::decoded;
  while (problem == format::codag::DeflateStatus::decoded && !deflate.is_done()) {
    problem = deflate.step(input, output);
  }
  input.bytes().take_remaining_lines();
  return deflate_chunk_status(problem, deflate, output.left());
}

// Thread blocks of threads_of_pair threads, one for each chunk.
__global__ void decode_deflate_chunks(stage::FrameOnDevice frame, std::uint8_t* output,
                                      std::uint32_t* status) {
  GSST_SHARED_MEMORY(memory);
  const bool is_prefetcher = threadIdx.x >= lanes_of_warp;
  const stage::BlockOnDevice block = frame.block(blockIdx.x, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes<BlockTeam>(block.payload, block.uncompressed_bytes, block.output);
  } else {
    const CodedChunk chunk = byte_chunk(block);
    if (is_prefetcher) {
      prefetch_lines(chunk.stream, chunk.stream_bytes, memory);
    } else {
      result = decode_deflate(chunk, memory);
    }
  }
  if (threadIdx.x == 0) status[blockIdx.x] = result;
}

}  // namespace
}  // namespace gsst::codag
