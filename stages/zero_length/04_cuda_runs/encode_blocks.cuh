#pragma once

#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/frame/frame_fields.hpp"
#include "stages/zero_length/04_cuda_runs/encode_job.cuh"

// Where blocks go, and what the bare form has around their elements (FORMAT.md, section 11.2).
namespace gsst::zero_length::encoder {
namespace {

// What a file has before its first block, and before each block.
struct BytesAround {
  std::uint32_t before_file;
  std::uint32_t before_block;
  // Whether a block that its elements do not make smaller is stored as it is.
  bool may_be_raw;
};

constexpr BytesAround around_bare = {
    .before_file = 0, .before_block = format::zero_length::bare_header_bytes, .may_be_raw = false};
constexpr BytesAround around_frame = {.before_file = format::frame_header_bytes,
                                      .before_block = format::record_header_bytes,
                                      .may_be_raw = true};

constexpr std::uint32_t every_lane = 0xffffffff;

// One warp, 32 blocks at a time.
__global__ void place_blocks(EncodeJob job, BytesAround around) {
  std::uint64_t before = around.before_file;
  for (std::uint64_t first = 0; first < job.block_count; first += lanes_of_warp) {
    const auto block = static_cast<std::uint32_t>(first + threadIdx.x);
    const bool exists = block < job.block_count;
    BlockPlace place = {
        .payload_offset = 0, .payload_bytes = 0, .layout = format::zero_length::elements_layout};
    if (exists) {
      place.payload_bytes = job.block_elements[block];
      if (around.may_be_raw && place.payload_bytes >= job.bytes_of_block(block)) {
        place.payload_bytes = job.bytes_of_block(block);
        place.layout = format::BlockLayout::raw;
      }
    }
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
  using namespace format::zero_length;
  const std::uint32_t number = blockIdx.x * blockDim.x + threadIdx.x;
  if (number > job.block_count) return;
  if (number < job.block_count) {
    const BlockPlace& place = job.blocks[number];
    std::uint8_t* const header = job.output + place.payload_offset - bare_header_bytes;
    format::store_little_endian<bare_size_bytes>(header, bare_header_bytes + place.payload_bytes);
    format::store_little_endian<bare_header_bytes - bare_size_bytes>(header + bare_size_bytes, number);
    job.status[number] = 0;
    return;
  }
  std::uint64_t end = 0;
  if (job.block_count != 0) {
    const BlockPlace& last = job.blocks[job.block_count - 1];
    end = last.payload_offset + last.payload_bytes;
  }
  format::store_little_endian<bare_size_bytes>(job.output + end, 0);
  *job.file_bytes = end + bare_size_bytes;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
