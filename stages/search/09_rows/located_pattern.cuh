#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/candidate_queue.cuh"
#include "stages/search/shared/exact_matches.cuh"
#include "stages/search/shared/exact_steps.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/queued_steps.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"
#include "stages/search/shared/text_walk.cuh"
#include "stages/search/shared/window_steps.cuh"

// The pattern of a search for positions, of which few are looked up.
namespace gsst::search::kernels {
namespace {

// Whether the pattern may have matches that belong to codes `begin` to before `end`, whole groups, of block
// `number`: false where steps over codes say that it has none.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ __forceinline__ bool may_have_match(const SearchOnDevice& search, const std::uint64_t* table,
                                               std::uint32_t number, std::uint32_t begin, std::uint32_t end,
                                               LaneMatches& matches) {
  const Pattern& pattern = *search.pattern;
  if (pattern.bytes > most_exact_bytes) return true;
  const SearchedBlock& block = search.blocks[number];
  const CodeGroups<CodeBits, CodesPerLane, Aligned> codes(search, block);
  const std::uint32_t begin_group = begin / group_codes;
  std::uint32_t first = begin_group;
  std::uint32_t before = 0;
  while (before + 1 < pattern.window_end && first != 0) before += codes.bytes(--first);
  if (before + 1 < pattern.window_end) return true;
  return count_by_steps<false>(pattern, table, codes, block.code_count / group_codes, first,
                               end / group_codes, before, 0, matches) != 0;
}

// Leaves those of the first `count` candidates of the warp's queue that may have a match. Returns how many.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL std::uint32_t keep_matches(const SearchOnDevice& search, const std::uint64_t* exact,
                                                     Candidate* queue, std::uint32_t count,
                                                     LaneMatches& matches) {
  constexpr std::uint32_t tile_codes = LaneCodes<CodeBits, CodesPerLane>::shape().codes();
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp();
  Candidate candidate{};
  bool has_match = false;
  if (lane < count) {
    candidate = queue[lane];
    const std::uint32_t first_code = candidate.tile() * tile_codes + candidate.lane() * CodesPerLane;
    has_match = may_have_match<CodeBits, CodesPerLane, Aligned>(search, exact, candidate.block,
                                                                first_code + candidate.before_window(),
                                                                first_code + CodesPerLane, matches);
  }
  __syncwarp();
  return keep_candidates(queue, count, candidate, has_match);
}

// The pattern's window, for QueuedSteps, and the whole pattern over codes, in shared memory. Where positions
// are wanted, they are looked up for candidates that have a match. It takes the lengths of all codes of a
// strip, and most candidates have none.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class LocatedPattern {
public:
  __device__ LocatedPattern(const SearchOnDevice& search, std::uint64_t* exact)
      : search_(search), exact_(exact) {}

  __device__ __forceinline__ std::uint32_t word(std::uint32_t code, const CodeOutput& output) const {
    exact_[code] = exact_word(*search_.pattern, output);
    return shift_word(*search_.pattern, output);
  }
  __device__ __forceinline__ std::uint32_t place_before_block(std::uint32_t block) const {
    return place_of(*search_.pattern, state_before_block(search_, block));
  }
  __device__ __forceinline__ void verify(Candidate* queue, std::uint32_t count, LaneMatches& matches) const {
    if (search_.answer.positions != nullptr) {
      count = keep_matches<CodeBits, CodesPerLane, Aligned>(search_, exact_, queue, count, matches);
    }
    verify_candidates<CodeBits, CodesPerLane, Aligned>(search_, exact_, queue, count, matches);
  }

private:
  const SearchOnDevice& search_;
  std::uint64_t* exact_;
};

// What a thread block has in shared memory, as offsets: what QueuedSteps has, with the table of the whole
// pattern in front of the queues.
template <std::uint32_t CodeBits>
struct LocatedMemory {
  static constexpr std::size_t exact = StepsMemory<CodeBits>::queues;
  static constexpr std::size_t queues = exact + exact_table_bytes<CodeBits>;
  static constexpr std::size_t bytes_of_warp = StepsMemory<CodeBits>::bytes_of_warp;
};

}  // namespace
}  // namespace gsst::search::kernels
