#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// Sums over a thread block (paper, section 5.2: the block-wide prefix sum).
namespace gsst::tile_integer {
namespace {

// The sum of the values of this thread and of all before it; `total` becomes that of all. Sums wrap. All
// `threads` threads of the block call it, a multiple of 32. `shared` has one entry a warp in shared memory,
// and may be used again afterwards, since the last thing is a barrier.
template <typename Sum, int threads>
__device__ inline Sum block_inclusive_sum(Sum value, Sum* shared, Sum& total) {
  constexpr std::uint32_t lanes = 32;
  constexpr std::uint32_t all_lanes = 0xffffffff;
  constexpr std::uint32_t warps = threads / lanes;
  static_assert(threads % lanes == 0 && warps >= 1);
  const std::uint32_t lane = threadIdx.x % lanes;
  const std::uint32_t warp = threadIdx.x / lanes;
  // In step s each lane adds the sum of the 2^s lanes that end where its own sum begins.
  Sum sum = value;
  for (std::uint32_t distance = 1; distance < lanes; distance *= 2) {
    const Sum before = __shfl_up_sync(all_lanes, sum, distance);
    if (lane >= distance) sum += before;
  }
  if (lane == lanes - 1) shared[warp] = sum;
  __syncthreads();
  total = 0;
  for (std::uint32_t other = 0; other < warps; ++other) {
    if (other < warp) sum += shared[other];
    total += shared[other];
  }
  __syncthreads();
  return sum;
}

// All threads: replaces each of `threads` times `numbers_of_thread` numbers in shared memory by the sum of
// `before` and of all numbers up to its own. `shared` is as above. The numbers may be read after a barrier.
template <typename Number, int threads, int numbers_of_thread>
__device__ inline void sum_in_place(Number* numbers, Number before, Number* shared) {
  // Neighbours are a thread's, so that it has their sum by itself.
  Number* const own = numbers + threadIdx.x * numbers_of_thread;
  Number own_total = 0;
  for (int i = 0; i < numbers_of_thread; ++i) own_total += own[i];
  Number total = 0;
  Number sum = before - own_total + block_inclusive_sum<Number, threads>(own_total, shared, total);
  for (int i = 0; i < numbers_of_thread; ++i) {
    sum += own[i];
    own[i] = sum;
  }
}

}  // namespace
}  // namespace gsst::tile_integer
