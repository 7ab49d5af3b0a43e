#pragma once

#include <cstdint>

#include "common/format/host_device.hpp"
#include "stages/zero_length/04_cuda_runs/block_list.cuh"
#include "stages/zero_length/shared/encoded_blocks.cuh"

// What the kernels of an encoding share.
namespace gsst::zero_length::encoder {
namespace {

// All pointers are in the executor's memory.
struct EncodeJob : EncodedBlocks {
  // What the grid has found at each byte of the input.
  std::uint8_t* marks;
  // Two words for each byte of the input: a block's lists begin where it begins.
  std::uint32_t* entries;
  std::uint32_t* second;
  // Of each block: entries of its list.
  unsigned* counts;

  GSST_HOST_DEVICE BlockList list_of(std::uint32_t block) const {
    return {.entries = entries + block_begin(block),
            .second = second + block_begin(block),
            .count = counts[block]};
  }
};

}  // namespace
}  // namespace gsst::zero_length::encoder
