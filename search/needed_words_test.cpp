#include "search/needed_words.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "search/extended_expression.hpp"
#include "search/pattern.hpp"

namespace gsst::search {
namespace {

using Words = std::vector<std::string>;

Words words_of_pattern(const std::string& pattern, bool ignore_case = false) {
  return translate_extended_expression(pattern, ignore_case).words;
}

TEST(NeededWords, AreTheBytesThatEveryMatchHas) {
  const std::vector<std::pair<std::string, Words>> expected = {
      {"abc", {"abc"}},
      {"special.*requests", {"requests"}},
      {"royalt(y|ies)", {"royalt"}},
      {"(a|bc)d", {"d"}},
      {"abc|defg", {"abc", "defg"}},
      {"(abc|defg)+x", {"abc", "defg"}},
      {"x(abcd|efgh)?yz", {"yz"}},
      {"(ab)(cd)", {"abcd"}},
      {"ab{0}cd", {"acd"}},
      {"a(bcd){2,}", {"bcd"}},
      {"^abc$", {"abc"}},
      {"\\<final\\>", {"final"}},
      {"ab\\.c", {"ab.c"}},
      {"[Tt]iresias", {"iresias"}},
      {"abc|[0-9]", {}},
      {"a*", {}},
      {"(abc)*", {}},
      {"", {}},
      {"abc|", {}},
      {".*", {}},
      {"*abc", {"abc"}},
      {"a\\>.\\<b", {"a"}},
  };
  for (const auto& [pattern, words] : expected) EXPECT_EQ(words_of_pattern(pattern), words) << pattern;
  EXPECT_EQ(words_of_pattern("Ab[cd]", true), Words{"Ab"});
}

TEST(NeededWords, OfSeveralPatternsAreThoseOfAll) {
  EXPECT_EQ(words_in_matches({"abc", "x+yz", "abc"}, {}), (Words{"abc", "yz"}));
  EXPECT_EQ(words_in_matches({"abc", "[0-9]"}, {}), Words{});
  EXPECT_EQ(words_in_matches({"a.c", ""}, {.syntax = PatternSyntax::fixed}), Words{});
  EXPECT_EQ(words_in_matches({"a.c", "b"}, {.syntax = PatternSyntax::fixed}), (Words{"a.c", "b"}));
  EXPECT_EQ(words_in_matches({}, {}), Words{});
  // What has a word has the words that are in it.
  EXPECT_EQ(words_in_matches({"furious", "furiously", "x", "fur"}, {}), (Words{"x", "fur"}));
}

TEST(NeededWords, AreNoMoreThanALimit) {
  Words many;
  for (std::size_t i = 0; i < most_needed_words; ++i) many.push_back("word" + std::to_string(100 + i));
  EXPECT_EQ(words_in_matches(many, {}), many);
  many.emplace_back("one more");
  EXPECT_EQ(words_in_matches(many, {}), Words{});
}

TEST(NeededWords, AreThoseWithMoreBytesForEachWord) {
  EXPECT_EQ(rarer_words({"ab"}, {"abc"}), Words{"abc"});
  EXPECT_EQ(rarer_words({"abc"}, {"ab"}), Words{"abc"});
  EXPECT_EQ(rarer_words({"ab"}, {"abc", "def"}), Words{"ab"});
  EXPECT_EQ(rarer_words({}, {"a"}), Words{"a"});
  EXPECT_EQ(rarer_words({"a"}, {}), Words{"a"});
}

}  // namespace
}  // namespace gsst::search
