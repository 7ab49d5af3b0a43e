#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/09_copies/kernel_queue.cuh"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/substream_chunk.cuh"
#include "stages/codag/shared/substream_copies.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A chunk has two warps: one decodes, each lane another part of the compressed bits, the other one copies
// matches (past the paper).
namespace gsst::codag {
namespace {

constexpr std::uint32_t segment_bits_of_pair = 104;
constexpr std::uint32_t threads_of_copying_pair = 2 * lanes_of_warp;

// What a thread block has in shared memory.
struct CopyingPairMemory {
  SubstreamMemory<segment_bits_of_pair> substreams;
  alignas(16) PieceQueue queue;
};

// With `pieces` pieces in the queue.
constexpr std::uint32_t bytes_of_copying_pair(std::uint32_t pieces) {
  return static_cast<std::uint32_t>(sizeof(CopyingPairMemory) + (pieces - 1) * sizeof(QueuedPiece));
}

// Thread blocks of threads_of_copying_pair threads, one for each chunk, with bytes_of_copying_pair() bytes of
// shared memory. The 16 of a multiprocessor hold the compiler to 64 registers.
template <typename Chains>
__global__ void __launch_bounds__(threads_of_copying_pair, 16)
    decode_and_copy_chunks(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                           std::uint32_t pieces) {
  GSST_SHARED_MEMORY(memory);
  const stage::BlockOnDevice block = frame.block(blockIdx.x, output);
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes<BlockTeam>(block.payload, block.uncompressed_bytes, block.output);
    if (threadIdx.x == 0) status[blockIdx.x] = 0;
    return;
  }
  auto& own = *reinterpret_cast<CopyingPairMemory*>(memory);
  if (threadIdx.x == 0) own.queue.counts = {.given = 0, .written = 0};
  __syncthreads();
  if (threadIdx.x >= lanes_of_warp) {
    write_given_pieces<Chains>(own.queue, pieces, block.output);
    return;
  }
  GivenPieces given(own.queue, pieces);
  const std::uint32_t result = decode_substreams(byte_chunk(block), own.substreams, given).status;
  given.end();
  if (threadIdx.x == 0) status[blockIdx.x] = result;
}

}  // namespace
}  // namespace gsst::codag
