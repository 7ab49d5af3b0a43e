#pragma once

#include <cstdint>

#include "common/device/memory_order.hpp"
#include "common/format/host_device.hpp"

/// A prefix sum over the tiles of a grid in one pass (decoupled look-back). Each tile has a state word in
/// global memory, which is 0 at first. A tile publishes its own sum at once; then one of its warps looks back
/// over the states before it, 128 at a time, until it meets a tile whose sum from the start on is known, and
/// publishes its own such sum. So a tile waits for the sums of earlier tiles and never for their look-back.
///
/// A word holds all that is passed on, so that its accesses need no order: who passes on more than the sum
/// orders that itself.
///
/// Tiles must be numbered by ticket_of_block(), not by blockIdx: a tile waits for those before it.
namespace gsst::device {

/// Bits of a sum; the two above say what a state word holds.
inline constexpr unsigned look_back_sum_bits = 62;

namespace look_back_detail {

inline constexpr std::uint64_t sum_of_tile = std::uint64_t{1} << look_back_sum_bits;
inline constexpr std::uint64_t sum_from_start = std::uint64_t{2} << look_back_sum_bits;
inline constexpr std::uint64_t sum_mask = sum_of_tile - 1;
inline constexpr unsigned lanes = 32;
// Groups of 32 states that are read at the same time. A GPU has some 600 tiles under way, of which most know
// their own sum only. Read 32 at a time they are a chain of up to 20 accesses, for which an encoder's warps
// waited half of their time on an H200.
inline constexpr unsigned groups = 4;
inline constexpr std::uint32_t every_lane = 0xffffffff;

}  // namespace look_back_detail

/// The number of the thread block in the order in which blocks started: the tile that it works on. All
/// threads of the block call it; `counter` is a word of global memory that is 0 before the launch, `shared`
/// one of shared memory, which nobody else uses before the next barrier.
__device__ inline std::uint32_t ticket_of_block(unsigned* counter, unsigned* shared) {
  if (threadIdx.x == 0) *shared = atomicAdd(counter, 1u);
  __syncthreads();
  return *shared;
}

/// One thread of a tile: its sum is `sum`, less than 2^62. `state` is the tile's word.
__device__ inline void publish_sum_of_tile(std::uint64_t* state, std::uint64_t sum) {
  store_relaxed(state, look_back_detail::sum_of_tile | sum);
}

/// One thread of a tile: the sum of it and of all tiles before it is `sum`, less than 2^62. A tile that knows
/// it without its predecessors, because sums start anew there, publishes it at once, and nobody looks
/// further back.
__device__ inline void publish_sum_from_start(std::uint64_t* state, std::uint64_t sum) {
  store_relaxed(state, look_back_detail::sum_from_start | sum);
}

/// The sum of all tiles before `tile`, a number less than 2^31 - 128; in each lane the same. All lanes of one
/// warp call it, with the states of all tiles. Waits until the tiles before it that it needs have published
/// something.
__device__ inline std::uint64_t sum_before_tile(const std::uint64_t* states, std::uint32_t tile) {
  using namespace look_back_detail;
  const unsigned lane = threadIdx.x % lanes;
  // Of the states that this lane has read.
  std::uint64_t sum = 0;
  bool is_complete = false;
  for (auto last = static_cast<std::int32_t>(tile) - 1; last >= 0 && !is_complete; last -= groups * lanes) {
    const auto read = [&](unsigned group) {
      const auto mine = static_cast<std::int32_t>(last - group * lanes - lane);
      // In front of the first tile the sum is 0.
      return mine >= 0 ? load_relaxed(&states[mine]) : sum_from_start;
    };
    std::uint64_t group_states[groups];
#pragma unroll
    for (unsigned group = 0; group < groups; ++group) group_states[group] = read(group);
#pragma unroll
    for (unsigned group = 0; group < groups; ++group) {
      if (is_complete) break;
      std::uint64_t& state = group_states[group];
      std::uint32_t known = __ballot_sync(every_lane, state >= sum_from_start);
      // Whether the tile is not before the nearest one whose sum is known from the start on.
      bool counts = (known & ((std::uint32_t{1} << lane) - 1)) == 0;
      while (__any_sync(every_lane, counts && state <= sum_mask)) {
        state = read(group);
        known = __ballot_sync(every_lane, state >= sum_from_start);
        counts = (known & ((std::uint32_t{1} << lane) - 1)) == 0;
      }
      if (counts) sum += state & sum_mask;
      is_complete = known != 0;
    }
  }
  for (int distance = lanes / 2; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(every_lane, sum, distance);
  }
  return sum;
}

/// The sum that a state word holds: of a kernel that is done, the sum from the start on.
GSST_HOST_DEVICE inline std::uint64_t published_sum(std::uint64_t state) {
  return state & look_back_detail::sum_mask;
}

}  // namespace gsst::device
