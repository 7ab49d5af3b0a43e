#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/lane_codes.cuh"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/window_steps.cuh"

// The automaton as a word a code: a state is a place in a word, and the word has the next state at the place
// of each.
namespace gsst::search::kernels {
namespace {

constexpr std::uint32_t word_bytes = 4;
// A shift takes five bits of its count, and a state has five bits in a word.
constexpr std::uint32_t state_bits = 5;
constexpr std::uint32_t state_mask = (1u << state_bits) - 1;
// The place of the state in which the window has been seen, or what it takes to know is missing.
constexpr std::uint32_t seen_place = state_bits * most_window_bytes;

// The step from `state` by `word`, whose bits above the lowest five mean nothing: one instruction, SHF, whose
// count wraps.
__device__ __forceinline__ std::uint32_t step(std::uint32_t word, std::uint32_t state) {
  return __funnelshift_r(word, 0, state);
}

// The place of a state of the window's automaton.
__device__ __forceinline__ std::uint32_t place_of(const Pattern& pattern, std::uint32_t state) {
  return state == pattern.window_bytes ? seen_place : state_bits * state;
}

// The word of a code with that whole_output().
__device__ inline std::uint32_t shift_word(const Pattern& pattern, const CodeOutput& output) {
  std::uint32_t word = seen_place << seen_place;
  for (std::uint32_t state = 0; state < pattern.window_bytes; ++state) {
    word |= place_of(pattern, state_after_output(pattern, output, state)) << (state_bits * state);
  }
  return word;
}

// Words of all codes in shared memory. Of 8 and 10 bits each lane has its own copy, in its own bank, so that
// lanes never wait for each other. Of 12 bits there is one.
template <std::uint32_t CodeBits>
class WordTable {
  static constexpr std::uint32_t copies = CodeBits == 12 ? 1 : 32;
  // From the words of a code to those of the next: of 8 bits twice what they take, so that the code and the
  // lane are bytes of the offset.
  static constexpr std::uint32_t stride = CodeBits == 8 ? 256 : copies * word_bytes;

public:
  static constexpr std::size_t bytes = (std::size_t{1} << CodeBits) * stride;

  __device__ explicit WordTable(std::uint8_t* table) : table_(table) {}

  // The thread block does, before it puts words in. Other tables have something to do then.
  __device__ __forceinline__ void clear() const {}

  // A thread puts the word of `code` in for all lanes. Lanes write to different banks.
  __device__ __forceinline__ void put(std::uint32_t code, std::uint32_t word, std::uint32_t lane) const {
    for (std::uint32_t copy = 0; copy < copies; ++copy) {
      *word_at(code * stride + (lane + copy) % copies * word_bytes) = word;
    }
  }

  // What word() needs of the lane.
  __device__ __forceinline__ static std::uint32_t lane_part(std::uint32_t lane) {
    return CodeBits == 8 ? lane * 4 : CodeBits == 10 ? lane * 2 * 0x0101 : 0;
  }

  // Of code `index` of a lane's.
  template <std::uint32_t CodesPerLane>
  __device__ __forceinline__ std::uint32_t word(const LaneCodes<CodeBits, CodesPerLane>& codes,
                                                std::uint32_t index, std::uint32_t lane_part) const {
    return *word_at(offset(codes, index, lane_part));
  }

private:
  __device__ __forceinline__ std::uint32_t* word_at(std::uint32_t offset) const {
    return reinterpret_cast<std::uint32_t*>(table_ + offset);
  }

  // Bytes from the table's start to the lane's word of code `index`.
  template <std::uint32_t CodesPerLane>
  __device__ __forceinline__ static std::uint32_t offset(const LaneCodes<CodeBits, CodesPerLane>& codes,
                                                         std::uint32_t index, std::uint32_t lane_part) {
    const std::uint32_t bytes_of_four = codes.bytes(index / 4);
    const std::uint32_t byte = index % 4;
    if constexpr (CodeBits == 8) {
      // code << 8 | lane << 2
      return permute_bytes(bytes_of_four, lane_part, 0x5504 | byte << 4);
    } else if constexpr (CodeBits == 10) {
      // code << 7 | lane << 2. The two low bits of codes 2 p and 2 p + 1 go to the top of bytes 0 and 1,
      // above half of the lane's part.
      const std::uint32_t rest = codes.rest(index / 16);
      const std::uint32_t pair = index % 16 / 2;
      const std::uint32_t bits = (pair < 4 ? rest << (6 - 2 * pair) : rest >> (2 + 2 * pair)) & 0xc0c0;
      return permute_bytes(bytes_of_four, bits | lane_part, 0x7700 | byte << 4 | (4 + index % 2)) * 2;
    } else {
      const std::uint32_t rest = codes.rest(index / 8);
      const std::uint32_t high = index % 2 == 0 ? rest : rest >> 4;
      return (permute_bytes(bytes_of_four, high, byte | (4 + index % 8 / 2) << 4) & 0xfff) * 4;
    }
  }

  std::uint8_t* table_;
};

}  // namespace
}  // namespace gsst::search::kernels
