#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/candidate_queue.cuh"
#include "stages/search/shared/exact_matches.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"
#include "stages/search/shared/window_steps.cuh"

// The walk of stage 04 for searches with an automaton, or a verification, of their own.
namespace gsst::search::kernels {
namespace {

// Searches tiles by shifts. Lanes that come to seen_place wait in a queue of the warp, until each lane can
// verify one. `Automaton` says what is looked for:
//   word(code, output)                the word of a code of the table that is loaded, with that
//   whole_output() place_before_block(block)         the place of the state in front of the block's first
//   code verify(queue, count, matches)     the warp finds the matches in the codes of the first `count`
//   candidates
// From state 0 four codes have to lead to the right state or to seen_place: windows have at most
// most_window_bytes bytes.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned, typename Automaton>
class QueuedSteps {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  using Table = WordTable<CodeBits>;

  // `queue` has queue_places places for the warp.
  __device__ QueuedSteps(const SearchOnDevice& search, const Automaton& automaton, std::uint8_t* table,
                         Candidate* queue, LaneMatches& matches)
      : search_(search), automaton_(automaton), table_(table), queue_(queue), matches_(matches) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    const SearchedBlock& block = search_.blocks[holder];
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      table_.put(code, automaton_.word(code, whole_output(search_, block, code)), lane_);
    }
  }

  __device__ __forceinline__ void begin_piece(const Piece& piece, const std::uint8_t* tile) {
    if (piece.first_tile == 0) {
      before_tile_ = automaton_.place_before_block(piece.block);
      return;
    }
    before_tile_ = 0;
    // The last codes of the tile before, all at once.
    LaneCodes<CodeBits, group_codes> before;
    before.template load_parts<Aligned>(tile - Codes::shape().bytes() + Codes::shape().codes() - group_codes,
                                        tile - (CodeBits - 8));
#pragma unroll
    for (std::uint32_t i = group_codes - warm_up_codes; i < group_codes; ++i) {
      before_tile_ = step(table_.word(before, i, lane_part_), before_tile_);
    }
  }

  __device__ __forceinline__ bool tile(const Codes& codes, std::uint32_t block, std::uint32_t tile) {
    constexpr std::uint32_t first_codes = CodesPerLane - warm_up_codes;
    // What the next lane begins with: the state after the last codes of this one, whatever was before them.
    std::uint32_t last_words[warm_up_codes];
    std::uint32_t after_last = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) {
      last_words[i] = table_.word(codes, first_codes + i, lane_part_);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) after_last = step(last_words[i], after_last);
    const std::uint32_t before = __shfl_sync(all_lanes, after_last, static_cast<int>(lane_ + 31) % 32);
    std::uint32_t state = lane_ == 0 ? before_tile_ : before;
    // Lane 0 gets that of lane 31, for the next tile.
    before_tile_ = before;
    // The states after each group of codes but the last.
    std::uint32_t states[CodesPerLane / group_codes];
#pragma unroll
    for (std::uint32_t i = 0; i < first_codes; ++i) {
      state = step(table_.word(codes, i, lane_part_), state);
      if (i % group_codes == group_codes - 1) states[i / group_codes] = state;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) state = step(last_words[i], state);
    const bool is_candidate = is_seen(state);
    const std::uint32_t lanes = __ballot_sync(all_lanes, is_candidate);
    if (lanes == 0) return false;
    std::uint32_t group = 0;
#pragma unroll
    for (std::uint32_t i = 0; i + 1 < CodesPerLane / group_codes; ++i) {
      if (!is_seen(states[i])) group = i + 1;
    }
    if (is_candidate) {
      queue_[waiting_ + count_bits(lanes & ((1u << lane_) - 1))] = {
          .block = block, .tile_lane_group = tile << 7 | lane_ << 2 | group};
    }
    waiting_ += count_bits(lanes);
    return waiting_ >= 32;
  }

  // Verifies the first 32 of the queue.
  __device__ __forceinline__ void verify(std::uint32_t /*block*/, std::uint32_t /*tile*/) {
    automaton_.verify(queue_, 32, matches_);
    waiting_ -= 32;
    // The others come first now: no more than lanes.
    Candidate other{};
    if (lane_ < waiting_) other = queue_[32 + lane_];
    __syncwarp();
    if (lane_ < waiting_) queue_[lane_] = other;
    __syncwarp();
  }

  // The next table may replace what candidates that wait are verified by.
  __device__ __forceinline__ void end_segment() {
    automaton_.verify(queue_, waiting_, matches_);
    waiting_ = 0;
  }

  __device__ __forceinline__ void end() {
    matches_.write_count(lane_);
  }

private:
  __device__ __forceinline__ static bool is_seen(std::uint32_t state) {
    return (state & state_mask) == seen_place;
  }

  const SearchOnDevice& search_;
  const Automaton automaton_;
  const Table table_;
  Candidate* queue_;
  // Candidates in the queue, less than 32 between tiles.
  std::uint32_t waiting_ = 0;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  const std::uint32_t lane_part_ = Table::lane_part(threadIdx.x % 32);
  // The state in front of the warp's next tile, in lane 0.
  std::uint32_t before_tile_ = 0;
};

// Leaves those of the first `count` candidates of the warp's queue, at most one a lane, for which their lane
// `has_match`, and returns how many they are. They come first then.
__device__ __forceinline__ std::uint32_t keep_candidates(Candidate* queue, std::uint32_t count,
                                                         const Candidate& candidate, bool has_match) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t kept = __ballot_sync(all_lanes, lane < count && has_match);
  if ((kept >> lane & 1) != 0) queue[count_bits(kept & ((1u << lane) - 1))] = candidate;
  __syncwarp();
  return count_bits(kept);
}

// What a thread block has in shared memory, as offsets: the table, a word for walk_pieces(), and the warps'
// queues.
template <std::uint32_t CodeBits>
struct StepsMemory {
  static constexpr std::size_t has_pieces = WordTable<CodeBits>::bytes;
  static constexpr std::size_t queues = has_pieces + sizeof(Candidate);
  static constexpr std::size_t bytes_of_warp = queue_places * sizeof(Candidate);
};

}  // namespace
}  // namespace gsst::search::kernels
