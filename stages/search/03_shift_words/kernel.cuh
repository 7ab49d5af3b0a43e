#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/search/shared/exact_matches.cuh"
#include "stages/search/shared/exact_steps.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/lane_offsets.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/raw_blocks.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"
#include "stages/search/shared/window_steps.cuh"

namespace gsst::search::kernels {
namespace {

// Looks for the pattern in the codes of tile `tile` of block `block` of lanes that have seen the window.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL void verify_tile(const SearchOnDevice& search, const std::uint64_t* exact,
                                           std::uint32_t block, std::uint32_t tile, bool has_window,
                                           LaneMatches& matches) {
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint32_t offset = 0;
  if (search.answer.positions != nullptr) {
    offset = lane_offset<CodeBits, CodesPerLane, Aligned>(search, block, tile, lane);
  }
  if (has_window) {
    constexpr std::uint32_t tile_codes = LaneCodes<CodeBits, CodesPerLane>::shape().codes();
    const std::uint32_t first_code = tile * tile_codes + lane * CodesPerLane;
    find_in_codes<CodeBits, CodesPerLane, Aligned>(search, exact, block, first_code,
                                                   first_code + CodesPerLane, offset, matches);
  }
  __syncwarp();
  matches.write_waiting(lane);
}

// Searches tiles by an automaton whose steps are shifts.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class ShiftsOnCodes {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  using Table = WordTable<CodeBits>;

  __device__ ShiftsOnCodes(const SearchOnDevice& search, std::uint8_t* table, std::uint64_t* exact,
                           LaneMatches& matches)
      : search_(search), table_(table), exact_(exact), matches_(matches) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    const SearchedBlock& block = search_.blocks[holder];
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      const CodeOutput output = whole_output(search_, block, code);
      exact_[code] = exact_word(*search_.pattern, output);
      table_.put(code, shift_word(*search_.pattern, output), lane_);
    }
  }

  __device__ __forceinline__ void begin_piece(const Piece& piece, const std::uint8_t* tile) {
    if (piece.first_tile == 0) {
      before_tile_ = place_of(*search_.pattern, state_before_block(search_, piece.block));
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

  __device__ __forceinline__ bool tile(const Codes& codes, std::uint32_t /*block*/, std::uint32_t /*tile*/) {
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
#pragma unroll
    for (std::uint32_t i = 0; i < first_codes; ++i) state = step(table_.word(codes, i, lane_part_), state);
#pragma unroll
    for (std::uint32_t i = 0; i < warm_up_codes; ++i) state = step(last_words[i], state);
    has_window_ = (state & state_mask) == seen_place;
    return __ballot_sync(all_lanes, has_window_) != 0;
  }

  __device__ __forceinline__ void verify(std::uint32_t block, std::uint32_t tile) {
    verify_tile<CodeBits, CodesPerLane, Aligned>(search_, exact_, block, tile, has_window_, matches_);
  }

  __device__ __forceinline__ void end_segment() {}

  __device__ __forceinline__ void end() {
    matches_.write_count(lane_);
  }

private:
  const SearchOnDevice& search_;
  const Table table_;
  std::uint64_t* exact_;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  const std::uint32_t lane_part_ = Table::lane_part(threadIdx.x % 32);
  // The state in front of the warp's next tile, in lane 0.
  std::uint32_t before_tile_ = 0;
  bool has_window_ = false;
};

// Where the table of the whole pattern is in shared memory, after that of the window; a word for
// walk_pieces() is after it.
template <std::uint32_t CodeBits>
constexpr std::size_t exact_begin = WordTable<CodeBits>::bytes;
template <std::uint32_t CodeBits>
constexpr std::size_t tables_end = exact_begin<CodeBits> + exact_table_bytes<CodeBits>;

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  ShiftsOnCodes<CodeBits, CodesPerLane, Aligned> work(
      search, shared, reinterpret_cast<std::uint64_t*>(shared + exact_begin<CodeBits>), matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + tables_end<CodeBits>), work);
}

}  // namespace
}  // namespace gsst::search::kernels
