#pragma once

#include "common/stage/launch.hpp"

namespace {

// What sum_of_block() gives each thread.
template <typename Value>
struct BlockSum {
  // Of the values of all threads before this one.
  Value before;
  // Of all threads.
  Value total;
};

// Sums up the threads' values. All threads of the block call it, and they are whole warps; `warp_sums` is
// shared memory, one value a warp.
template <typename Value>
__device__ BlockSum<Value> sum_of_block(Value value, Value* warp_sums) {
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  Value inclusive = value;
  for (unsigned delta = 1; delta < 32; delta *= 2) {
    const Value other = __shfl_up_sync(0xffffffff, inclusive, delta);
    if (lane >= delta) inclusive += other;
  }
  // The sums of a call before may still be read.
  __syncthreads();
  if (lane == 31) warp_sums[warp] = inclusive;
  __syncthreads();
  BlockSum<Value> sum = {.before = inclusive - value, .total = 0};
  for (unsigned other = 0; other < blockDim.x / 32; ++other) {
    if (other < warp) sum.before += warp_sums[other];
    sum.total += warp_sums[other];
  }
  return sum;
}

}  // namespace
