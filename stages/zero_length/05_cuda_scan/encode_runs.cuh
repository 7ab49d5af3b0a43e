#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/05_cuda_scan/encode_bits.cuh"

// Which elements a chunk's bytes become (FORMAT.md, section 11.1), by operations on bits.
//
// A run is cut in front of each zero whose position in the run is a multiple of 252. A zero is linked if the
// byte before it is a zero and the run is not cut between them. So a piece of a run, whose zeros are one
// element if it has 3 or more, is a zero that is not linked and the linked ones after it, and
//   a zero is dropped     if the next one and the one after that are linked,
//   becomes the marker    if it and the next one are linked, and the one after that is not,
//   becomes the length    if it and the one before it are linked, and the next one is not,
//   stays as it is        else: pieces of 1 and 2 zeros.
// What comes of a byte so depends on two bytes after it, and on the zeros before it through their number
// modulo 252 alone.
namespace gsst::zero_length::encoder {
namespace {

constexpr auto longest = static_cast<std::uint32_t>(format::zero_length::longest_run);

// The linked zeros of a chunk that `before` zeros of a piece come before, less than 252.
__device__ inline std::uint32_t linked_zeros(std::uint32_t zeros, std::uint32_t before) {
  std::uint32_t linked = zeros & (zeros << 1 | (before != 0 ? 1U : 0U));
  if (before > longest - chunk_bytes) {
    // Only where the piece goes on up to there.
    const std::uint32_t cut = longest - before;
    if ((~zeros & bits_below(cut)) == 0) linked &= ~(std::uint32_t{1} << cut);
  }
  return linked;
}

// Zeros at the end of a chunk; 32 if all bytes are.
__device__ inline std::uint32_t zeros_at_end(std::uint32_t zeros) {
  return leading_zeros(~zeros);
}

// Zeros of a piece before what follows the chunk, less than 252.
__device__ inline std::uint32_t zeros_before_next(std::uint32_t zeros, std::uint32_t before) {
  const std::uint32_t at_end = zeros_at_end(zeros);
  if (at_end < chunk_bytes) return at_end;
  return before + chunk_bytes < longest ? before + chunk_bytes : before + chunk_bytes - longest;
}

struct ElementBits {
  // Zeros of which nothing is written, and bytes after the block's end.
  std::uint32_t dropped;
  // Bytes FF, which become FF 00.
  std::uint32_t markers;
  // The linked zeros, and those of the two bytes after the chunk in bits 0 and 1.
  std::uint32_t linked;
  std::uint32_t linked_behind;
  // Zeros of a piece before the chunk.
  std::uint32_t before;

  // Bytes of the elements.
  __device__ std::uint32_t bytes() const { return chunk_bytes - count_ones(dropped) + count_ones(markers); }
  // Bytes of the elements of the bytes below `bit`.
  __device__ std::uint32_t bytes_below(std::uint32_t bit) const {
    const std::uint32_t below = bits_below(bit);
    return bit - count_ones(dropped & below) + count_ones(markers & below);
  }
  // Zeros that become the length of a piece.
  __device__ std::uint32_t lengths() const {
    const std::uint32_t previous = linked << 1 | (before > 1 ? 1U : 0U);
    return linked & previous & ~__funnelshift_r(linked, linked_behind, 1);
  }
  // Whether the last byte becomes the marker of a piece. Any other marker comes right before its length.
  __device__ bool ends_with_marker() const {
    return (linked >> (chunk_bytes - 1) & linked_behind & ~(linked_behind >> 1) & 1) != 0;
  }
  // The length that is stored where bit `bit` is, one of lengths().
  __device__ std::uint32_t length_at(std::uint32_t bit) const {
    const std::uint32_t not_linked = ~linked & bits_below(bit);
    if (not_linked == 0) return before + bit + 1;
    return bit + 1 - (chunk_bytes - 1 - leading_zeros(not_linked));
  }
};

__device__ inline ElementBits element_bits(const ByteBits& bits, std::uint32_t valid, std::uint32_t linked,
                                           std::uint32_t linked_behind, std::uint32_t before) {
  return {.dropped = (__funnelshift_r(linked, linked_behind, 1) & __funnelshift_r(linked, linked_behind, 2)) |
                     ~valid,
          .markers = bits.markers,
          .linked = linked,
          .linked_behind = linked_behind,
          .before = before};
}

// A chunk whose bytes are written as they are.
__device__ inline ElementBits plain_bits(std::uint32_t valid) {
  return {.dropped = ~valid, .markers = 0, .linked = 0, .linked_behind = 0, .before = 0};
}

}  // namespace
}  // namespace gsst::zero_length::encoder
