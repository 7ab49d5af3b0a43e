#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_carry.cuh"

// The kernels that read the input: one that reads it once, and two that read it one after the other, between
// which every block gets its place.
namespace gsst::zero_length::encoder {
namespace {

// All threads of the block: what a tile becomes whose zeros before it only earlier tiles know.
__device__ inline ThreadElements exchange_and_code(const EncodeJob& job, TileShared& shared,
                                                   const ThreadInput& input) {
  share_zeros(shared, input);
  exchange_zeros(job, shared);
  return elements_of(job, shared, input);
}

// All lanes of a warp: the sum of the values of the lanes up to this one.
__device__ inline std::uint32_t sum_up_to_lane(std::uint32_t value) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
#pragma unroll
  for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2) {
    const std::uint32_t other = __shfl_up_sync(every_lane, value, distance);
    if (lane >= distance) value += other;
  }
  return value;
}

// All threads of the block: the sum of the values of the lanes before this one. shared.warp_bytes gets the
// sum of each warp.
__device__ inline std::uint32_t sum_of_lanes(TileShared& shared, std::uint32_t bytes) {
  const std::uint32_t up_to_lane = sum_up_to_lane(bytes);
  if (threadIdx.x % lanes_of_warp == lanes_of_warp - 1) {
    shared.warp_bytes[threadIdx.x / lanes_of_warp] = up_to_lane;
  }
  __syncthreads();
  return up_to_lane - bytes;
}

// The first warp: shared.warp_bytes gets the sum of the warps before each, and shared.element_bytes that of
// all, which is the result.
__device__ inline std::uint32_t sum_of_warps(TileShared& shared) {
  const unsigned warps = blockDim.x / lanes_of_warp;
  const std::uint32_t own = threadIdx.x < warps ? shared.warp_bytes[threadIdx.x] : 0;
  const std::uint32_t up_to_warp = sum_up_to_lane(own);
  const std::uint32_t all = __shfl_sync(every_lane, up_to_warp, lanes_of_warp - 1);
  if (threadIdx.x < warps) shared.warp_bytes[threadIdx.x] = up_to_warp - own;
  if (threadIdx.x == 0) shared.element_bytes = all;
  return all;
}

// All threads of the block: the elements of its tile to the staging, from `begin` on. `before`: bytes of the
// warp's lanes before this one. The first warp has summed up the warps. The elements are there behind the
// next barrier.
__device__ inline void stage_elements(const TileShared& shared, std::uint8_t* staging, std::uint32_t begin,
                                      const ThreadInput& input, const ThreadElements& elements,
                                      std::uint32_t before) {
  const std::uint32_t first = begin + shared.warp_bytes[threadIdx.x / lanes_of_warp] + before;
  WordWriter writer(staging, first);
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    put_chunk(writer, shared.tables, input.chunks[number], elements.chunks[number]);
  }
  __syncthreads();
  writer.store_rest();
  std::uint8_t* chunk = staging + first;
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    store_runs(chunk, elements.chunks[number]);
    chunk += elements.chunks[number].bytes();
  }
}

// Bare form: the header of a block comes before its first tile's elements.
__device__ inline std::uint32_t header_bytes_of_tile(const TileShared& shared) {
  return shared.is_first_of_block != 0 ? static_cast<std::uint32_t>(format::zero_length::bare_header_bytes)
                                       : 0;
}

// Bare form in one pass: each tile finds its place by the bytes of all tiles before it, with the headers of
// their blocks. A block's header says how long the block is, which this kernel does not know yet.
//
// The place is asked for last, when the tile is in the staging: by then the tiles before it have said how
// many bytes they have.
__global__ void encode_in_one_pass(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  std::uint8_t* const staging = memory + sizeof(TileShared);
  find_tile(job, device::ticket_of_block(job.tickets, &shared.ticket), shared);
  const ThreadInput input = load_input(job, shared);
  const ThreadElements elements = exchange_and_code(job, shared, input);
  const std::uint32_t before = sum_of_lanes(shared, elements.bytes());
  const std::uint32_t header_bytes = header_bytes_of_tile(shared);
  std::uint64_t* const state = &job.tile_bytes_states[shared.tile];
  if (threadIdx.x < lanes_of_warp) {
    const std::uint32_t all = sum_of_warps(shared);
    if (threadIdx.x == 0) device::publish_sum_of_tile(state, std::uint64_t{all} + header_bytes);
  }
  __syncthreads();
  stage_elements(shared, staging, 0, input, elements, before);
  if (threadIdx.x < lanes_of_warp) {
    const std::uint64_t before_tile = device::sum_before_tile(job.tile_bytes_states, shared.tile);
    if (threadIdx.x == 0) {
      device::publish_sum_from_start(state, before_tile + shared.element_bytes + header_bytes);
      shared.sum_before = before_tile;
    }
  }
  __syncthreads();
  copy_shifted_to_output(job.output + shared.sum_before + header_bytes, staging, shared.element_bytes);
}

// The first pass of two: the place of each tile in its block, and the bytes of each block's elements.
__global__ void measure_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  find_tile(job, device::ticket_of_block(job.tickets, &shared.ticket), shared);
  const ThreadElements elements = exchange_and_code(job, shared, load_input(job, shared));
  sum_of_lanes(shared, elements.bytes());
  if (threadIdx.x >= lanes_of_warp) return;
  const std::uint32_t own = sum_of_warps(shared);
  std::uint64_t* const state = &job.tile_bytes_states[shared.tile];
  std::uint64_t before = 0;
  // Sums start anew with each block.
  if (shared.is_first_of_block == 0) {
    if (threadIdx.x == 0) device::publish_sum_of_tile(state, own);
    before = device::sum_before_tile(job.tile_bytes_states, shared.tile);
  }
  if (threadIdx.x != 0) return;
  device::publish_sum_from_start(state, before + own);
  job.tiles[shared.tile] = {.offset = static_cast<std::uint32_t>(before),
                            .zeros_before = shared.zeros_before};
  if (shared.bytes == shared.bytes_of_block) {
    job.block_elements[shared.block] = static_cast<std::uint32_t>(before + own);
  }
}

// The second pass of two: writes each tile to its place.
__global__ void write_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(memory);
  TileShared& shared = *reinterpret_cast<TileShared*>(memory);
  find_tile(job, blockIdx.x, shared);
  const BlockPlace& block = job.blocks[shared.block];
  const TilePlace& tile = job.tiles[shared.tile];
  const bool is_raw = block.layout == format::BlockLayout::raw;
  const ThreadInput input = load_input(job, shared);
  if (threadIdx.x == 0) shared.zeros_before = tile.zeros_before;
  share_zeros(shared, input);
  const ThreadElements elements = is_raw ? plain_elements(input) : elements_of(job, shared, input);
  const std::uint32_t before = sum_of_lanes(shared, elements.bytes());
  if (threadIdx.x < lanes_of_warp) sum_of_warps(shared);
  __syncthreads();
  const std::uint64_t offset = is_raw ? shared.begin - job.block_begin(shared.block) : tile.offset;
  std::uint8_t* const staging = memory + sizeof(TileShared);
  std::uint8_t* const output = job.output + block.payload_offset + offset;
  const auto begin = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(output) % vector_bytes);
  stage_elements(shared, staging, begin, input, elements, before);
  __syncthreads();
  copy_to_output(output, staging, begin, shared.element_bytes);
}

}  // namespace
}  // namespace gsst::zero_length::encoder
