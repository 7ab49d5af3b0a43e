#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/orc/orc_batch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// A batch of stripes in the executor's memory.
namespace gsst::codag::orc {
namespace {

struct BatchOnDevice {
  const std::uint8_t* stored;
  const BatchChunk* chunks;
  std::uint32_t chunk_count;
  // The rooms of chunks.
  std::uint8_t* rooms;
  // Of each chunk: bytes that it holds, and where these begin in its stream.
  std::uint32_t* chunk_bytes;
  std::uint32_t* chunk_begins;
  std::uint32_t* chunk_status;
  const BatchStream* streams;
  std::uint32_t stream_count;
  // Bytes of each without compression.
  std::uint32_t* stream_bytes;
  // Streams without compression.
  std::uint8_t* bytes;
  const BatchStripe* stripes;
  std::uint32_t stripe_count;
  // Rows that are not null, of each stripe.
  std::uint32_t* stripe_values;
  const BatchGroup* groups;
  std::uint32_t group_count;
  // The same of each row group, and of all of the stripe before it.
  std::uint32_t* group_values;
  std::uint32_t* value_begins;
  // Bits of rows, the highest of a byte first, 1 where a value is present.
  std::uint8_t* present;
  // Of each stripe; of each row group.
  std::uint32_t* present_is_wrong;
  std::uint32_t* present_status;
  // As they are stored: 8 bytes each, or one, or of booleans a bit.
  std::uint8_t* values;
  std::uint32_t* data_is_wrong;
  std::uint32_t* data_status;
  std::uint32_t* value_status;
  std::int64_t* wrong_values;
  std::uint8_t* output;
};

// That of the calling thread in its grid. Of at most 2^27 warps: OrcBatchLimits sees to that.
__device__ inline std::uint32_t warp_number() {
  return (blockIdx.x * blockDim.x + threadIdx.x) / lanes_of_warp;
}

// Whether the row of the stripe is not null.
__device__ inline bool is_present(const BatchOnDevice& batch, const BatchStripe& stripe, std::uint32_t row) {
  if (stripe.present == no_stream) return true;
  return (batch.present[stripe.present_offset + row / 8] >> (7 - row % 8) & 1) != 0;
}

}  // namespace
}  // namespace gsst::codag::orc
