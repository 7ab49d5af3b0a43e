#pragma once

#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/launch.hpp"
#include "stages/codag/shared/lane_masks.cuh"
#include "stages/codag/shared/stream_lines.cuh"
#include "stages/codag/shared/warp_lanes.cuh"

// Varints in bytes where a lane may look anywhere: WindowBytes or RegionBytes.
namespace gsst::codag {
namespace {

// Seven bits of each of the lowest `bytes` bytes, or of all four.
__device__ inline std::uint32_t septets(std::uint32_t word, std::uint32_t bytes) {
  if (bytes < 4) word &= (std::uint32_t{1} << 8 * bytes) - 1;
  const std::uint32_t pairs = (word & 0x007f007f) | (word & 0x7f007f00) >> 1;
  return (pairs & 0x3fff) | pairs >> 16 << 14;
}

// The calling lane's: the number of the varint of `length` bytes at `position`. Bits past the 64th are lost.
template <typename Bytes>
__device__ inline std::uint64_t varint_at(const Bytes& bytes, std::uint32_t position, std::uint32_t length) {
  std::uint64_t number = septets(bytes.word(position), length);
  if (length > 4) number |= std::uint64_t{septets(bytes.word(position + 4), length - 4)} << 28;
  if (length > 8) number |= std::uint64_t{septets(bytes.word(position + 8), length - 8)} << 56;
  return number;
}

// The highest bits of those of a word's bytes that end a varint.
__device__ inline std::uint32_t ends_in(std::uint32_t word) {
  return ~word & 0x80808080;
}

// Seven bits of each of a word's bytes up to the first that ends a varint, or of all four.
__device__ inline std::uint32_t septets_to_end(std::uint32_t word) {
  const std::uint32_t ends = ends_in(word);
  // Of no end that is all bits.
  return septets(word & ((ends & (0 - ends)) - 1), word_bytes);
}

// The calling lane's: the number of the varint at `position`, which has an end. Bits past the 64th are lost.
template <typename Bytes>
__device__ inline std::uint64_t varint_at(const Bytes& bytes, std::uint32_t position) {
  const std::uint32_t word = bytes.word(position);
  std::uint64_t number = septets_to_end(word);
  if (ends_in(word) == 0) {
    const std::uint32_t second = bytes.word(position + 4);
    number |= std::uint64_t{septets_to_end(second)} << 28;
    if (ends_in(second) == 0) {
      number |= std::uint64_t{septets_to_end(bytes.word(position + 8))} << 56;
    }
  }
  return number;
}

// The calling lane's: how many bytes the varint at `position` has; 10 where there are more than nine.
template <typename Bytes>
__device__ inline std::uint32_t bytes_of_varint(const Bytes& bytes, std::uint32_t position) {
  const std::uint32_t ends = ends_in(bytes.word(position));
  if (ends != 0) return lowest_one(ends) / 8;
  const std::uint32_t second_ends = ends_in(bytes.word(position + 4));
  if (second_ends != 0) return 4 + lowest_one(second_ends) / 8;
  return bytes.byte(position + 8) < 0x80 ? 9 : 10;
}

// All lanes: how many bytes the varint at `position` has. 0 if there are more than 32.
template <typename Bytes>
__device__ inline std::uint32_t varint_length(const Bytes& bytes, std::uint32_t position) {
  return lowest_one(__ballot_sync(every_lane, bytes.byte(position + lane_number()) < 0x80));
}

// The calling lane's: whether the varint of `length` bytes, 0 for very many, has more than 64 bits.
template <typename Bytes>
__device__ inline bool is_overlong(const Bytes& bytes, std::uint32_t position, std::uint32_t length) {
  using namespace format::codag;
  return length - 1 >= max_varint_bytes ||
         (length == max_varint_bytes && bytes.byte(position + length - 1) > max_last_varint_byte);
}

}  // namespace
}  // namespace gsst::codag
