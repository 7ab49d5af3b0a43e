#pragma once

#include <cstdint>

#include "common/device/look_back.cuh"
#include "common/stage/shared_memory.hpp"
#include "stages/zero_length/05_cuda_scan/encode_job.cuh"
#include "stages/zero_length/05_cuda_scan/encode_staging.cuh"

// What a thread block does with its tile, whatever it does it for.
namespace gsst::zero_length::encoder {
namespace {

constexpr unsigned most_warps = 16;

// What a thread block keeps for its tile besides the elements. The first thread writes what is about all of
// it.
struct TileShared {
  PickTables tables;
  std::uint64_t sum_before;
  // From the input's first byte.
  std::uint64_t begin;
  std::uint32_t tile;
  std::uint32_t block;
  // Bytes of the tile and, behind its begin, of its block.
  std::uint32_t bytes;
  std::uint32_t bytes_of_block;
  std::uint32_t is_first_of_block;
  std::uint32_t starts_with_zero;
  std::uint32_t zeros_before;
  unsigned ticket;
  std::uint32_t warp_zeros[most_warps];
  std::uint32_t warp_bytes[most_warps];
};

// Bytes of the elements' part of shared memory: the elements of a tile, and up to 15 before them.
GSST_HOST_DEVICE inline std::size_t staging_bytes(std::uint32_t tile_bytes) {
  return format::zero_length::max_elements_bytes(tile_bytes) + vector_bytes;
}

GSST_HOST_DEVICE inline std::size_t shared_bytes(std::uint32_t tile_bytes) {
  static_assert(sizeof(TileShared) % vector_bytes == 0);
  return sizeof(TileShared) + staging_bytes(tile_bytes);
}

// All threads of the block: finds out what `tile` is.
__device__ inline void find_tile(const EncodeJob& job, std::uint32_t tile, TileShared& shared) {
  if (threadIdx.x == 0) {
    const std::uint32_t block = tile / job.tiles_per_block;
    const std::uint32_t number = tile % job.tiles_per_block;
    const std::uint32_t offset = number * job.tile_bytes;
    const std::uint32_t left = job.bytes_of_block(block) - offset;
    shared.begin = job.block_begin(block) + offset;
    shared.tile = tile;
    shared.block = block;
    shared.bytes = left < job.tile_bytes ? left : job.tile_bytes;
    shared.bytes_of_block = left;
    shared.is_first_of_block = number == 0 ? 1 : 0;
    shared.zeros_before = 0;
  }
  copy_pick_tables(shared.tables);
  __syncthreads();
}

// Where the thread's chunk starts in the tile. The last chunks of a tile may have no bytes.
__device__ inline std::uint32_t chunk_offset() {
  return threadIdx.x * chunk_bytes;
}

__device__ inline Chunk load_chunk_of_tile(const EncodeJob& job, const TileShared& shared) {
  const std::uint32_t offset = chunk_offset();
  return load_chunk(job.input, job.input.begin + shared.begin + offset,
                    offset < shared.bytes ? shared.bytes - offset : 0);
}

// Which of the two bytes behind the chunk are zeros; for the last lane of a warp, the others ask their
// neighbour.
__device__ inline std::uint32_t zeros_behind_warp(const EncodeJob& job, const TileShared& shared) {
  if (threadIdx.x % lanes_of_warp != lanes_of_warp - 1) return 0;
  const std::uint32_t end = chunk_offset() + chunk_bytes;
  return two_zero_bits(job.input.begin + shared.begin + end,
                       end < shared.bytes_of_block ? shared.bytes_of_block - end : 0);
}

// Zeros before the lane's chunk, where `before` zeros stand before the warp's first one. All lanes of a warp.
__device__ inline std::uint32_t zeros_before_lane(std::uint32_t at_end, std::uint32_t before) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const std::uint32_t of_previous = __shfl_up_sync(every_lane, at_end, 1);
  const std::uint32_t other = __ballot_sync(every_lane, at_end != chunk_bytes);
  // Nearly always: no chunk is all zeros.
  if (other == every_lane) return lane == 0 ? before : of_previous;
  const std::uint32_t other_before = other & bits_below(lane);
  const std::uint32_t source = lanes_of_warp - 1 - leading_zeros(other_before);
  const std::uint32_t of_source = __shfl_sync(every_lane, at_end, static_cast<int>(source % lanes_of_warp));
  if (other_before == 0) return (before + lane * chunk_bytes) % longest;
  return (of_source + (lane - 1 - source) * chunk_bytes) % longest;
}

// Zeros at the end of what the first `warps` warps have, where `before` zeros stand before the first one.
__device__ inline std::uint32_t zeros_at_end_of_warps(const TileShared& shared, std::uint32_t warps,
                                                      std::uint32_t before) {
  constexpr std::uint32_t warp_bytes = lanes_of_warp * chunk_bytes;
  std::uint32_t zeros = 0;
  for (std::uint32_t warp = warps; warp > 0; --warp) {
    zeros += shared.warp_zeros[warp - 1];
    if (shared.warp_zeros[warp - 1] != warp_bytes) return zeros;
  }
  return zeros + before;
}

// All lanes of a warp: zeros at the end of its chunks.
__device__ inline std::uint32_t zeros_at_end_of_warp(std::uint32_t at_end) {
  const std::uint32_t other = __ballot_sync(every_lane, at_end != chunk_bytes);
  if (other == 0) return lanes_of_warp * chunk_bytes;
  const std::uint32_t after = leading_zeros(other);
  return __shfl_sync(every_lane, at_end, static_cast<int>(lanes_of_warp - 1 - after)) + after * chunk_bytes;
}

// All threads of the block: tells the warps of each other's zeros at the end.
__device__ inline void share_zeros(TileShared& shared, std::uint32_t zeros) {
  const std::uint32_t of_warp = zeros_at_end_of_warp(zeros_at_end(zeros));
  if (threadIdx.x % lanes_of_warp == 0) shared.warp_zeros[threadIdx.x / lanes_of_warp] = of_warp;
  if (threadIdx.x == 0) shared.starts_with_zero = zeros & 1;
  __syncthreads();
}

// All threads of the block: tells other tiles of the zeros at this one's end, and gets those before it. Only
// a tile that starts with a zero waits for others.
__device__ inline void exchange_zeros(const EncodeJob& job, TileShared& shared) {
  std::uint64_t* const state = &job.tile_zeros_states[shared.tile];
  const std::uint32_t own = zeros_at_end_of_warps(shared, blockDim.x / lanes_of_warp, 0);
  const bool is_all_zeros = own == blockDim.x * chunk_bytes && shared.is_first_of_block == 0;
  if (threadIdx.x == 0) {
    if (is_all_zeros) {
      device::publish_sum_of_tile(state, own);
    } else {
      device::publish_sum_from_start(state, own);
    }
  }
  if (shared.starts_with_zero == 0 || shared.is_first_of_block != 0) return;
  if (threadIdx.x < lanes_of_warp) {
    const std::uint64_t before = device::sum_before_tile(job.tile_zeros_states, shared.tile);
    if (threadIdx.x == 0) {
      shared.zeros_before = static_cast<std::uint32_t>(before % longest);
      if (is_all_zeros) device::publish_sum_from_start(state, before + own);
    }
  }
  __syncthreads();
}

// All lanes of a warp: what the chunk's bytes become. shared.zeros_before is there.
__device__ inline ElementBits elements_of_chunk(const TileShared& shared, const Chunk& chunk,
                                                const ByteBits& bits, std::uint32_t behind_warp) {
  const std::uint32_t before_warp =
      zeros_at_end_of_warps(shared, threadIdx.x / lanes_of_warp, shared.zeros_before) % longest;
  const std::uint32_t before = zeros_before_lane(zeros_at_end(bits.zeros), before_warp);
  const std::uint32_t linked = linked_zeros(bits.zeros, before);
  std::uint32_t behind = __shfl_down_sync(every_lane, linked, 1) & 3;
  if (threadIdx.x % lanes_of_warp == lanes_of_warp - 1) {
    behind = linked_zeros(behind_warp, zeros_before_next(bits.zeros, before));
  }
  return element_bits(bits, chunk.valid, linked, behind, before);
}

}  // namespace
}  // namespace gsst::zero_length::encoder
