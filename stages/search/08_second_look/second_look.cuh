#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/08_second_look/counted_pattern.cuh"
#include "stages/search/08_second_look/counting_words.cuh"
#include "stages/search/shared/candidate_queue.cuh"
#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/piece_walk.cuh"
#include "stages/search/shared/queued_shifts.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"
#include "stages/search/shared/window_steps.cuh"

namespace gsst::search::kernels {
namespace {

// Lanes of a tile with a window, or later with a match, for which the next tiles are counted: their
// candidates would take longer than the longer words.
constexpr std::uint32_t many_lanes = 4;

// Codes that put out all bytes that a counted match may have in front of a code, one byte or more each.
constexpr std::uint32_t counting_warm_up = most_counted_bytes - 1;
static_assert(counting_warm_up == group_codes);

// What a warp remembers while it counts. In registers it would be in the way of the first look.
struct alignas(8) Counting {
  // Of the piece: after the last tile that may be counted.
  std::uint32_t end_tile;
  // The state in front of the warp's next tile.
  std::uint32_t before_tile;
};

// What a thread block has in shared memory, as offsets: what a queue's search has, the word without the
// window, what of a step counts, the counting words, and what is a warp's own: its queue and its Counting.
template <std::uint32_t CodeBits>
struct SecondLookMemory {
  using First = QueuedMemory<CodeBits, WordTable<CodeBits>>;

  static constexpr std::size_t without_window = First::has_pieces + sizeof(std::uint64_t);
  static constexpr std::size_t count_mask = without_window + sizeof(std::uint64_t);
  static constexpr std::size_t counting_words = count_mask + sizeof(std::uint64_t);
  static constexpr std::size_t warps = counting_words + CountingWords<CodeBits>::bytes;
  static constexpr std::size_t bytes_of_warp = First::bytes_of_warp + sizeof(Counting);
};

// Looks for the window, as stage 04 does, until a tile has it in many lanes. Then the warp counts the whole
// pattern, without a queue, to the end of the piece.
//
// Matches belong to the code with the last byte of the window in the first look, and to the one with the last
// byte of the pattern while the warp counts. So at the first of these tiles the state has no beginnings with
// the window, and behind the last of them the matches are counted whose window is in front of that place.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane, bool Aligned>
class SecondLook {
public:
  using Codes = LaneCodes<CodeBits, CodesPerLane>;
  using First = QueuedShifts<CodeBits, CodesPerLane, Aligned, WordTable<CodeBits>>;
  using Memory = SecondLookMemory<CodeBits>;

  // `shared` is laid out as Memory says, `of_warp` is the warp's own part of it.
  __device__ SecondLook(const SearchOnDevice& search, std::uint8_t* shared, std::uint8_t* of_warp,
                        LaneMatches& matches)
      : search_(search),
        first_(search, shared, reinterpret_cast<std::uint64_t*>(shared + Memory::First::exact),
               reinterpret_cast<Candidate*>(of_warp), matches),
        counting_(reinterpret_cast<Counting*>(of_warp + Memory::First::bytes_of_warp)),
        without_window_(reinterpret_cast<std::uint64_t*>(shared + Memory::without_window)),
        count_mask_(reinterpret_cast<std::uint32_t*>(shared + Memory::count_mask)),
        words_(shared, shared + Memory::counting_words),
        matches_(matches) {}

  __device__ __forceinline__ void load_table(std::uint32_t holder) {
    first_.load_table(holder);
    const SearchedBlock& block = search_.blocks[holder];
    if (search_.answer.positions != nullptr || has_codes_without_output(block) ||
        !CountedPattern::can_count(search_)) {
      if (threadIdx.x == 0) *count_mask_ = 0;
      return;
    }
    const CountedPattern pattern(search_);
    if (threadIdx.x == 0) {
      *count_mask_ = pattern.count_mask();
      *without_window_ = pattern.word_without_window();
    }
    for (std::uint32_t code = threadIdx.x; code < 1u << CodeBits; code += blockDim.x) {
      words_.put(code, pattern.word(whole_output(search_, block, code)), lane_);
    }
  }

  __device__ __forceinline__ void begin_piece(const Piece& piece, const std::uint8_t* tile) {
    std::uint32_t end_tile = 0;
    if (*count_mask_ != 0) {
      const std::uint32_t whole_tiles = search_.blocks[piece.block].code_count / Codes::shape().codes();
      end_tile = piece.end_tile < whole_tiles ? piece.end_tile : whole_tiles;
    }
    __syncwarp();
    if (lane_ == 0) counting_->end_tile = end_tile;
    __syncwarp();
    if (mode_ == Mode::counting && piece.first_tile < end_tile) {
      begin_counting(piece.block, piece.first_tile);
    } else {
      mode_ = Mode::looking;
      first_.begin_piece(piece, tile);
    }
  }

  __device__ __forceinline__ bool tile(const Codes& codes, std::uint32_t block, std::uint32_t tile) {
    if (mode_ == Mode::counting) return count(codes, tile);
    const std::uint32_t waiting = first_.waiting();
    const bool has_to_verify = first_.tile(codes, block, tile);
    if (first_.waiting() - waiting < many_lanes) return has_to_verify;
    // What a tile holds behind a block's last code is no text.
    if (tile + 1 >= counting_->end_tile) return has_to_verify;
    mode_ = Mode::counts_next;
    return true;
  }

  __device__ __forceinline__ void verify(std::uint32_t block, std::uint32_t tile) {
    if (mode_ == Mode::counting || mode_ == Mode::counted_few) {
      end_counting(block, tile + 1);
      return;
    }
    if (first_.waiting() >= 32) first_.verify(block, tile);
    if (mode_ != Mode::counts_next) return;
    mode_ = Mode::counting;
    begin_counting(block, tile + 1);
  }

  __device__ __forceinline__ void end_segment() { first_.end_segment(); }

  __device__ __forceinline__ void end() { first_.end(); }

private:
  // counts_next: from the next tile on. counted_few: the last tile that was counted has matches in few lanes.
  enum class Mode : std::uint32_t { looking, counts_next, counting, counted_few };

  // Of such codes more than counting_warm_up may matter.
  __device__ __forceinline__ static bool has_codes_without_output(const SearchedBlock& block) {
    bool has_some = false;
    for (std::uint32_t i = 0; i < 16; ++i) has_some |= (block.class_lengths >> (4 * i) & 0xf) == 0;
    return has_some;
  }

  // The state in front of tile `tile`, from the codes in memory.
  __device__ __forceinline__ void begin_counting(std::uint32_t block, std::uint32_t tile) {
    if (tile == 0) {
      if (lane_ == 0) counting_->before_tile = counting_place_before_block(search_, block);
      return;
    }
    const std::uint8_t* const begin = search_.frame + search_.blocks[block].tile(tile);
    LaneCodes<CodeBits, group_codes> before;
    before.template load_parts<Aligned>(begin - Codes::shape().bytes() + Codes::shape().codes() - group_codes,
                                        begin - (CodeBits - 8));
    const std::uint32_t lane_part = CountingWords<CodeBits>::lane_part(lane_);
    std::uint32_t state = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < group_codes; ++i) {
      state = counting_step(words_.word(before, i, lane_part), state);
    }
    if (lane_ == 0) counting_->before_tile = counting_step(*without_window_, state);
  }

  // Counts the matches that end in a tile of which all codes are the block's. Whether it is the last one.
  __device__ __forceinline__ bool count(const Codes& codes, std::uint32_t tile) {
    constexpr std::uint32_t first_codes = CodesPerLane - counting_warm_up;
    const std::uint32_t lane_part = CountingWords<CodeBits>::lane_part(lane_);
    const std::uint32_t count_mask = *count_mask_;
    // As in stage 03: what the next lane begins with.
    std::uint64_t last_words[counting_warm_up];
    std::uint32_t after_last = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < counting_warm_up; ++i) {
      last_words[i] = words_.word(codes, first_codes + i, lane_part);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < counting_warm_up; ++i)
      after_last = counting_step(last_words[i], after_last);
    const std::uint32_t before = __shfl_sync(all_lanes, after_last, static_cast<int>(lane_ + 31) % 32);
    std::uint32_t state = before;
    if (lane_ == 0) {
      state = counting_->before_tile;
      counting_->before_tile = before;
    }
    std::uint32_t counted = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < first_codes; ++i) {
      state = counting_step(words_.word(codes, i, lane_part), state);
      counted += state & count_mask;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < counting_warm_up; ++i) {
      state = counting_step(last_words[i], state);
      counted += state & count_mask;
    }
    matches_.add_counted(counted >> place_bits);
    if (tile + 1 != counting_->end_tile) return false;
    if (count_bits(__ballot_sync(all_lanes, counted != 0)) < many_lanes) mode_ = Mode::counted_few;
    return true;
  }

  // Before tile `tile` of the block, which may be the one after its last.
  __device__ __forceinline__ void end_counting(std::uint32_t block, std::uint32_t tile) {
    const CountedPattern pattern(search_);
    if (lane_ == 0 && (counting_->before_tile & place_mask) >= pattern.place(pattern.first_with_window())) {
      matches_.add_counted(count_matches_around(search_, block, tile * Codes::shape().codes()));
    }
    __syncwarp();
    const SearchedBlock& searched = search_.blocks[block];
    if (tile % piece_tiles == 0 || tile == searched.tile_count()) return;
    // The piece's last tile, which is no whole one.
    mode_ = Mode::looking;
    const std::uint64_t offset = searched.tile(tile);
    first_.begin_piece({.offset = offset, .block = block, .first_tile = tile, .end_tile = tile + 1},
                       search_.frame + offset);
  }

  const SearchOnDevice& search_;
  First first_;
  // Lane 0 writes it, and reads the state.
  Counting* counting_;
  std::uint64_t* without_window_;
  // What of a step's result is the number of matches; 0: nothing is counted with this table.
  std::uint32_t* count_mask_;
  const CountingWords<CodeBits> words_;
  LaneMatches& matches_;
  const std::uint32_t lane_ = threadIdx.x % 32;
  Mode mode_ = Mode::looking;
};

}  // namespace
}  // namespace gsst::search::kernels
