#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/queued_shifts.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"

namespace gsst::search::kernels {
namespace {

// Words, as in stage 03, and a queue of candidates for each warp.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  search_with_queue<CodeBits, CodesPerLane, Aligned, WordTable<CodeBits>>(search, shared);
}

}  // namespace
}  // namespace gsst::search::kernels
