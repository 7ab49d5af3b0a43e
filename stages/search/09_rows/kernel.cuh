#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/09_rows/located_pattern.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/queued_steps.cuh"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

// The search of stage 04, which looks up fewer positions.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  using Memory = LocatedMemory<CodeBits>;
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  const LocatedPattern<CodeBits, CodesPerLane, Aligned> pattern(
      search, reinterpret_cast<std::uint64_t*>(shared + Memory::exact));
  auto* const queues = reinterpret_cast<Candidate*>(shared + Memory::queues);
  QueuedSteps<CodeBits, CodesPerLane, Aligned, LocatedPattern<CodeBits, CodesPerLane, Aligned>> work(
      search, pattern, shared, queues + threadIdx.x / 32 * queue_places, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + StepsMemory<CodeBits>::has_pieces), work);
}

}  // namespace
}  // namespace gsst::search::kernels
