#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/chunks/chunk_job.hpp"
#include "stages/codag/shared/coded_chunk.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// A warp decodes the chunk of a place, whatever its codec is.
namespace gsst::codag::chunks {
namespace {

// What became of a chunk: its word, and the bytes that it has where that is 0.
struct DecodedChunk {
  std::uint32_t status;
  std::uint32_t bytes;
};

__device__ inline CodedChunk chunk_at(const ChunkJob& job, const ChunkPlace& place) {
  return {.stream = job.input + place.input_offset,
          .stream_bytes = place.input_bytes,
          .stream_offset = 0,
          .output = job.output + place.output_offset,
          .values = place.output_bytes / job.value_bytes,
          .value_bytes = job.value_bytes,
          .is_signed = job.is_signed,
          .rest_bytes = 0};
}

// All lanes. `memory`: Decoder::memory_bytes bytes of shared memory.
template <typename Decoder>
__device__ inline DecodedChunk decode_place(const ChunkJob& job, const ChunkPlace& place,
                                            std::uint8_t* memory) {
  const ChunkRefusal refusal = refusal_of(place, job.input_bytes, job.output_bytes, job.value_bytes);
  if (refusal != ChunkRefusal::none) return {.status = static_cast<std::uint32_t>(refusal), .bytes = 0};
  // So that an array may have room for more chunks than there are.
  if (place.input_bytes == 0 && place.output_bytes == 0) return {.status = 0, .bytes = 0};
  return Decoder::decode(chunk_at(job, place), job.may_have_less, memory);
}

// Warps for all chunks, with Decoder::memory_bytes bytes of shared memory each.
template <typename Decoder>
__global__ void decode_places(ChunkJob job) {
  GSST_SHARED_MEMORY(memory);
  const std::uint32_t number = (blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
  if (number >= job.chunk_count) return;
  const DecodedChunk decoded = decode_place<Decoder>(
      job, job.chunks[number], memory + threadIdx.x / lanes_of_warp * Decoder::memory_bytes);
  if (lane_number() != 0) return;
  job.status[number] = decoded.status;
  if (job.written != nullptr) job.written[number] = decoded.status == 0 ? decoded.bytes : 0;
}

}  // namespace
}  // namespace gsst::codag::chunks
