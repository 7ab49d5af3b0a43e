#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_instructions.cuh"

// Shorter ways to unpack for packed blocks whose four widths are in one class. All lanes of a packed block
// take the same way, since they look at the same four widths.
namespace gsst::tile_integer {
namespace {

// Whether all four bytes of `widths`, each up to 64, are at most `width`. A byte above it carries into its
// highest bit.
__device__ inline bool are_at_most(std::uint32_t widths, std::uint32_t width) {
  return ((widths + (0x7f - width) * 0x01010101U) & 0x80808080U) == 0;
}
__device__ inline bool are_above(std::uint32_t widths, std::uint32_t width) {
  return ((widths + (0x7f - width) * 0x01010101U) & 0x80808080U) == 0x80808080U;
}

// As unpack_any() for up to 8 bits: four values are within 32 bits, and these within two words.
__device__ inline void unpack_up_to_8(const std::uint32_t* words, std::uint32_t bit, std::uint32_t width,
                                      std::uint32_t* values) {
  const std::uint32_t* const own = words + bit / 32;
  const std::uint32_t bits = __funnelshift_r(own[0], own[1], bit);
  const std::uint32_t ones = lowest_ones(width);
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) values[i] = bits >> i * width & ones;
}

// As unpack_any() for up to 16 bits: two values are within 32 bits, the other two within those that follow.
__device__ inline void unpack_up_to_16(const std::uint32_t* words, std::uint32_t bit, std::uint32_t width,
                                       std::uint32_t* values) {
  const std::uint32_t* const own = words + bit / 32;
  const std::uint32_t first = __funnelshift_r(own[0], own[1], bit);
  const std::uint32_t next = __funnelshift_r(own[1], own[2], bit);
  const std::uint32_t second = shift_pair_clamped(first, next, 2 * width);
  const std::uint32_t ones = lowest_ones(width);
  values[0] = first & ones;
  values[1] = first >> width & ones;
  values[2] = second & ones;
  values[3] = second >> width & ones;
}

// As unpack_any() for 17 to 32 bits: which words values 1 and 2 begin in is known, and of value 3 it is one
// of two.
__device__ inline void unpack_above_16(const std::uint32_t* words, std::uint32_t bit, std::uint32_t width,
                                       std::uint32_t* values) {
  const std::uint32_t* const own = words + bit / 32;
  std::uint32_t bits[4];
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) bits[i] = __funnelshift_r(own[i], own[i + 1], bit);
  const std::uint32_t ones = lowest_ones(width);
  const std::uint32_t third = 3 * width;
  const bool is_far = third >= 64;
  values[0] = bits[0] & ones;
  values[1] = shift_pair_clamped(bits[0], bits[1], width) & ones;
  values[2] = shift_pair_clamped(bits[1], bits[2], 2 * width - 32) & ones;
  values[3] = shift_pair_clamped(is_far ? bits[2] : bits[1], is_far ? bits[3] : bits[2],
                                 is_far ? third - 64 : third - 32) &
              ones;
}

// As unpack_long() for up to 32 bits: within two words.
__device__ inline std::uint32_t unpack_up_to_32(const std::uint32_t* words, std::uint32_t bit,
                                                std::uint32_t width) {
  const std::uint32_t* const own = words + bit / 32;
  return __funnelshift_r(own[0], own[1], bit) & lowest_ones(width);
}

// The lane's values without the reference, in the way that fits the packed block.
template <std::uint32_t ValueBytes>
__device__ inline LaneValues<ValueBytes> unpack_by_class(const LaneBlock<ValueBytes>& block) {
  LaneValues<ValueBytes> lane;
  if constexpr (ValueBytes == 1) {
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_lane<1>; i += 4) {
      unpack_up_to_8(block.miniblock, block.bit + i * block.width, block.width, lane.values + i);
    }
  } else if constexpr (ValueBytes == 2) {
#pragma unroll
    for (std::uint32_t i = 0; i < values_of_lane<2>; i += 4) {
      unpack_up_to_16(block.miniblock, block.bit + i * block.width, block.width, lane.values + i);
    }
  } else if constexpr (ValueBytes == 4) {
    if (are_at_most(block.widths, 8)) {
      unpack_up_to_8(block.miniblock, block.bit, block.width, lane.values);
    } else if (are_at_most(block.widths, 16)) {
      unpack_up_to_16(block.miniblock, block.bit, block.width, lane.values);
    } else if (are_above(block.widths, 16)) {
      unpack_above_16(block.miniblock, block.bit, block.width, lane.values);
    } else {
      unpack_any(block.miniblock, block.bit, block.width, lane.values);
    }
  } else {
    if (are_at_most(block.widths, 32)) {
#pragma unroll
      for (std::uint32_t i = 0; i < values_of_lane<8>; ++i) {
        lane.values[i] = unpack_up_to_32(block.miniblock, block.bit + i * block.width, block.width);
      }
    } else {
#pragma unroll
      for (std::uint32_t i = 0; i < values_of_lane<8>; ++i) {
        lane.values[i] = unpack_long(block.miniblock, block.bit + i * block.width, block.width);
      }
    }
  }
  return lane;
}

}  // namespace
}  // namespace gsst::tile_integer
