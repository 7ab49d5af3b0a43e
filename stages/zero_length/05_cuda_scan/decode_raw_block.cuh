#pragma once

#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "stages/zero_length/05_cuda_scan/decode_payload.cuh"

namespace gsst::zero_length::decoder {
namespace {

// The vector that begins `shift` bytes after the start of `low`, which `high` follows.
__device__ inline Vector shifted_vector(const Vector& low, const Vector& high, std::uint32_t shift) {
  std::uint32_t words[8] = {low.words[0],  low.words[1],  low.words[2],  low.words[3],
                            high.words[0], high.words[1], high.words[2], high.words[3]};
  // By registers whose numbers the compiler knows.
#pragma unroll
  for (unsigned word = 0; word < 6; ++word) words[word] = (shift & 8) != 0 ? words[word + 2] : words[word];
#pragma unroll
  for (unsigned word = 0; word < 5; ++word) words[word] = (shift & 4) != 0 ? words[word + 1] : words[word];
  Vector vector;
#pragma unroll
  for (unsigned word = 0; word < 4; ++word) {
    vector.words[word] = __funnelshift_r(words[word], words[word + 1], 8 * (shift % 4));
  }
  return vector;
}

// Copies bytes `begin` to `end` of a block that is stored as it is, in vectors but for the ends: `thread` of
// `threads` its part.
__device__ inline void copy_raw_part(const stage::BlockOnDevice& block, std::uint32_t begin,
                                     std::uint32_t end, std::uint32_t thread, std::uint32_t threads) {
  std::uint8_t* const output = block.output + begin;
  const std::uint32_t bytes = end - begin;
  const auto unaligned =
      static_cast<std::uint32_t>((0 - reinterpret_cast<std::uintptr_t>(output)) % vector_bytes);
  const std::uint32_t head = unaligned < bytes ? unaligned : bytes;
  const std::uint32_t vectors = (bytes - head) / vector_bytes;
  const Payload body(block.payload + begin + head, vectors * vector_bytes);
  for (std::uint32_t i = thread; i < vectors; i += threads) {
    const std::uint32_t offset = i * vector_bytes;
    const Vector low = body.load(offset);
    *reinterpret_cast<Vector*>(output + head + offset) =
        shifted_vector(low, body.begin() == 0 ? low : body.load(offset + vector_bytes), body.begin());
  }
  const std::uint32_t tail = head + vectors * vector_bytes;
  if (thread < head) output[thread] = block.payload[begin + thread];
  if (thread < bytes - tail) output[tail + thread] = block.payload[begin + tail + thread];
}

}  // namespace
}  // namespace gsst::zero_length::decoder
