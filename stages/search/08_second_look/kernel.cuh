#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/08_second_look/second_look.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

// The search of stage 04, and longer words that count where windows are frequent.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  using Memory = SecondLookMemory<CodeBits>;
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  SecondLook<CodeBits, CodesPerLane, Aligned> work(
      search, shared, shared + Memory::warps + threadIdx.x / 32 * Memory::bytes_of_warp, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + Memory::First::has_pieces), work);
}

}  // namespace
}  // namespace gsst::search::kernels
