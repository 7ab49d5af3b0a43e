#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/gzip/deflate_size.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/deflate.cuh"
#include "stages/codag/shared/low_bit_stream.cuh"
#include "stages/codag/shared/output_stream.cuh"
#include "stages/codag/shared/register_line_bytes.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

namespace gsst::codag::gzip {
namespace {

// Bytes for OutputStream that nobody wants: it counts them.
struct CountedBytes {
  __device__ void write_value(std::uint32_t /*first*/, std::uint64_t /*value*/) const {}
  __device__ void copy(std::uint32_t /*first*/, std::uint32_t /*offset*/, std::uint32_t /*count*/) const {}
  __device__ void write_bytes(std::uint32_t /*first*/, const std::uint8_t* /*bytes*/,
                              std::uint32_t /*count*/) const {}
};

// One warp, whose lanes all read the same symbols. Shared memory: DeflateTables.
__global__ void count_deflate_output(DeflateSizeJob job) {
  GSST_SHARED_MEMORY(memory);
  const CodedChunk chunk = {.stream = job.stream,
                            .stream_bytes = job.stream_bytes,
                            .stream_offset = 0,
                            .output = nullptr,
                            .values = job.most_output_bytes,
                            .value_bytes = 1,
                            .is_signed = false,
                            .rest_bytes = 0};
  LowBitStream input(RegisterLineBytes(chunk.stream, chunk.stream_bytes, nullptr));
  OutputStream output(CountedBytes(), chunk.values);
  Deflate<TablesOfWarp> deflate(chunk, *reinterpret_cast<DeflateTables*>(memory));
  auto problem = format::codag::DeflateStatus::decoded;
  while (problem == format::codag::DeflateStatus::decoded && !deflate.is_done()) {
    problem = deflate.step(input, output);
  }
  if (lane_number() != 0) return;
  // That output is left is no problem here.
  *job.size = {.output_bytes = chunk.values - output.left(),
               .status = deflate_chunk_status(problem, deflate, 0)};
}

}  // namespace
}  // namespace gsst::codag::gzip
