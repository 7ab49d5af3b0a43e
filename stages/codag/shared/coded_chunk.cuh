#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// A chunk is a block of the frame: what its payload holds.
namespace gsst::codag {
namespace {

struct CodedChunk {
  // The codec's bytes, and how many bytes of the payload precede them.
  const std::uint8_t* stream;
  std::uint32_t stream_bytes;
  std::uint32_t stream_offset;
  std::uint8_t* output;
  std::uint32_t values;
  std::uint32_t value_bytes;
  bool is_signed;
  // Bytes that are no whole value. They follow the stream, and the values.
  std::uint32_t rest_bytes;
};

// That of a block of a format of integers.
__device__ inline CodedChunk integer_chunk(const stage::BlockOnDevice& block) {
  using namespace format::codag;
  const auto type = static_cast<Type>(block.payload[type_offset]);
  const std::uint32_t value_bytes = type == Type::i8 ? 1 : type == Type::i16 ? 2 : type < Type::i64 ? 4 : 8;
  const std::uint32_t rest_bytes = block.uncompressed_bytes % value_bytes;
  const auto offset = static_cast<std::uint32_t>(stream_offset);
  return {.stream = block.payload + offset,
          .stream_bytes = block.payload_bytes - offset - rest_bytes,
          .stream_offset = offset,
          .output = block.output,
          .values = block.uncompressed_bytes / value_bytes,
          .value_bytes = value_bytes,
          .is_signed = type != Type::u32 && type != Type::u64,
          .rest_bytes = rest_bytes};
}

// That of a block of bytes.
__device__ inline CodedChunk byte_chunk(const stage::BlockOnDevice& block) {
  return {.stream = block.payload,
          .stream_bytes = block.payload_bytes,
          .stream_offset = 0,
          .output = block.output,
          .values = block.uncompressed_bytes,
          .value_bytes = 1,
          .is_signed = false,
          .rest_bytes = 0};
}

// All threads of `Team`: copies bytes, neighbours to neighbours.
template <typename Team = WarpTeam>
__device__ inline void copy_bytes(const std::uint8_t* input, std::uint32_t count, std::uint8_t* output) {
  for (std::uint64_t i = Team::number(); i < count; i += Team::count()) output[i] = input[i];
}

// All lanes of a warp: copies what follows the values.
__device__ inline void copy_rest(const CodedChunk& chunk) {
  copy_bytes(chunk.stream + chunk.stream_bytes, chunk.rest_bytes,
             chunk.output + std::uint64_t{chunk.values} * chunk.value_bytes);
}

}  // namespace
}  // namespace gsst::codag
