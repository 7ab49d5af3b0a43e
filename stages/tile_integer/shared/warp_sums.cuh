#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/warp_tile.cuh"

// How a thread block that sums hands over what it has.
namespace gsst::tile_integer {
namespace {

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
