#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_tile.cuh"

// Zeros before a thread's bytes, which are what the bytes before tell of a run that goes on: from thread to
// thread, from warp to warp, and from tile to tile by look-back. Nothing is read twice for it, so that it
// costs the same however long a run is.
namespace gsst::zero_length::encoder {
namespace {

constexpr std::uint32_t warp_input_bytes = lanes_of_warp * thread_bytes;

// All threads of the block: tells the warps of each other's zeros.
__device__ inline void share_zeros(TileShared& shared, const ThreadInput& input) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const unsigned warp = threadIdx.x / lanes_of_warp;
  const std::uint32_t other = __ballot_sync(every_lane, input.zeros != thread_bytes);
  // The last lane that is not all zeros knows how many there are at the end.
  const std::uint32_t after = leading_zeros(other);
  if (other == 0 ? lane == 0 : lane == lanes_of_warp - 1 - after) {
    shared.warp_zeros[warp] = other == 0 ? warp_input_bytes : input.zeros + after * thread_bytes;
  }
  if (lane == 0) shared.warp_first_zeros[warp] = input.bits[0].zeros & 3;
  __syncthreads();
}

// Zeros at the end of what the first `warps` warps have, with `before` zeros before the first one.
__device__ inline std::uint32_t zeros_at_end_of_warps(const TileShared& shared, std::uint32_t warps,
                                                      std::uint32_t before) {
  std::uint32_t zeros = 0;
  for (std::uint32_t warp = warps; warp > 0; --warp) {
    zeros += shared.warp_zeros[warp - 1];
    if (shared.warp_zeros[warp - 1] != warp_input_bytes) return zeros;
  }
  return zeros + before;
}

// The first warp: the zeros before a tile that starts with one, which is not the first of its block.
__device__ inline void ask_for_zeros(const EncodeJob& job, TileShared& shared) {
  const std::uint64_t before = device::sum_before_tile(job.tile_zeros_states, shared.tile);
  if (threadIdx.x != 0) return;
  shared.zeros_before = static_cast<std::uint32_t>(before % longest);
  const std::uint32_t own = zeros_at_end_of_warps(shared, blockDim.x / lanes_of_warp, 0);
  if (own == blockDim.x * thread_bytes) {
    device::publish_sum_from_start(&job.tile_zeros_states[shared.tile], before + own);
  }
}

// All threads of the block: tells other tiles of the zeros at this one's end, and gets those before it. Only
// a tile that starts with a zero waits for others.
__device__ inline void exchange_zeros(const EncodeJob& job, TileShared& shared) {
  if (threadIdx.x == 0) {
    std::uint64_t* const state = &job.tile_zeros_states[shared.tile];
    const std::uint32_t own = zeros_at_end_of_warps(shared, blockDim.x / lanes_of_warp, 0);
    if (own == blockDim.x * thread_bytes && shared.is_first_of_block == 0) {
      device::publish_sum_of_tile(state, own);
    } else {
      device::publish_sum_from_start(state, own);
    }
  }
  if ((shared.warp_first_zeros[0] & 1) == 0 || shared.is_first_of_block != 0) return;
  if (threadIdx.x < lanes_of_warp) ask_for_zeros(job, shared);
  __syncthreads();
}

// Zeros of a piece before the lane's bytes. All lanes of a warp call it; shared.zeros_before is there. Where
// the bytes do not start with a zero, the result may be anything less than 252.
__device__ inline std::uint32_t zeros_before_lane(const TileShared& shared, const ThreadInput& input) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const std::uint32_t of_previous = __shfl_up_sync(every_lane, input.zeros, 1);
  const std::uint32_t other = __ballot_sync(every_lane, input.zeros != thread_bytes);
  const std::uint32_t other_before = other & bits_below(lane);
  // Lane 0, and those after lanes of zeros alone.
  const bool goes_back_to_warps_before = other_before == 0;
  std::uint32_t before = of_previous;
  if (other != every_lane) {
    const std::uint32_t source = lanes_of_warp - 1 - leading_zeros(other_before);
    const std::uint32_t of_source =
        __shfl_sync(every_lane, input.zeros, static_cast<int>(source % lanes_of_warp));
    before = (of_source + (lane - 1 - source) * thread_bytes) % longest;
  }
  if (goes_back_to_warps_before && (input.bits[0].zeros & 1) != 0) {
    before = (zeros_at_end_of_warps(shared, threadIdx.x / lanes_of_warp, shared.zeros_before) +
              lane * thread_bytes) %
             longest;
  }
  return before;
}

// Which of the two bytes after the warp's are zeros.
__device__ inline std::uint32_t zeros_behind_warp(const EncodeJob& job, const TileShared& shared) {
  const unsigned next_warp = threadIdx.x / lanes_of_warp + 1;
  if (next_warp * lanes_of_warp < blockDim.x) return shared.warp_first_zeros[next_warp];
  const std::uint32_t end = next_warp * warp_input_bytes;
  return two_zero_bits(job.input + shared.begin + end,
                       end < shared.bytes_of_block ? shared.bytes_of_block - end : 0);
}

struct ThreadElements {
  ElementBits chunks[chunks_of_thread];

  __device__ std::uint32_t bytes() const {
    std::uint32_t bytes = 0;
    for (const ElementBits& chunk : chunks) bytes += chunk.bytes();
    return bytes;
  }
};

// All lanes of a warp: what the thread's bytes become. The zeros of all warps and shared.zeros_before are
// there.
__device__ inline ThreadElements elements_of(const EncodeJob& job, const TileShared& shared,
                                             const ThreadInput& input) {
  std::uint32_t before[chunks_of_thread + 1];
  std::uint32_t linked[chunks_of_thread];
  before[0] = zeros_before_lane(shared, input);
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    linked[number] = linked_zeros(input.bits[number].zeros, before[number]);
    before[number + 1] = zeros_before_next(input.bits[number].zeros, before[number]);
  }
  std::uint32_t behind = __shfl_down_sync(every_lane, linked[0], 1);
  if (threadIdx.x % lanes_of_warp == lanes_of_warp - 1) {
    behind = linked_zeros(zeros_behind_warp(job, shared), before[chunks_of_thread]);
  }
  ThreadElements elements;
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    elements.chunks[number] =
        element_bits(input.bits[number], input.chunks[number].valid, linked[number],
                     number + 1 < chunks_of_thread ? linked[number + 1] : behind, before[number]);
  }
  return elements;
}

// As elements_of() for a block that is stored as it is.
__device__ inline ThreadElements plain_elements(const ThreadInput& input) {
  ThreadElements elements;
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    elements.chunks[number] = plain_bits(input.chunks[number].valid);
  }
  return elements;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
