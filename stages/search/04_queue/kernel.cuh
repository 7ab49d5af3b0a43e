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

// Codes of a lane that were searched from its window on: a lane's codes are groups of eight.
constexpr std::uint32_t group_codes = 8;
// Lanes that wait are verified when there are as many as a warp has; as many may come at once.
constexpr std::uint32_t queue_places = 64;

// Codes that may have the last byte of a window.
struct alignas(16) Candidate {
  std::uint32_t block;
  std::uint32_t tile;
  // Of the lane whose codes these are, and how many of its codes are in front of them.
  std::uint32_t lane;
  std::uint32_t before_window;
};

// Searches tiles by an automaton whose steps are shifts. What may have a window waits in a queue of the warp,
// until each lane can verify one.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
class ShiftsOnCodes {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  using Table = WordTable<CodeBits>;

  // `queue` has queue_places places for the warp.
  __device__ ShiftsOnCodes(const SearchOnDevice& search, std::uint8_t* table, Candidate* queue,
                           LaneMatches& matches)
      : search_(search), table_(table), queue_(queue), matches_(matches) {}

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
    block_ = block;
    next_tile_ = tile;
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
    const std::uint32_t tile = next_tile_++;
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
    // The states after each group but the last.
    std::uint32_t states[CodesPerLane / group_codes];
#pragma unroll
    for (std::uint32_t i = 0; i < first_codes; ++i) {
      state = step(word(codes, i), state);
      if (i % group_codes == group_codes - 1) states[i / group_codes] = state;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) state = step(last_words[i], state);
    const bool has_window = is_seen(state);
    const std::uint32_t lanes = __ballot_sync(all_lanes, has_window);
    if (lanes == 0) return false;
    std::uint32_t before_window = 0;
#pragma unroll
    for (std::uint32_t i = 0; i + 1 < CodesPerLane / group_codes; ++i) {
      if (!is_seen(states[i])) before_window = (i + 1) * group_codes;
    }
    if (has_window) {
      queue_[waiting_ + count_bits(lanes & ((1u << lane_) - 1))] = {
          .block = block_, .tile = tile, .lane = lane_, .before_window = before_window};
    }
    waiting_ += count_bits(lanes);
    return waiting_ >= 32;
  }

  // Verifies the first 32 of the queue.
  __device__ __forceinline__ void verify(std::uint32_t /*block*/, std::uint32_t /*tile*/) {
    verify_first(32);
    waiting_ -= 32;
    // The others come first now: no more than lanes.
    Candidate other{};
    if (lane_ < waiting_) other = queue_[32 + lane_];
    __syncwarp();
    if (lane_ < waiting_) queue_[lane_] = other;
    __syncwarp();
  }

  __device__ __forceinline__ void end() {
    verify_first(waiting_);
    matches_.write_count(lane_);
  }

private:
  __device__ __forceinline__ static bool is_seen(std::uint32_t state) {
    return (state & state_mask) == seen_place;
  }

  // Verifies the first `count` of the queue, at most one a lane.
  __device__ __forceinline__ void verify_first(std::uint32_t count) {
    __syncwarp();
    Candidate candidate{};
    if (lane_ < count) candidate = queue_[lane_];
    const std::uint32_t offset = search_.answer.positions == nullptr ? 0 : offset_of(candidate, count);
    if (lane_ < count) {
      const std::uint32_t lane_begin =
          candidate.tile * Codes::shape().codes() + candidate.lane * CodesPerLane;
      find_matches(search_, candidate.block, lane_begin + candidate.before_window, lane_begin + CodesPerLane,
                   offset, matches_);
    }
    __syncwarp();
    matches_.write_waiting(lane_);
  }

  // Where in the block's text the output of the lane's candidate starts. The warp adds the lengths of codes
  // together, once for consecutive candidates of a tile.
  __device__ __forceinline__ std::uint32_t offset_of(const Candidate& candidate, std::uint32_t count) const {
    std::uint32_t offset = 0;
    std::uint32_t last_block = 0;
    std::uint32_t last_tile = 0;
    std::uint32_t in_tile = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
      const auto source = static_cast<int>(i);
      const std::uint32_t block = __shfl_sync(all_lanes, candidate.block, source);
      const std::uint32_t tile = __shfl_sync(all_lanes, candidate.tile, source);
      if (i == 0 || block != last_block || tile != last_tile) {
        in_tile = lane_offset<CodeBits, CodesPerLane>(search_, block, tile, lane_);
      }
      last_block = block;
      last_tile = tile;
      const std::uint32_t of_lane =
          __shfl_sync(all_lanes, in_tile, static_cast<int>(__shfl_sync(all_lanes, candidate.lane, source)));
      if (lane_ == i) offset = of_lane;
    }
    if (lane_ >= count) return 0;
    const SearchedBlock& block = search_.blocks[candidate.block];
    const std::uint32_t first_code = candidate.tile * Codes::shape().codes() + candidate.lane * CodesPerLane;
    for (std::uint32_t i = 0; i < candidate.before_window; ++i) {
      offset += code_length(block, code_of_block(search_, block, first_code + i));
    }
    return offset;
  }

  __device__ __forceinline__ std::uint32_t* word_at(std::uint32_t offset) const {
    return reinterpret_cast<std::uint32_t*>(table_ + offset);
  }
  // Of code `index` of the lane's.
  __device__ __forceinline__ std::uint32_t word(const Codes& codes, std::uint32_t index) const {
    return *word_at(Table::offset_in_lane(codes, index, lane_part_));
  }

  const SearchOnDevice& search_;
  std::uint8_t* table_;
  Candidate* queue_;
  // Candidates in the queue, less than 32 between tiles.
  std::uint32_t waiting_ = 0;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  const std::uint32_t lane_part_ = Table::lane_part(threadIdx.x % 32);
  // The block of the warp's piece, and its next tile.
  std::uint32_t block_ = 0;
  std::uint32_t next_tile_ = 0;
  // The state in front of that tile, in lane 0.
  std::uint32_t before_tile_ = 0;
};

// Where the warps' queues are in shared memory: after the table and a word for walk_pieces().
template <std::uint32_t CodeBits>
constexpr std::size_t queues_begin = WordTable<CodeBits>::bytes + sizeof(Candidate);

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(1024, 1) search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  auto* const queues = reinterpret_cast<Candidate*>(shared + queues_begin<CodeBits>);
  ShiftsOnCodes<CodeBits, CodesPerLane> work(search, shared, queues + threadIdx.x / 32 * queue_places,
                                             matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + WordTable<CodeBits>::bytes), work);
}

}  // namespace
}  // namespace gsst::search::kernels
