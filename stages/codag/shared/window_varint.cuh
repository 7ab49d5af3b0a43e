#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/window_bytes.cuh"

// Varints of which the length is known.
namespace gsst::codag {
namespace {

// Seven bits of each of the lowest `bytes` bytes, or of all four.
__device__ inline std::uint32_t septets(std::uint32_t word, std::uint32_t bytes) {
  if (bytes < 4) word &= (std::uint32_t{1} << 8 * bytes) - 1;
  const std::uint32_t pairs = (word & 0x007f007f) | (word & 0x7f007f00) >> 1;
  return (pairs & 0x3fff) | pairs >> 16 << 14;
}

// The calling lane's: the number of the varint of `length` bytes at `position`. Bits past the 64th are lost.
__device__ inline std::uint64_t varint_at(const WindowBytes& bytes, std::uint32_t position,
                                          std::uint32_t length) {
  std::uint64_t number = septets(bytes.word(position), length);
  if (length > 4) number |= std::uint64_t{septets(bytes.word(position + 4), length - 4)} << 28;
  if (length > 8) number |= std::uint64_t{septets(bytes.word(position + 8), length - 8)} << 56;
  return number;
}

}  // namespace
}  // namespace gsst::codag
