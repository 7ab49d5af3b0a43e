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

// Of shared memory, for the warps of a thread block.
constexpr std::uint32_t bytes_of_warp_sums = lanes_of_warp * sizeof(std::uint32_t);

// All threads of the block: adds the sum of their numbers to `answer`, modulo 2^32, with one atomic access a
// block. `memory` is shared memory, aligned to 4, bytes_of_warp_sums bytes that nobody else uses.
__device__ inline void add_to_answer(std::uint32_t number, std::uint32_t* answer, std::uint8_t* memory) {
  auto* const sums = reinterpret_cast<std::uint32_t*>(memory);
  for (std::uint32_t distance = lanes_of_warp / 2; distance > 0; distance /= 2) {
    number += __shfl_xor_sync(every_lane, number, static_cast<int>(distance));
  }
  if (lane_number() == 0) sums[threadIdx.x / lanes_of_warp] = number;
  __syncthreads();
  if (threadIdx.x != 0) return;
  std::uint32_t total = 0;
  for (std::uint32_t warp = 0; warp < blockDim.x / lanes_of_warp; ++warp) total += sums[warp];
  atomicAdd(answer, total);
}

}  // namespace
}  // namespace gsst::tile_integer
