#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/host_device.hpp"
#include "common/stage/scratch_layout.hpp"
#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/words_question.hpp"

/// Several words as a kernel looks for them.
namespace gsst::search::kernels {

/// States of the automaton of all windows: the first one, and one for each byte of a window but the last.
inline constexpr std::uint32_t most_word_states = 1 + most_words * (most_window_bytes - 1);
/// In place of a state: a window has ended.
inline constexpr std::uint32_t window_ended = most_word_states;
/// Groups of states that a word of 32 bits has places for. Group 0 has state 0.
inline constexpr std::uint32_t hot_groups = most_window_bytes;
/// The group of a state that is in none: its place in a word is that of what has to be verified.
inline constexpr std::uint32_t cold_group = hot_groups;

/// One of the words.
struct SearchedWord {
  /// The window's bytes, the last one in the lowest 8 bits, and what of such a number counts.
  std::uint64_t window;
  std::uint64_t window_mask;
  std::uint32_t window_bytes;
  /// From the word's first byte to the one after the window.
  std::uint32_t window_end;
  /// Where the word begins in SearchedWords::bytes, and how many bytes it has.
  std::uint32_t begin;
  std::uint32_t bytes;
};

/// All of them. Bytes of words and windows are folded.
struct SearchedWords {
  std::uint32_t count;
  std::uint32_t states;
  SearchedWord words[most_words];
  /// The automaton of Aho and Corasick for the windows: the state after a byte of the text, by the state
  /// before, or window_ended.
  std::uint8_t next[most_word_states][256];
  /// By state: its group, or cold_group.
  std::uint8_t group_of[most_word_states];
  /// By byte of the text: the words whose windows end with it, a bit each.
  std::uint16_t ending_with[256];
  /// By byte of the text: what a word has where the byte matches.
  std::uint8_t fold[256];
  /// The words, one after the other.
  std::uint8_t bytes[most_pattern_bytes];
};

/// Bytes that SearchedWords take in a plan's state.
inline constexpr std::size_t searched_words_bytes = (sizeof(SearchedWords) + stage::scratch_alignment - 1) /
                                                    stage::scratch_alignment * stage::scratch_alignment;

/// The words of a search whose plan has them in front of what other searches have in their state, which
/// begins with the pattern.
GSST_HOST_DEVICE inline const SearchedWords& words_of(const SearchOnDevice& search) {
  return *reinterpret_cast<const SearchedWords*>(reinterpret_cast<const std::uint8_t*>(search.pattern) -
                                                 searched_words_bytes);
}

}  // namespace gsst::search::kernels
