#include "search/codes/words_automaton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gsst::search::codes {
namespace {

constexpr unsigned text_seed = 20261201;

std::span<const std::uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Whose windows are whole words.
WordsAutomaton automaton_of(const std::vector<std::string>& words, bool ignore_case) {
  std::vector<Literal> literals;
  std::vector<Window> windows;
  for (const std::string& word : words) {
    const Literal& literal = literals.emplace_back(bytes_of(word), ignore_case);
    windows.push_back({.begin = 0, .bytes = {literal.bytes().begin(), literal.bytes().end()}});
  }
  return {literals, windows};
}

// Where words end, one past another from the last end on, as a search on codes goes on after a hit.
std::vector<std::size_t> ends_in(const WordsAutomaton& automaton, std::string_view text) {
  std::vector<std::size_t> ends;
  std::size_t state = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    state = automaton.next(state, bytes_of(text)[i]);
    if (state != automaton.size()) continue;
    ends.push_back(i + 1);
    state = automaton.after(bytes_of(text.substr(0, i + 1)));
  }
  return ends;
}

// Words that have no other one in them end where any of these does.
TEST(WordsAutomaton, SeesEveryWord) {
  SCOPED_TRACE("seed " + std::to_string(text_seed));
  std::mt19937 random(text_seed);
  for (int round = 0; round < 300; ++round) {
    const bool ignore_case = round % 2 == 0;
    const auto random_text = [&](std::size_t size) {
      std::string text(size, 'a');
      for (char& byte : text) byte = "abAB"[random() % (ignore_case ? 4 : 2)];
      return text;
    };
    std::vector<std::string> words(1 + random() % 4);
    for (std::string& word : words) word = random_text(1 + random() % 5);
    const WordsAutomaton automaton = automaton_of(words, ignore_case);
    std::string text = random_text(120);
    const std::vector<std::size_t> found = ends_in(automaton, text);
    const auto fold = [&](std::string folded) {
      for (char& byte : folded) byte = ignore_case && byte < 'a' ? static_cast<char>(byte + 32) : byte;
      return folded;
    };
    text = fold(text);
    std::vector<std::size_t> expected;
    for (std::size_t end = 1; end <= text.size(); ++end) {
      const std::string_view before = std::string_view(text).substr(0, end);
      if (std::ranges::any_of(words, [&](const std::string& word) { return before.ends_with(fold(word)); })) {
        expected.push_back(end);
      }
    }
    // What is found is there, and a word that is not found has one that is found in it or ends in one.
    EXPECT_TRUE(std::ranges::includes(expected, found)) << round;
    for (const std::size_t end : expected) {
      const auto last = std::ranges::upper_bound(found, end);
      ASSERT_NE(last, found.begin()) << round << " at " << end;
      EXPECT_LT(end - *(last - 1), 5u) << round << " at " << end;
    }
  }
}

TEST(WordsAutomaton, HasAStateForEachStart) {
  EXPECT_EQ(automaton_of({"abc", "abd", "x"}, false).size(), 3u);
  EXPECT_EQ(automaton_of({"abc", "abd", "x"}, false).longest(), 2u);
  // "xab" has "ab" at its end: nothing past it is looked for.
  EXPECT_EQ(automaton_of({"ab", "xabz"}, false).size(), 4u);
}

}  // namespace
}  // namespace gsst::search::codes
