#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Sums where each thread block ends with its tile, so that there are far more of them than run at once.
namespace gsst::tile_integer {
namespace {

// Threads of a block, and what it has of shared memory for its sum.
constexpr std::uint32_t threads_of_partial_sums = format::tile_integer::packed_block_values;
constexpr std::uint32_t warps_of_partial_sums = threads_of_partial_sums / lanes_of_warp;
constexpr std::uint32_t bytes_of_partial_sums = warps_of_partial_sums * sizeof(std::uint32_t);

// What thread blocks add their sums to. With one number for all, the atomic accesses of small tiles would
// follow each other at one address, and take as long as the decoding.
struct PartialSums {
  std::uint32_t* numbers;
  // A power of two.
  std::uint32_t count;

  // All threads_of_partial_sums threads of a block: adds the sum of their numbers, modulo 2^32, with one
  // atomic access. `memory` is shared memory, aligned to 4, bytes_of_partial_sums bytes that nobody else
  // uses.
  __device__ void add(std::uint32_t number, std::uint8_t* memory) const {
    auto* const of_warps = reinterpret_cast<std::uint32_t*>(memory);
    const std::uint32_t of_warp = warp_sum(number);
    if (lane_number() == 0) of_warps[threadIdx.x / lanes_of_warp] = of_warp;
    __syncthreads();
    if (threadIdx.x != 0) return;
    std::uint32_t total = 0;
#pragma unroll
    for (std::uint32_t warp = 0; warp < warps_of_partial_sums; ++warp) total += of_warps[warp];
    atomicAdd(numbers + (blockIdx.x & (count - 1)), total);
  }
};

// One thread block: adds all partial sums to `answer`, and leaves 0 in their place. With bytes_of_warp_sums
// of shared memory.
__global__ void add_partial_sums(PartialSums sums, std::uint32_t* answer) {
  GSST_SHARED_MEMORY(memory);
  std::uint32_t sum = 0;
  for (std::uint32_t i = threadIdx.x; i < sums.count; i += blockDim.x) {
    sum += sums.numbers[i];
    sums.numbers[i] = 0;
  }
  add_to_answer(sum, answer, memory);
}

}  // namespace
}  // namespace gsst::tile_integer
