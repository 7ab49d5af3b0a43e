#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/lane_offsets.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/raw_blocks.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"
#include "stages/search/shared/verify.cuh"
#include "stages/search/shared/window_steps.cuh"

namespace gsst::search::kernels {
namespace {

// Searches tiles by an automaton whose steps are shifts.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
class ShiftsOnCodes {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  using Table = WordTable<CodeBits>;

  __device__ ShiftsOnCodes(const SearchOnDevice& search, std::uint8_t* table, LaneMatches& matches)
      : search_(search), table_(table), matches_(matches) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    const SearchedBlock& block = search_.blocks[holder];
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      const std::uint32_t word = shift_word(search_, block, code);
      // Lanes write to different banks.
      for (std::uint32_t copy = 0; copy < Table::copies; ++copy) {
        *word_at(Table::offset(code, lane_ + copy)) = word;
      }
    }
  }

  __device__ __forceinline__ void begin_piece(std::uint32_t block, std::uint32_t tile) {
    if (tile == 0) {
      before_tile_ = place_of(*search_.pattern, state_before_block(search_, block));
      return;
    }
    before_tile_ = 0;
#pragma unroll
    for (std::uint32_t i = warm_up_codes; i > 0; --i) {
      const std::uint32_t code =
          code_of_block(search_, search_.blocks[block], tile * Codes::shape().codes() - i);
      before_tile_ = step(*word_at(Table::offset(code, lane_)), before_tile_);
    }
  }

  __device__ __forceinline__ bool tile(const Codes& codes) {
    constexpr std::uint32_t first_codes = CodesPerLane - warm_up_codes;
    // What the next lane begins with: the state after the last codes of this one, whatever was before them.
    std::uint32_t last_words[warm_up_codes];
    std::uint32_t after_last = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) last_words[i] = word(codes, first_codes + i);
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) after_last = step(last_words[i], after_last);
    const std::uint32_t before = __shfl_sync(all_lanes, after_last, static_cast<int>(lane_ + 31) % 32);
    std::uint32_t state = lane_ == 0 ? before_tile_ : before;
    // Lane 0 gets that of lane 31, for the next tile.
    before_tile_ = before;
#pragma unroll
    for (std::uint32_t i = 0; i < first_codes; ++i) state = step(word(codes, i), state);
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) state = step(last_words[i], state);
    has_window_ = (state & state_mask) == seen_place;
    return __ballot_sync(all_lanes, has_window_) != 0;
  }

  // Looks for the pattern in the codes of tile `tile` of block `block`, in which a lane has seen the window.
  __device__ __forceinline__ void verify(std::uint32_t block, std::uint32_t tile) {
    std::uint32_t offset = 0;
    if (search_.answer.positions != nullptr) {
      offset = lane_offset<CodeBits, CodesPerLane>(search_, block, tile, lane_);
    }
    if (has_window_) {
      const std::uint32_t first_code = tile * Codes::shape().codes() + lane_ * CodesPerLane;
      find_matches(search_, block, first_code, first_code + CodesPerLane, offset, matches_);
    }
    __syncwarp();
    matches_.write_waiting(lane_);
  }

  __device__ __forceinline__ void end() {
    matches_.write_count(lane_);
  }

private:
  __device__ __forceinline__ std::uint32_t* word_at(std::uint32_t offset) const {
    return reinterpret_cast<std::uint32_t*>(table_ + offset);
  }
  // Of code `index` of the lane's.
  __device__ __forceinline__ std::uint32_t word(const Codes& codes, std::uint32_t index) const {
    return *word_at(Table::offset_in_lane(codes, index, lane_part_));
  }

  const SearchOnDevice& search_;
  std::uint8_t* table_;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  const std::uint32_t lane_part_ = Table::lane_part(threadIdx.x % 32);
  // The state in front of the warp's next tile, in lane 0.
  std::uint32_t before_tile_ = 0;
  bool has_window_ = false;
};

// Shared memory: the table, and a word for walk_pieces().
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(1024, 1) search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  ShiftsOnCodes<CodeBits, CodesPerLane> work(search, shared, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + WordTable<CodeBits>::bytes), work);
}

}  // namespace
}  // namespace gsst::search::kernels
