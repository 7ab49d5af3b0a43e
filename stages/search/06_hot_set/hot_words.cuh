#pragma once

#include <cstdint>

#include "stages/search/06_hot_set/searched_words.hpp"
#include "stages/search/shared/rare_call.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/shift_words.cuh"
#include "stages/search/shared/text_walk.cuh"
#include "stages/search/shared/window_steps.cuh"

// The words of codes, as stage 03 has them, whose states are groups of an automaton's states.
namespace gsst::search::kernels {
namespace {

__device__ __forceinline__ std::uint32_t byte_of(std::uint64_t symbol, std::uint32_t index) {
  return static_cast<std::uint32_t>(symbol >> (8 * index)) & 0xff;
}

// The place in a word of the group of `state`; seen_place if it is in none.
__device__ __forceinline__ std::uint32_t place_of_state(const SearchedWords& words, std::uint32_t state) {
  static_assert(state_bits * cold_group == seen_place);
  return state_bits * words.group_of[state];
}

// The state after output from `state`, by `path`, which has a byte for the state after each of its bytes from
// state 0. Where both meet they stay together: nearly always after the first byte.
__device__ __forceinline__ std::uint32_t state_beside(const SearchedWords& words, const CodeOutput& output,
                                                      std::uint64_t path, std::uint32_t state) {
  for (std::uint32_t i = 0; i < output.length && state != window_ended; ++i) {
    state = words.next[state][byte_of(output.symbol, i)];
    if (state == byte_of(path, i)) return byte_of(path, output.length - 1);
  }
  return state;
}

// The word of a code with that whole_output(). A group leads where all its states lead, and where these are
// not in one group, or a window may have ended, to what has to be verified.
__device__ inline std::uint32_t hot_word(const SearchedWords& words, const CodeOutput& output) {
  constexpr std::uint32_t unknown = state_mask;
  constexpr std::uint32_t ones = 0x02108421;
  if (output.length == 0) return ones * seen_place;
  std::uint64_t path = 0;
  std::uint32_t from_start = 0;
  for (std::uint32_t i = 0; i < output.length; ++i) {
    from_start = words.next[from_start][byte_of(output.symbol, i)];
    if (from_start == window_ended) return ones * seen_place;
    path |= std::uint64_t{from_start} << (8 * i);
  }
  std::uint32_t word = ones * unknown;
  for (std::uint32_t state = 0; state < words.states; ++state) {
    const std::uint32_t place = place_of_state(words, state);
    if (place == seen_place) continue;
    const std::uint32_t after = state_beside(words, output, path, state);
    const std::uint32_t target = after == window_ended ? seen_place : place_of_state(words, after);
    const std::uint32_t others = word >> place & state_mask;
    const std::uint32_t both = others == unknown || others == target ? target : seen_place;
    word = (word & ~(state_mask << place)) | both << place;
  }
  return (word & ~(state_mask << seen_place)) | seen_place << seen_place;
}

// The place of the group in front of the first code of block `block`: that of the text before, whatever
// blocks it is in.
__device__ GSST_RARE_CALL std::uint32_t place_before_block(const SearchOnDevice& search,
                                                           std::uint32_t block) {
  const SearchedWords& words = words_of(search);
  TextBefore before(search, block, 0);
  std::uint32_t bytes = 0;
  std::uint32_t count = 0;
  for (; count < warm_up_codes; ++count) {
    const std::int32_t byte = before.next();
    if (byte == no_byte) break;
    bytes |= static_cast<std::uint32_t>(byte) << (8 * count);
  }
  std::uint32_t state = 0;
  for (; count > 0; --count) {
    state = words.next[state][bytes >> (8 * (count - 1)) & 0xff];
    if (state == window_ended) return seen_place;
  }
  return place_of_state(words, state);
}

}  // namespace
}  // namespace gsst::search::kernels
