#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/06_hot_set/word_matches.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/queued_steps.cuh"
#include "stages/search/shared/raw_blocks.cuh"
#include "stages/search/shared/search_on_device.hpp"

namespace gsst::search::kernels {
namespace {

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  using Memory = StepsMemory<CodeBits>;
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  const WordsOnCodes<CodeBits, CodesPerLane, Aligned> words(search);
  auto* const queues = reinterpret_cast<Candidate*>(shared + Memory::queues);
  QueuedSteps<CodeBits, CodesPerLane, Aligned, WordsOnCodes<CodeBits, CodesPerLane, Aligned>> work(
      search, words, shared, queues + threadIdx.x / 32 * queue_places, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + Memory::has_pieces), work);
}

// Finds the words whose windows end in blocks that are stored as they are. A thread block a block.
__global__ void __launch_bounds__(256)
    find_words_in_raw_blocks(const GSST_GRID_CONSTANT SearchOnDevice search) {
  LaneMatches matches(search.answer);
  const std::uint32_t lane = threadIdx.x % 32;
  for (std::uint32_t number = blockIdx.x; number < search.block_count; number += gridDim.x) {
    const SearchedBlock& block = search.blocks[number];
    if (!block.is_raw()) continue;
    // All lanes of a warp go through the loop together.
    for (std::uint32_t first = 0; first < block.text_bytes; first += raw_bytes * blockDim.x) {
      const std::uint32_t begin = first + raw_bytes * threadIdx.x;
      find_words(search, number, begin, begin + raw_bytes, begin, matches);
      __syncwarp();
      matches.write_waiting(lane);
    }
  }
  matches.write_count(lane);
}

}  // namespace
}  // namespace gsst::search::kernels
