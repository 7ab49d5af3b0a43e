#pragma once

#include <bit>
#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/codag/shared/warp_lanes.cuh"

// Words of a bit for each lane.
namespace gsst::codag {
namespace {

// How many bits of a mask are 1.
__device__ inline std::uint32_t count_of_ones(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(mask));
#else
  return static_cast<std::uint32_t>(std::popcount(mask));
#endif
}

// The place of the lowest 1, counted from 1; 0 where there is none.
__device__ inline std::uint32_t lowest_one(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(mask)));
#else
  return mask == 0 ? 0 : static_cast<std::uint32_t>(std::countr_zero(mask)) + 1;
#endif
}

// The same of the highest 1.
__device__ inline std::uint32_t highest_one(std::uint32_t mask) {
#if defined(__CUDA_ARCH__)
  return 32 - static_cast<std::uint32_t>(__clz(static_cast<int>(mask)));
#else
  return static_cast<std::uint32_t>(std::bit_width(mask));
#endif
}

// Bits of the lanes below the calling one.
__device__ inline std::uint32_t lower_lanes() {
  return (std::uint32_t{1} << lane_number()) - 1;
}

// All lanes: the bits that any of them gives.
__device__ inline std::uint32_t bits_of_all(std::uint32_t bits) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return __reduce_or_sync(every_lane, bits);
#else
  for (int distance = 1; distance < 32; distance *= 2) {
    bits |= __shfl_xor_sync(every_lane, bits, distance);
  }
  return bits;
#endif
}

// All lanes: the sum of the numbers of the lanes up to the calling one.
template <typename Number>
__device__ inline Number sum_up_to_lane(Number number) {
  for (std::uint32_t distance = 1; distance < lanes_of_warp; distance *= 2) {
    const Number other = __shfl_up_sync(every_lane, number, distance);
    if (lane_number() >= distance) number += other;
  }
  return number;
}

}  // namespace
}  // namespace gsst::codag
