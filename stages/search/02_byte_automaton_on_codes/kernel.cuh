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
#include "stages/search/shared/verify.cuh"
#include "stages/search/shared/window_steps.cuh"

namespace gsst::search::kernels {
namespace {

// States of the automaton, with one for a window that has been seen; a row of the table.
constexpr std::uint32_t row_bytes = 8;

template <std::uint32_t CodeBits>
constexpr std::size_t table_bytes = (std::size_t{1} << CodeBits) * row_bytes;

// Searches tiles by an automaton whose table has the next state in byte `code` * row_bytes + `state`.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class AutomatonOnCodes {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;

  __device__ AutomatonOnCodes(const SearchOnDevice& search, std::uint8_t* table, LaneMatches& matches)
      : search_(search), table_(table), matches_(matches), seen_(search.pattern->window_bytes) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    const SearchedBlock& block = search_.blocks[holder];
    for (std::uint32_t entry = threadIdx.x; entry < table_bytes<CodeBits>; entry += blockDim.x) {
      const std::uint32_t state = entry % row_bytes;
      table_[entry] = static_cast<std::uint8_t>(
          state < seen_
              ? state_after_output(*search_.pattern, whole_output(search_, block, entry / row_bytes), state)
              : seen_);
    }
  }

  __device__ __forceinline__ void begin_piece(const Piece& piece, const std::uint8_t* /*tile*/) {
    block_ = piece.block;
    code_ = piece.first_tile * Codes::shape().codes() + lane_ * CodesPerLane;
    if (piece.first_tile == 0) before_block_ = state_before_block(search_, piece.block);
  }

  __device__ __forceinline__ bool tile(const Codes& codes, std::uint32_t /*block*/, std::uint32_t /*tile*/) {
    std::uint32_t state = state_before();
#pragma unroll
    for (std::uint32_t i = 0; i < CodesPerLane; ++i) state = next(state, codes.code(i));
    has_window_ = state == seen_;
    code_ += Codes::shape().codes();
    return __ballot_sync(all_lanes, has_window_) != 0;
  }

  // Looks for the pattern in the codes of tile `tile` of block `block`, in which a lane has seen the window.
  __device__ __forceinline__ void verify(std::uint32_t block, std::uint32_t tile) {
    std::uint32_t offset = 0;
    if (search_.answer.positions != nullptr) {
      offset = lane_offset<CodeBits, CodesPerLane, Aligned>(search_, block, tile, lane_);
    }
    if (has_window_) {
      const std::uint32_t first_code = tile * Codes::shape().codes() + lane_ * CodesPerLane;
      find_matches(search_, block, first_code, first_code + CodesPerLane, offset, matches_);
    }
    __syncwarp();
    matches_.write_waiting(lane_);
  }

  __device__ __forceinline__ void end_segment() {}

  __device__ __forceinline__ void end() {
    matches_.write_count(lane_);
  }

private:
  __device__ __forceinline__ std::uint32_t next(std::uint32_t state, std::uint32_t code) const {
    return table_[code * row_bytes + state];
  }

  // The state in front of the lane's first code: after the codes before it, from memory.
  __device__ __forceinline__ std::uint32_t state_before() const {
    if (code_ == 0) return before_block_;
    std::uint32_t state = 0;
#pragma unroll
    for (std::uint32_t i = warm_up_codes; i > 0; --i) {
      state = next(state, code_of_block(search_, search_.blocks[block_], code_ - i));
    }
    return state;
  }

  const SearchOnDevice& search_;
  std::uint8_t* table_;
  LaneMatches& matches_;
  const std::uint32_t seen_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  // The block of the warp's piece, and the lane's first code of the next tile.
  std::uint32_t block_ = 0;
  std::uint32_t code_ = 0;
  // The state in front of the block.
  std::uint32_t before_block_ = 0;
  bool has_window_ = false;
};

// Shared memory: the table, and a word for walk_pieces().
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  AutomatonOnCodes<CodeBits, CodesPerLane, Aligned> work(search, shared, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + table_bytes<CodeBits>), work);
}

}  // namespace
}  // namespace gsst::search::kernels
