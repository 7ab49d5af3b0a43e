#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "common/stage/shared_memory.hpp"
#include "stages/search/05_wide_codes/class_table.cuh"
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

// Lanes that wait are verified when there are as many as a warp has; as many may come at once.
constexpr std::uint32_t queue_places = 64;

// Codes that may have the last byte of a window: those of a lane from a group on.
struct alignas(8) Candidate {
  std::uint32_t block;
  // A block has at most 2^23 tiles: at least 512 codes each.
  std::uint32_t tile_lane_group;

  __device__ __forceinline__ std::uint32_t tile() const { return tile_lane_group >> 7; }
  __device__ __forceinline__ std::uint32_t lane() const { return tile_lane_group >> 2 & 31; }
  // How many of the lane's codes are in front of them.
  __device__ __forceinline__ std::uint32_t before_window() const {
    return (tile_lane_group & 3) * group_codes;
  }
};

// Where in the block's text the output of the lane's candidate, one of the warp's first `count`, starts. The
// warp adds the lengths of codes together, once for consecutive candidates of a tile.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ __forceinline__ std::uint32_t candidate_offset(const SearchOnDevice& search,
                                                          const Candidate& candidate, std::uint32_t count) {
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint32_t offset = 0;
  std::uint32_t last_block = 0;
  std::uint32_t last_tile = 0;
  std::uint32_t in_tile = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto source = static_cast<int>(i);
    const std::uint32_t block = __shfl_sync(all_lanes, candidate.block, source);
    const std::uint32_t tile = __shfl_sync(all_lanes, candidate.tile(), source);
    if (i == 0 || block != last_block || tile != last_tile) {
      in_tile = lane_offset<CodeBits, CodesPerLane, Aligned>(search, block, tile, lane);
    }
    last_block = block;
    last_tile = tile;
    const std::uint32_t of_lane =
        __shfl_sync(all_lanes, in_tile, static_cast<int>(__shfl_sync(all_lanes, candidate.lane(), source)));
    if (lane == i) offset = of_lane;
  }
  if (lane >= count) return 0;
  const SearchedBlock& block = search.blocks[candidate.block];
  LaneCodes<CodeBits, CodesPerLane> codes;
  codes.template load<Aligned>(search.frame + block.tile(candidate.tile()), candidate.lane());
  return offset + output_bytes(block, codes, candidate.before_window());
}

// Looks for the pattern in the codes of the first `count` candidates of the warp's queue, at most one a lane.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__device__ GSST_RARE_CALL void verify_candidates(const SearchOnDevice& search, const std::uint64_t* exact,
                                                 const Candidate* queue, std::uint32_t count,
                                                 LaneMatches& matches) {
  const std::uint32_t lane = threadIdx.x % 32;
  __syncwarp();
  Candidate candidate{};
  if (lane < count) candidate = queue[lane];
  std::uint32_t offset = 0;
  if (search.answer.positions != nullptr) {
    offset = candidate_offset<CodeBits, CodesPerLane, Aligned>(search, candidate, count);
  }
  if (lane < count) {
    constexpr std::uint32_t tile_codes = LaneCodes<CodeBits, CodesPerLane>::shape().codes();
    const std::uint32_t first_code = candidate.tile() * tile_codes + candidate.lane() * CodesPerLane;
    find_in_codes<CodeBits, CodesPerLane, Aligned>(search, exact, candidate.block,
                                                   first_code + candidate.before_window(),
                                                   first_code + CodesPerLane, offset, matches);
  }
  __syncwarp();
  matches.write_waiting(lane);
}

// Searches tiles by an automaton whose steps are shifts. What may have a window waits in a queue of the warp,
// until each lane can verify one.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class ShiftsOnCodes {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  // Codes of 12 bits have classes.
  static constexpr bool has_classes = CodeBits == 12;
  using Table = std::conditional_t<has_classes, ClassTable, WordTable<CodeBits>>;

  // `queue` has queue_places places for the warp.
  __device__ ShiftsOnCodes(const SearchOnDevice& search, std::uint8_t* table, std::uint64_t* exact,
                           Candidate* queue, LaneMatches& matches)
      : search_(search), table_(table), exact_(exact), queue_(queue), matches_(matches) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    const SearchedBlock& block = search_.blocks[holder];
    if constexpr (has_classes) ClassTable(table_).clear();
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      const CodeOutput output = whole_output(search_, block, code);
      exact_[code] = exact_word(*search_.pattern, output);
      const std::uint32_t word = shift_word(*search_.pattern, output);
      if constexpr (has_classes) {
        ClassTable(table_).put(code, word, lane_);
      } else {
        // Lanes write to different banks.
        for (std::uint32_t copy = 0; copy < Table::copies; ++copy) {
          *word_at(Table::offset(code, lane_ + copy)) = word;
        }
      }
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
      before_tile_ = step(word(before, i), before_tile_);
    }
  }

  __device__ __forceinline__ bool tile(const Codes& codes, std::uint32_t block, std::uint32_t tile) {
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
    std::uint32_t group = 0;
#pragma unroll
    for (std::uint32_t i = 0; i + 1 < CodesPerLane / group_codes; ++i) {
      if (!is_seen(states[i])) group = i + 1;
    }
    if (has_window) {
      queue_[waiting_ + count_bits(lanes & ((1u << lane_) - 1))] = {
          .block = block, .tile_lane_group = tile << 7 | lane_ << 2 | group};
    }
    waiting_ += count_bits(lanes);
    return waiting_ >= 32;
  }

  // Verifies the first 32 of the queue.
  __device__ __forceinline__ void verify(std::uint32_t /*block*/, std::uint32_t /*tile*/) {
    verify_candidates<CodeBits, CodesPerLane, Aligned>(search_, exact_, queue_, 32, matches_);
    waiting_ -= 32;
    // The others come first now: no more than lanes.
    Candidate other{};
    if (lane_ < waiting_) other = queue_[32 + lane_];
    __syncwarp();
    if (lane_ < waiting_) queue_[lane_] = other;
    __syncwarp();
  }

  // The next table replaces that of the candidates that wait.
  __device__ __forceinline__ void end_segment() {
    verify_candidates<CodeBits, CodesPerLane, Aligned>(search_, exact_, queue_, waiting_, matches_);
    waiting_ = 0;
  }

  __device__ __forceinline__ void end() {
    matches_.write_count(lane_);
  }

private:
  __device__ __forceinline__ static bool is_seen(std::uint32_t state) {
    return (state & state_mask) == seen_place;
  }

  __device__ __forceinline__ std::uint32_t* word_at(std::uint32_t offset) const {
    return reinterpret_cast<std::uint32_t*>(table_ + offset);
  }
  // Of code `index` of the lane's.
  template <std::uint32_t Count>
  __device__ __forceinline__ std::uint32_t word(const LaneCodes<CodeBits, Count>& codes,
                                                std::uint32_t index) const {
    if constexpr (has_classes) {
      return ClassTable(table_).word(codes, index, lane_part_);
    } else {
      return *word_at(Table::offset_in_lane(codes, index, lane_part_));
    }
  }

  const SearchOnDevice& search_;
  std::uint8_t* table_;
  std::uint64_t* exact_;
  Candidate* queue_;
  // Candidates in the queue, less than 32 between tiles.
  std::uint32_t waiting_ = 0;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  const std::uint32_t lane_part_ = Table::lane_part(threadIdx.x % 32);
  // The state in front of the warp's next tile, in lane 0.
  std::uint32_t before_tile_ = 0;
};

// Where in shared memory the table of the whole pattern is, after that of the window, then a word for
// walk_pieces(), and the warps' queues.
template <std::uint32_t CodeBits>
constexpr std::size_t exact_begin = CodeBits == 12 ? ClassTable::bytes : WordTable<CodeBits>::bytes;
template <std::uint32_t CodeBits>
constexpr std::size_t tables_end = exact_begin<CodeBits> + exact_table_bytes<CodeBits>;
template <std::uint32_t CodeBits>
constexpr std::size_t queues_begin = tables_end<CodeBits> + sizeof(Candidate);

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
__global__ void __launch_bounds__(most_threads, 1)
    search_codes(const GSST_GRID_CONSTANT SearchOnDevice search) {
  GSST_SHARED_MEMORY(shared);
  // Apart from the work: what functions get by reference is in memory.
  LaneMatches matches(search.answer);
  auto* const queues = reinterpret_cast<Candidate*>(shared + queues_begin<CodeBits>);
  ShiftsOnCodes<CodeBits, CodesPerLane, Aligned> work(
      search, shared, reinterpret_cast<std::uint64_t*>(shared + exact_begin<CodeBits>),
      queues + threadIdx.x / 32 * queue_places, matches);
  walk_pieces<CodeBits, CodesPerLane, Aligned>(
      search, reinterpret_cast<std::uint32_t*>(shared + tables_end<CodeBits>), work);
}

}  // namespace
}  // namespace gsst::search::kernels
