#pragma once

#include <cstdint>

#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/byte_walk.cuh"
#include "stages/search/07_automaton/code_table.cuh"
#include "stages/search/07_automaton/start_state.cuh"
#include "stages/search/shared/exact_matches.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/lane_offsets.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

namespace gsst::search::kernels {
namespace {

// Last codes of a lane that it begins with, to guess the state in front of the next lane.
constexpr std::uint32_t guess_codes = 6;

// The matches that an entry says. The compiler must not know that it was a byte: it would clear its other
// bits first.
__device__ __forceinline__ std::uint32_t matches_in(std::uint32_t entry) {
#if defined(__CUDACC__)
  asm volatile("" : "+r"(entry));
#endif
  return entry / match_ends;
}

// Keeps the compiler from loading what is behind before what is in front: the rows of all codes would take
// all registers. All lanes of a warp call it together. Volatile assembly without an instruction does not do.
__device__ __forceinline__ void keep_order() {
#if defined(__CUDACC__)
  __syncwarp();
#endif
}

// Searches tiles by an automaton over codes. Each lane guesses the state in front of its codes; a tile in
// which one guesses wrong is searched again.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class AutomatonSearch {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;

  __device__ AutomatonSearch(const SearchOnDevice& search, const ByteAutomaton& automaton,
                             std::uint8_t* table, LaneMatches& matches)
      : search_(search), automaton_(automaton), table_(table), matches_(matches) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    table_.load(search_, automaton_, search_.blocks[holder]);
  }

  __device__ __forceinline__ void begin_piece(const Piece& piece, const std::uint8_t* /*tile*/) {
    add_counted();
    const SearchedBlock& block = search_.blocks[piece.block];
    const std::uint32_t first_code = piece.first_tile * Codes::shape().codes();
    find_clear_tiles(block, first_code);
    before_tile_ =
        state_before<CodeBits, CodesPerLane, Aligned>(search_, automaton_, table_, piece.block, first_code);
  }

  __device__ __forceinline__ bool tile(const Codes& codes, std::uint32_t /*block*/, std::uint32_t tile) {
    if (tile >= clear_tiles_) return true;
    const std::uint32_t start = guess(codes);
    const Walk walk = walk_codes(codes, start);
    const std::uint32_t before = __shfl_sync(all_lanes, walk.state, static_cast<int>(lane_ + 31) % 32);
    const bool is_right = lane_ == 0 || before == start;
    if (__ballot_sync(all_lanes, !is_right || walk.state == look_closer) != 0) return true;
    if (search_.answer.positions != nullptr && __ballot_sync(all_lanes, walk.matches != 0) != 0) return true;
    counted_ += walk.matches;
    before_tile_ = before;
    return false;
  }

  // Searches the codes of tile `tile` of block `number` where a lane has guessed wrong, where they are not
  // clear, those byte by byte, and where positions are wanted.
  __device__ __forceinline__ void verify(std::uint32_t number, std::uint32_t tile) {
    const SearchedBlock& block = search_.blocks[number];
    Codes codes;
    codes.template load<Aligned>(search_.frame + block.tile(tile), lane_);
    const std::uint32_t begin = tile * Codes::shape().codes() + lane_ * CodesPerLane;
    const CodeRange range{.block = number, .begin = begin, .end = begin + CodesPerLane};
    const bool is_by_bytes = range.end > block.code_count || has_output_waiting(block, begin);
    std::uint32_t start = guess(codes);
    if (start == look_closer) start = 0;
    Walk walk{};
    std::uint32_t before = 0;
    bool has_to_walk = true;
    while (true) {
      const Walk by_rows = walk_codes(codes, start);
      if (has_to_walk) {
        walk = by_rows;
        if (is_by_bytes || walk.state == look_closer) {
          walk = count_by_bytes(search_, automaton_, range, start);
        }
      }
      __syncwarp();
      before = __shfl_sync(all_lanes, walk.state, static_cast<int>(lane_ + 31) % 32);
      const std::uint32_t wanted = lane_ == 0 ? before_tile_ : before;
      has_to_walk = wanted != start;
      if (__ballot_sync(all_lanes, has_to_walk) == 0) break;
      start = wanted;
    }
    before_tile_ = before;
    find_clear_tiles(block, (tile + 1) * Codes::shape().codes());
    if (search_.answer.positions == nullptr) {
      counted_ += walk.matches;
    } else if (__ballot_sync(all_lanes, walk.matches != 0) != 0) {
      const std::uint32_t offset = lane_offset<CodeBits, CodesPerLane, Aligned>(search_, number, tile, lane_);
      if (walk.matches != 0) add_by_bytes(search_, automaton_, range, start, offset, matches_);
      __syncwarp();
      matches_.write_waiting(lane_);
    }
  }

  __device__ __forceinline__ void end_segment() { add_counted(); }

  __device__ __forceinline__ void end() { matches_.write_count(lane_); }

private:
  // The state in front of the lane's codes: in lane 0 the one of the tile, in others that after the last
  // codes of the lane before, from state 0.
  __device__ __forceinline__ std::uint32_t guess(const Codes& codes) const {
    std::uint32_t state = 0;
#pragma unroll
    for (std::uint32_t i = CodesPerLane - guess_codes; i < CodesPerLane; ++i) {
      state = table_.step(table_.row_offset(codes, i, lane_part_), state);
    }
    const std::uint32_t before =
        __shfl_sync(all_lanes, state & next_state_mask, static_cast<int>(lane_ + 31) % 32);
    return lane_ == 0 ? before_tile_ : before;
  }

  // From `state` on, by rows; look_closer where these do not do. All lanes of a warp call it together.
  __device__ __forceinline__ Walk walk_codes(const Codes& codes, std::uint32_t state) const {
    std::uint32_t matches = 0;
    std::uint32_t rows[group_codes];
    load_rows(codes, 0, rows);
#pragma unroll
    for (std::uint32_t group = 0; group < CodesPerLane / group_codes; ++group) {
      std::uint32_t next_rows[group_codes] = {};
      if (group + 1 < CodesPerLane / group_codes) load_rows(codes, group + 1, next_rows);
      keep_order();
#pragma unroll
      for (std::uint32_t i = 0; i < group_codes; ++i) {
        state = table_.step(rows[i], state);
        matches += matches_in(state);
        rows[i] = next_rows[i];
      }
      keep_order();
    }
    return {.state = state & next_state_mask, .matches = matches};
  }

  // Of the codes of a group.
  __device__ __forceinline__ void load_rows(const Codes& codes, std::uint32_t group,
                                            std::uint32_t (&rows)[group_codes]) const {
#pragma unroll
    for (std::uint32_t i = 0; i < group_codes; ++i) {
      rows[i] = table_.row_offset(codes, group * group_codes + i, lane_part_);
    }
  }

  // Whether the code in front of code `code` is a half of a byte whose output comes with the code, or may be.
  __device__ __forceinline__ bool has_output_waiting(const SearchedBlock& block, std::uint32_t code) const {
    if (!block.has_halves() || code > block.code_count || code % block.strip_codes() == 0) return false;
    return code_length(block, code_of_block(search_, block, code - 1)) == 0;
  }

  // For the tile that begins with code `code`, and those behind it.
  __device__ __forceinline__ void find_clear_tiles(const SearchedBlock& block, std::uint32_t code) {
    clear_tiles_ = has_output_waiting(block, code) ? 0 : block.code_count / Codes::shape().codes();
  }

  // Moves what was counted to where all counts of the warp are added up.
  __device__ __forceinline__ void add_counted() {
    matches_.add_counted(counted_);
    counted_ = 0;
  }

  const SearchOnDevice& search_;
  const ByteAutomaton& automaton_;
  const CodeTable<CodeBits> table_;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  const std::uint32_t lane_part_ = CodeTable<CodeBits>::lane_part(threadIdx.x % 32);
  // Of the block: after the tiles of which all codes are the block's. What a tile holds behind a block's last
  // code is no text. 0 where output of a code in front of the next tile waits for it.
  std::uint32_t clear_tiles_ = 0;
  // The state in front of the warp's next tile, in lane 0.
  std::uint32_t before_tile_ = 0;
  // Matches since the piece began.
  std::uint32_t counted_ = 0;
};

}  // namespace
}  // namespace gsst::search::kernels
