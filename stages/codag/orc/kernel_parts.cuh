#pragma once

#include <cstdint>

#include "common/format/codag/status.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/codag/orc/batch_on_device.cuh"
#include "stages/codag/shared/chunk_status.cuh"
#include "stages/codag/shared/coded_chunk.cuh"

// Run lengths of a stream: a warp has what a row group adds to it. A position is where a run begins, and how
// many of the values from there on are earlier groups'. So all runs between two positions are decoded by the
// warp of the first, into their place among the stripe's values: also those of the run that ends an earlier
// group. No value is decoded twice, and the runs of a part must have exactly its values, which checks the
// positions.
namespace gsst::codag::orc {
namespace {

// One of a stripe's streams.
struct StreamOfStripe {
  bool is_present;
  // Of a value of the run lengths, in rows: 8 where it is a byte of bits.
  std::uint32_t rows_of_value;
  std::uint32_t value_bytes;
  bool is_signed;
  std::uint8_t* output;
  // Of each stripe: 1 if a position in the stream is wrong.
  std::uint32_t* is_wrong;
  // Of each row group.
  std::uint32_t* status;
};

// That of a stripe; no_stream if it has none.
__device__ inline std::uint32_t number_of(const StreamOfStripe& stream, const BatchStripe& stripe) {
  return stream.is_present ? stripe.present : stripe.data;
}

// Where a part begins, or the last one ends.
struct PlaceInStream {
  std::uint64_t byte;
  // Values before it, or more than there can be if the position is wrong.
  std::uint64_t values;
};

// That of the row group of this number. The one after the last is the stripe's end.
__device__ inline PlaceInStream place_of(const BatchOnDevice& batch, const StreamOfStripe& stream,
                                         std::uint32_t stripe_number, std::uint32_t number) {
  constexpr auto no_place = ~std::uint64_t{0};
  const BatchStripe& stripe = batch.stripes[stripe_number];
  const std::uint32_t stream_number = number_of(stream, stripe);
  const std::uint32_t stream_bytes = batch.stream_bytes[stream_number];
  if (number == stripe.groups.first + stripe.groups.count) {
    const std::uint32_t end = stream.is_present ? stripe.rows : batch.stripe_values[stripe_number];
    return {.byte = stream_bytes, .values = (end + stream.rows_of_value - 1) / stream.rows_of_value};
  }
  const BatchGroup& group = batch.groups[number];
  const BatchPosition& position = stream.is_present ? group.present : group.data;
  const BatchList& chunks = batch.streams[stream_number].chunks;
  const std::uint32_t chunk_begin =
      position.chunk == chunks.count ? stream_bytes : batch.chunk_begins[chunks.first + position.chunk];
  const std::uint32_t begin = stream.is_present ? group.first_row : batch.value_begins[number];
  const std::uint32_t values = begin / stream.rows_of_value;
  const bool is_right = position.values <= values && position.bits == begin % stream.rows_of_value;
  return {.byte = std::uint64_t{chunk_begin} + position.byte,
          .values = is_right ? values - position.values : no_place};
}

// Threads for all row groups: whether their parts follow each other. Else parts could have the same places,
// and nothing of the stripe's stream is decoded.
__global__ void check_orc_parts(BatchOnDevice batch, StreamOfStripe stream) {
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number >= batch.group_count) return;
  const std::uint32_t stripe_number = batch.groups[number].stripe;
  const BatchStripe& stripe = batch.stripes[stripe_number];
  const std::uint32_t stream_number = number_of(stream, stripe);
  if (stream_number == no_stream) return;
  const PlaceInStream begin = place_of(batch, stream, stripe_number, number);
  const PlaceInStream end = place_of(batch, stream, stripe_number, number + 1);
  if (begin.values <= end.values && end.values <= stripe.rows && begin.byte <= end.byte &&
      end.byte <= batch.stream_bytes[stream_number]) {
    return;
  }
  stream.status[number] = wrong_position;
  atomicOr(&stream.is_wrong[stripe_number], 1U);
}

// All lanes: decodes the part of a row group that is in the stripe's stream. The status.
template <typename Codec>
__device__ inline std::uint32_t decode_orc_part(const BatchOnDevice& batch, const StreamOfStripe& stream,
                                                std::uint32_t number, std::uint8_t* memory) {
  const std::uint32_t stripe_number = batch.groups[number].stripe;
  const BatchStripe& stripe = batch.stripes[stripe_number];
  const std::uint32_t stream_number = number_of(stream, stripe);
  const PlaceInStream begin = place_of(batch, stream, stripe_number, number);
  const PlaceInStream end = place_of(batch, stream, stripe_number, number + 1);
  const std::uint64_t offset = stream.is_present ? stripe.present_offset : stripe.value_offset;
  const CodedChunk chunk = {.stream = batch.bytes + batch.streams[stream_number].begin + begin.byte,
                            .stream_bytes = static_cast<std::uint32_t>(end.byte - begin.byte),
                            .stream_offset = static_cast<std::uint32_t>(begin.byte),
                            .output = stream.output + offset + begin.values * stream.value_bytes,
                            .values = static_cast<std::uint32_t>(end.values - begin.values),
                            .value_bytes = stream.value_bytes,
                            .is_signed = stream.is_signed,
                            .rest_bytes = 0};
  Codec codec(chunk, memory);
  const auto problem = codec.decode();
  return chunk_status(chunk, problem, codec, codec);
}

// Warps for all row groups, with Codec::buffer_bytes bytes of shared memory each.
template <typename Codec>
__global__ void decode_orc_parts(BatchOnDevice batch, StreamOfStripe stream) {
  GSST_SHARED_MEMORY(memory);
  const std::uint32_t number = warp_number();
  if (number >= batch.group_count) return;
  const std::uint32_t stripe = batch.groups[number].stripe;
  if (number_of(stream, batch.stripes[stripe]) == no_stream || stream.is_wrong[stripe] != 0) return;
  const std::uint32_t status = decode_orc_part<Codec>(
      batch, stream, number, memory + threadIdx.x / lanes_of_warp * Codec::buffer_bytes);
  if (lane_number() == 0) stream.status[number] = status;
}

}  // namespace
}  // namespace gsst::codag::orc
