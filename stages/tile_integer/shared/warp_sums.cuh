#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Sums over a warp. They wrap. All lanes call each function together.
namespace gsst::tile_integer {
namespace {

// The sum of the values of this lane and of all before it, for each of `Count` numbers.
template <std::uint32_t Count, typename Number>
__device__ inline void warp_inclusive_sums(Number (&sums)[Count]) {
  const std::uint32_t lane = lane_number();
#pragma unroll
  for (std::uint32_t distance = 1; distance < lanes_of_warp; distance *= 2) {
#pragma unroll
    for (std::uint32_t i = 0; i < Count; ++i) {
      const Number before = __shfl_up_sync(every_lane, sums[i], distance);
      if (lane >= distance) sums[i] += before;
    }
  }
}

// The sum of all lanes' values.
__device__ inline std::uint32_t warp_sum(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_add_sync(every_lane, value);
#else
  for (std::uint32_t distance = lanes_of_warp / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(every_lane, value, static_cast<int>(distance));
  }
  return value;
#endif
}

}  // namespace
}  // namespace gsst::tile_integer
