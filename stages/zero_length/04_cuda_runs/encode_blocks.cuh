#pragma once

#include <cstdint>

#include "stages/zero_length/04_cuda_runs/encode_job.cuh"
#include "stages/zero_length/shared/frame_around_blocks.cuh"

// Where blocks go, and what a file has around their elements (FORMAT.md, sections 6 and 11.2).
namespace gsst::zero_length::encoder {
namespace {

constexpr std::uint32_t every_lane = 0xffffffff;

// One warp, 32 blocks at a time.
__global__ void place_blocks(EncodeJob job, BytesAround around) {
  std::uint64_t before = around.before_file;
  for (std::uint64_t first = 0; first < job.block_count; first += lanes_of_warp) {
    const auto block = static_cast<std::uint32_t>(first + threadIdx.x);
    const bool exists = block < job.block_count;
    BlockPlace place{};
    if (exists) place = stored_block(job, around, block);
    std::uint64_t up_to_lane = exists ? std::uint64_t{around.before_block} + place.payload_bytes : 0;
    for (unsigned distance = 1; distance < lanes_of_warp; distance *= 2) {
      const std::uint64_t other = __shfl_up_sync(every_lane, up_to_lane, distance);
      if (threadIdx.x >= distance) up_to_lane += other;
    }
    place.payload_offset = before + up_to_lane - place.payload_bytes;
    if (exists) job.blocks[block] = place;
    before += __shfl_sync(every_lane, up_to_lane, lanes_of_warp - 1);
  }
}

// A thread a block, and one for the end: all of a bare file but the elements.
__global__ void write_bare_headers(EncodeJob job) {
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number > job.block_count) return;
  if (number < job.block_count) {
    write_bare_header(job, number, job.blocks[number]);
    return;
  }
  std::uint64_t end = 0;
  if (job.block_count != 0) {
    const BlockPlace& last = job.blocks[job.block_count - 1];
    end = last.payload_offset + last.payload_bytes;
  }
  write_bare_end(job, end);
}

}  // namespace
}  // namespace gsst::zero_length::encoder
