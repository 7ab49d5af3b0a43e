#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_tile.cuh"
#include "stages/zero_length/shared/frame_around_blocks.cuh"

// Where blocks go, and what a file has around their elements (FORMAT.md, sections 6 and 11.2).
namespace gsst::zero_length::encoder {
namespace {

constexpr unsigned threads_for_blocks = 128;

struct PlacesShared {
  std::uint64_t sum_before;
  std::uint64_t warp_sums[threads_for_blocks / lanes_of_warp];
  unsigned ticket;
};

// The sum of the values of the threads before this one. All threads of the block.
__device__ inline std::uint64_t sum_before_thread(const EncodeJob& job, PlacesShared& shared,
                                                  std::uint32_t ticket, std::uint64_t value) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const unsigned warp = threadIdx.x / lanes_of_warp;
  std::uint64_t up_to_lane = value;
  for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2) {
    const std::uint64_t other = __shfl_up_sync(every_lane, up_to_lane, distance);
    if (lane >= distance) up_to_lane += other;
  }
  if (lane == lanes_of_warp - 1) shared.warp_sums[warp] = up_to_lane;
  __syncthreads();
  if (warp == 0) {
    std::uint64_t all = 0;
    for (const std::uint64_t sum : shared.warp_sums) all += sum;
    if (lane == 0) device::publish_sum_of_tile(&job.places_states[ticket], all);
    const std::uint64_t before = device::sum_before_tile(job.places_states, ticket);
    if (lane == 0) {
      device::publish_sum_from_start(&job.places_states[ticket], before + all);
      shared.sum_before = before;
    }
  }
  __syncthreads();
  std::uint64_t before = shared.sum_before + up_to_lane - value;
  for (unsigned other = 0; other < warp; ++other) before += shared.warp_sums[other];
  return before;
}

// A thread a block: between two passes, where the block goes.
__global__ void place_blocks(EncodeJob job, BytesAround around) {
  GSST_SHARED_MEMORY(memory);
  PlacesShared& shared = *reinterpret_cast<PlacesShared*>(memory);
  const std::uint32_t ticket = device::ticket_of_block(job.tickets + 1, &shared.ticket);
  const std::uint32_t block = ticket * blockDim.x + threadIdx.x;
  const bool exists = block < job.block_count;
  BlockPlace place{};
  if (exists) place = stored_block(job, around, block);
  const std::uint64_t before = sum_before_thread(
      job, shared, ticket, exists ? std::uint64_t{around.before_block} + place.payload_bytes : 0);
  if (!exists) return;
  place.payload_offset = around.before_file + before + around.before_block;
  job.blocks[block] = place;
}

// Bare form in one pass: where a block is, by what its tiles say once all are encoded.
__device__ inline BlockPlace place_by_tiles(const EncodeJob& job, std::uint32_t block) {
  const auto end_of = [&](std::uint32_t tiles) {
    return tiles == 0 ? 0 : device::published_sum(job.tile_bytes_states[tiles - 1]);
  };
  const std::uint64_t payload = end_of(job.first_tile(block)) + format::zero_length::bare_header_bytes;
  return {.payload_offset = payload,
          .payload_bytes = static_cast<std::uint32_t>(end_of(job.first_tile(block + 1)) - payload),
          .layout = format::zero_length::elements_layout};
}

// A thread a block, and one for the end: all of a bare file but the elements.
template <bool InOnePass>
__global__ void write_bare_headers(EncodeJob job) {
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number > job.block_count) return;
  const auto place_of = [&](std::uint32_t block) {
    return InOnePass ? place_by_tiles(job, block) : job.blocks[block];
  };
  if (number < job.block_count) {
    write_bare_header(job, number, place_of(number));
    return;
  }
  std::uint64_t end = 0;
  if (job.block_count != 0) {
    const BlockPlace last = place_of(job.block_count - 1);
    end = last.payload_offset + last.payload_bytes;
  }
  write_bare_end(job, end);
}

}  // namespace
}  // namespace gsst::zero_length::encoder
