#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/warp_lanes.cuh"
#include "stages/codag/shared/window_bytes.cuh"

// Varints in a window, of which the length is found first.
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

// All lanes: how many bytes the varint at `position` has. 0 if there are more than 32.
__device__ inline std::uint32_t varint_length(const WindowBytes& bytes, std::uint32_t position) {
  return lowest_one(__ballot_sync(every_lane, bytes.byte(position + lane_number()) < 0x80));
}

// The calling lane's: whether the varint of `length` bytes, 0 for very many, has more than 64 bits.
__device__ inline bool is_overlong(const WindowBytes& bytes, std::uint32_t position, std::uint32_t length) {
  using namespace format::codag;
  return length - 1 >= max_varint_bytes ||
         (length == max_varint_bytes && bytes.byte(position + length - 1) > max_last_varint_byte);
}

}  // namespace
}  // namespace gsst::codag
