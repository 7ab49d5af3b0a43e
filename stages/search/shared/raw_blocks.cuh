#pragma once

#include <cstdint>

#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/verify.cuh"

namespace gsst::search::kernels {
namespace {

// Bytes of a raw block that a thread looks at in order.
constexpr std::uint32_t raw_bytes = 16;

// Finds the matches whose window ends in a block that is stored as it is. A thread block a block. Such blocks
// are rare in a frame that is worth searching.
__global__ void __launch_bounds__(256) search_raw_blocks(const GSST_GRID_CONSTANT SearchOnDevice search) {
  LaneMatches matches(search.answer);
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t number = blockIdx.x; number < search.block_count; number += gridDim.x) {
    const SearchedBlock& block = search.blocks[number];
    if (!block.is_raw()) continue;
    // All lanes of a warp go through the loop together.
    for (std::uint32_t first = 0; first < block.text_bytes; first += raw_bytes * blockDim.x) {
      const std::uint32_t begin = first + raw_bytes * threadIdx.x;
      find_matches(search, number, begin, begin + raw_bytes, begin, matches);
      __syncwarp();
      matches.write_waiting(lane);
    }
  }
  matches.write_count(lane);
}

}  // namespace
}  // namespace gsst::search::kernels
