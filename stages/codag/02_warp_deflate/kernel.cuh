#pragma once

#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/element_record.cuh"
#include "stages/codag/shared/low_bit_stream.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/plain_bytes.cuh"
#include "stages/codag/shared/plain_copies.cuh"
#include "stages/codag/shared/prefix_code.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A warp decodes a chunk: one lane decodes and tells the others, all copy (paper, section IV-C).
namespace gsst::codag {
namespace {

// All lanes, for a chunk that is not raw. The status; that of lane 0 counts.
__device__ inline std::uint32_t decode_deflate(const CodedChunk& chunk, DeflateTables& tables) {
  LowBitStream input(PlainBytes(chunk.stream, chunk.stream_bytes));
  OutputStream output(PlainCopies(chunk.output), chunk.values);
  Deflate<TablesOfThread> deflate(chunk, tables);
  auto problem = format::codag::DeflateStatus::decoded;
  for (bool is_last = false; !is_last;) {
    ElementRecord element(chunk.stream, output.left());
    if (lane_number() == 0) {
      problem = deflate.step(input, element);
      is_last = problem != format::codag::DeflateStatus::decoded || deflate.is_done();
    }
    is_last = element.broadcast(is_last);
    element.write(output);
  }
  return deflate_chunk_status(problem, deflate, output.left());
}

// Warps for all chunks, with DeflateTables of shared memory each.
__global__ void decode_deflate_chunks(stage::FrameOnDevice frame, std::uint8_t* output,
                                      std::uint32_t* status) {
  GSST_SHARED_MEMORY(memory);
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
  if (number >= frame.block_count) return;
  const stage::BlockOnDevice block = frame.block(number, output);
  std::uint32_t result = 0;
  if (block.layout == format::BlockLayout::raw) {
    copy_bytes(block.payload, block.uncompressed_bytes, block.output);
  } else {
    result = decode_deflate(byte_chunk(block),
                            reinterpret_cast<DeflateTables*>(memory)[threadIdx.x / lanes_of_warp]);
  }
  if (lane_number() == 0) status[number] = result;
}

}  // namespace
}  // namespace gsst::codag
