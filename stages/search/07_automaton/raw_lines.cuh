#pragma once

#include <cstdint>

#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/byte_walk.cuh"
#include "stages/search/07_automaton/start_state.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

// Bytes of a raw block that a warp looks at in order.
constexpr std::uint32_t raw_part_bytes = 1024;

// Finds the matches that end in a block that is stored as it is. A thread block a block. Such blocks are rare
// in a frame that is worth searching.
__global__ void __launch_bounds__(256)
    search_raw_by_automaton(const GSST_GRID_CONSTANT SearchOnDevice search, const ByteAutomaton* automaton) {
  LaneMatches matches(search.answer);
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t stride = blockDim.x / 32 * raw_part_bytes;
  for (std::uint32_t number = blockIdx.x; number < search.block_count; number += gridDim.x) {
    const SearchedBlock& block = search.blocks[number];
    if (!block.is_raw()) continue;
    for (std::uint32_t begin = threadIdx.x / 32 * raw_part_bytes; begin < block.text_bytes; begin += stride) {
      const std::uint32_t state =
          state_by_bytes(search, *automaton, number, begin, StatesBehind(automaton->state_count));
      if (lane == 0) {
        const CodeRange range{.block = number, .begin = begin, .end = begin + raw_part_bytes};
        add_by_bytes(search, *automaton, range, state, begin, matches);
      }
      __syncwarp();
      matches.write_waiting(lane);
    }
  }
  matches.write_count(lane);
}

}  // namespace
}  // namespace gsst::search::kernels
