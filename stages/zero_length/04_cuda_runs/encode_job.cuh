#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"
#include "stages/zero_length/04_cuda_runs/block_list.cuh"

// What the kernels of an encoding share.
namespace gsst::zero_length::encoder {
namespace {

// A block in the file.
struct BlockPlace {
  // From the file's first byte to the block's elements or bytes.
  std::uint64_t payload_offset;
  std::uint32_t payload_bytes;
  format::BlockLayout layout;
};

// All pointers are in the executor's memory.
struct EncodeJob {
  const std::uint8_t* input;
  std::uint64_t input_bytes;
  std::uint64_t block_bytes;
  std::uint32_t block_count;
  std::uint8_t* output;
  // What the grid has found at each byte of the input.
  std::uint8_t* marks;
  // Two words for each byte of the input: a block's lists begin where it begins.
  std::uint32_t* entries;
  std::uint32_t* second;
  // Of each block: entries of its list, bytes of its elements, its place.
  unsigned* counts;
  std::uint32_t* block_elements;
  BlockPlace* blocks;
  std::uint32_t* status;
  std::uint64_t* file_bytes;

  GSST_HOST_DEVICE std::uint64_t block_begin(std::uint32_t block) const { return block * block_bytes; }
  // Uncompressed bytes of a block.
  GSST_HOST_DEVICE std::uint32_t bytes_of_block(std::uint32_t block) const {
    const std::uint64_t left = input_bytes - block_begin(block);
    return static_cast<std::uint32_t>(left < block_bytes ? left : block_bytes);
  }
  GSST_HOST_DEVICE BlockList list_of(std::uint32_t block) const {
    return {.entries = entries + block_begin(block),
            .second = second + block_begin(block),
            .count = counts[block]};
  }
};

}  // namespace
}  // namespace gsst::zero_length::encoder
