#include "stages/search/07_automaton/line_expression.hpp"

#include <gtest/gtest.h>
#include <re2/re2.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stages/search/07_automaton/byte_automaton.hpp"

namespace gsst::search::kernels {
namespace {

// Where rows of the answer to an automaton are.
std::vector<std::size_t> ends_of(const ByteAutomaton& automaton, std::string_view text) {
  std::vector<std::size_t> ends;
  std::uint32_t state = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t entry = automaton.next[state][static_cast<std::uint8_t>(text[i])];
    if (entry >= match_ends) ends.push_back(i + 1);
    state = entry & next_state_mask;
  }
  return ends;
}

// An expression, and the same for RE2.
struct BothExpressions {
  LineExpression places;
  std::string text;
};

BothExpressions random_expression(std::mt19937_64& random, unsigned depth) {
  constexpr std::string_view letters = "abcd";
  const std::uint64_t kind = random() % (depth == 0 ? 3 : 7);
  if (kind < 2) {
    const std::string byte(1, letters[random() % letters.size()]);
    return {.places = LineExpression::string(byte), .text = byte};
  }
  if (kind == 2) {
    if (random() % 2 == 0) return {.places = LineExpression::any(), .text = "."};
    return {.places = LineExpression::one_of(LineExpression::Bytes().set('a').set('c')), .text = "[ac]"};
  }
  const BothExpressions first = random_expression(random, depth - 1);
  if (kind == 3) return {.places = first.places.repeated(), .text = "(?:" + first.text + ")+"};
  if (kind == 4) return {.places = first.places.optional(), .text = "(?:" + first.text + ")?"};
  const BothExpressions second = random_expression(random, depth - 1);
  if (kind == 5) {
    return {.places = first.places.either(second.places),
            .text = "(?:" + first.text + "|" + second.text + ")"};
  }
  return {.places = first.places.then(second.places), .text = first.text + second.text};
}

// The end of the match that ends first in the line, and 0 if there is none.
std::size_t first_end(const std::string& expression, std::string_view line, LinePlace place) {
  RE2::Options options(RE2::Latin1);
  const std::string anchored = (place == LinePlace::start ? "\\A(?:" : "(?s:\\A.*)(?:") + expression + ")\\z";
  const RE2 compiled(anchored, options);
  for (std::size_t end = 1; end <= line.size(); ++end) {
    if (RE2::PartialMatch(re2::StringPiece(line.data(), end), compiled)) return end;
  }
  return 0;
}

TEST(LineExpression, FindsTheLinesThatRe2Finds) {
  constexpr std::uint64_t seed = 7;
  std::mt19937_64 random(seed);
  unsigned searched = 0;
  for (unsigned i = 0; i < 400; ++i) {
    const BothExpressions expression = random_expression(random, 4);
    const LinePlace place = random() % 3 == 0 ? LinePlace::start : LinePlace::anywhere;
    if (expression.places.may_be_empty()) {
      EXPECT_THROW(automaton_of_lines(expression.places, place), std::invalid_argument);
      continue;
    }
    ByteAutomaton automaton;
    try {
      automaton = automaton_of_lines(expression.places, place);
    } catch (const std::invalid_argument&) {
      // Too many states.
      continue;
    }
    ++searched;
    std::string text;
    std::vector<std::size_t> expected;
    for (unsigned line = 0; line < 6; ++line) {
      std::string bytes;
      for (std::uint64_t left = random() % 12; left != 0; --left) bytes += "abcdx"[random() % 5];
      const std::size_t end = first_end(expression.text, bytes, place);
      if (end != 0) expected.push_back(text.size() + end);
      text += bytes + "\n";
    }
    // The last line has no line end.
    text.pop_back();
    ASSERT_EQ(ends_of(automaton, text), expected) << expression.text << " in " << text << ", seed " << seed;
  }
  EXPECT_GT(searched, 200u);
}

TEST(LineExpression, OfTwoWordsIsSmall) {
  const LineExpression expression = LineExpression::string("special")
                                        .then(LineExpression::any().repeated().optional())
                                        .then(LineExpression::string("requests"));
  const ByteAutomaton automaton = automaton_of_lines(expression);
  // Seven in front of the first word's end, eight in front of the other's, and one for a line with a match.
  EXPECT_EQ(automaton.state_count, 16u);
  EXPECT_EQ(ends_of(automaton, "special requests, special requests\nspecial\nrequests\nspecialrequests"),
            (std::vector<std::size_t>{16, 67}));
}

TEST(LineExpression, RefusesWhatIsTooLarge) {
  const LineExpression any = LineExpression::any();
  LineExpression many = LineExpression::string("a");
  const LineExpression last = LineExpression::string("b");
  // Which of the last bytes were an a: 128 ways, and then too many to count.
  for (unsigned i = 0; i < 6; ++i) many = many.then(any);
  EXPECT_THROW(automaton_of_lines(many.then(last)), std::invalid_argument);
  for (unsigned i = 0; i < 20; ++i) many = many.then(any);
  EXPECT_THROW(automaton_of_lines(many.then(last)), std::invalid_argument);
  const LineExpression longest = LineExpression::string(std::string(64, 'a'));
  EXPECT_THROW(longest.then(any), std::invalid_argument);
  EXPECT_THROW(longest.either(any), std::invalid_argument);
  EXPECT_THROW(automaton_of_lines(longest), std::invalid_argument);
  EXPECT_THROW(automaton_of_lines(LineExpression::nothing()), std::invalid_argument);
  EXPECT_EQ(automaton_of_lines(LineExpression::string(std::string(62, 'a'))).state_count, 63u);
}

TEST(LineExpression, NeverMatchesALineEnd) {
  const ByteAutomaton automaton = automaton_of_lines(LineExpression::string("a\nb"));
  EXPECT_TRUE(ends_of(automaton, "a\nb a\nb ab").empty());
}

TEST(ByteAutomaton, OfAStringFindsAllItsPlaces) {
  std::mt19937_64 random(5);
  for (unsigned i = 0; i < 300; ++i) {
    std::string text;
    for (unsigned byte = 0; byte < 200; ++byte) text += "ab"[random() % 2];
    const std::string string = text.substr(random() % 100, 1 + random() % (i % 2 == 0 ? 5 : 63));
    std::vector<std::size_t> expected;
    for (std::size_t place = text.find(string); place != std::string::npos;
         place = text.find(string, place + 1)) {
      expected.push_back(place + string.size());
    }
    const ByteAutomaton automaton =
        automaton_of_string({reinterpret_cast<const std::uint8_t*>(string.data()), string.size()});
    ASSERT_EQ(automaton.match_bytes, string.size());
    ASSERT_EQ(ends_of(automaton, text), expected) << string << " in " << text;
  }
}

TEST(ByteAutomaton, IsAQuestion) {
  const std::array<std::uint8_t, 2> string = {'a', 'b'};
  const ByteAutomaton automaton = automaton_of_string(string);
  const std::string question = question_of(automaton);
  ASSERT_TRUE(is_automaton(question));
  EXPECT_EQ(question_of(automaton_of_question(question)), question);
  EXPECT_FALSE(is_automaton("ab"));
  EXPECT_FALSE(is_automaton(std::string(4096, 'a')));
  ByteAutomaton wrong = automaton;
  wrong.next[1][7] = 2;
  EXPECT_THROW(automaton_of_question(question_of(wrong)), std::invalid_argument);
  for (const std::uint32_t count : {0u, most_states + 1}) {
    wrong = automaton;
    wrong.state_count = count;
    EXPECT_THROW(automaton_of_question(question_of(wrong)), std::invalid_argument);
  }
  EXPECT_THROW(automaton_of_string({}), std::invalid_argument);
  EXPECT_THROW(automaton_of_string(std::vector<std::uint8_t>(64, 'a')), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::search::kernels
