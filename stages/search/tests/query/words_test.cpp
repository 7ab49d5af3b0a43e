#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"
#include "search/codes/words_automaton.hpp"
#include "stages/search/06_hot_set/hot_groups.hpp"
#include "stages/search/shared/words_question.hpp"
#include "stages/search/tests/query/run_search.hpp"
#include "stages/suite/test_sample.hpp"

// Stage search/06_hot_set finds what memmem() finds for each of several words in the decoded text.
namespace gsst::search::kernels {
namespace {

using codes::Literal;

Literal literal_of(const std::string& word, bool ignore_case) {
  return Literal(std::span(reinterpret_cast<const std::uint8_t*>(word.data()), word.size()), ignore_case);
}

// Where each word begins: a place more than once if several words do.
FoundPositions places_of_words(const SearchedText& text, const WordsQuestion& question) {
  FoundPositions places;
  std::vector<SearchedText> seen;
  for (const std::string& word : question.words) {
    const Literal literal = literal_of(word, question.ignore_case);
    SearchedText folded = text;
    literal.fold_text(folded);
    const SearchedText bytes(literal.bytes().begin(), literal.bytes().end());
    if (std::ranges::find(seen, bytes) != seen.end()) continue;
    seen.push_back(bytes);
    const FoundPositions of_word = positions_in_text(folded, bytes);
    places.insert(places.end(), of_word.begin(), of_word.end());
  }
  std::ranges::sort(places);
  return places;
}

class WordsTest : public testing::TestWithParam<stage::StageCase> {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases =
        stage::stage_cases(stage::Operation::query, format::BlockFormat::tiles);
    std::erase_if(cases, [](const stage::StageCase& one) { return one.stage != "search/06_hot_set"; });
    return cases;
  }

protected:
  static bool is_whole() { return gsst::test::test_sample().is_whole(); }

  // Positions, and the count alone; under a tool they take turns.
  void expect_words(const SearchedText& frame, const SearchedText& text, const WordsQuestion& question,
                    std::size_t shift = 0) {
    const FoundPositions expected = places_of_words(text, question);
    const std::string asked = words_question(question);
    SCOPED_TRACE(testing::PrintToString(question.words) + (question.ignore_case ? ", any case, " : ", ") +
                 std::to_string(expected.size()) + " matches");
    const bool is_even = searched_++ % 2 == 0;
    for (const bool has_positions : {true, false}) {
      if (!is_whole() && has_positions != is_even) continue;
      const SearchResult found = run_search(GetParam(), frame, {asked.begin(), asked.end()},
                                            has_positions ? expected.size() + 3 : 0, shift);
      ASSERT_FALSE(found.outcome.problem) << found.outcome.problem->description;
      ASSERT_EQ(found.outcome.count, expected.size());
      ASSERT_TRUE(found.outcome.is_complete);
      if (has_positions) {
        ASSERT_EQ(found.positions, expected);
      }
      ASSERT_FALSE(found.has_left_memory);
    }
  }

private:
  unsigned searched_ = 0;
};

INSTANTIATE_TEST_SUITE_P(AllStages, WordsTest, testing::ValuesIn(WordsTest::cases()), stage::case_name);

// Letters in both cases that compress, and a block in three that is random.
SearchedText text_of_letters(std::size_t blocks, std::size_t block_bytes, std::uint64_t seed) {
  SearchedText text;
  std::mt19937_64 random(seed);
  for (std::size_t block = 0; block < blocks; ++block) {
    SearchedText part = block % 3 == 2 ? reference::test::make_random(block_bytes, block)
                                       : reference::test::make_text(block_bytes, seed + block % 2);
    for (std::size_t i = 0; i < part.size() && block % 3 != 2; i += 1 + random() % 40) {
      if (part[i] >= 'a' && part[i] <= 'z') part[i] = static_cast<std::uint8_t>(part[i] - 'a' + 'A');
    }
    text.insert(text.end(), part.begin(), part.end());
  }
  text.resize(text.size() - block_bytes / 3);
  return text;
}

// Parts of the text; of some a byte is changed, of some the case of letters.
WordsQuestion random_words(const SearchedText& text, std::size_t count, std::size_t most_bytes,
                           std::mt19937_64& random) {
  WordsQuestion question{.words = {}, .ignore_case = random() % 2 == 0};
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t bytes = 1 + random() % std::min(most_bytes, text.size());
    const auto begin = text.begin() + static_cast<std::ptrdiff_t>(random() % (text.size() - bytes + 1));
    std::string word(begin, begin + static_cast<std::ptrdiff_t>(bytes));
    if (random() % 3 == 0) word[random() % bytes] = static_cast<char>(random());
    for (char& letter : word) {
      if (question.ignore_case && random() % 2 == 0 && letter >= 'a' && letter <= 'z') {
        letter = static_cast<char>(letter - 'a' + 'A');
      }
    }
    question.words.push_back(word);
  }
  return question;
}

SearchedText compressed(const SearchedText& text, std::uint32_t code_bits, std::uint32_t codes_per_lane,
                        std::size_t block_bytes) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = block_bytes,
                                    .code_bits = code_bits,
                                    .codes_per_lane = codes_per_lane,
                                    .level = 1,
                                    .threads = 1});
}

TEST_P(WordsTest, FindsPartsOfTheText) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  std::mt19937_64 random(7);
  for (const std::size_t block_bytes : {64u, 1000u, 30'000u}) {
    const SearchedText text = text_of_letters(block_bytes == 30'000 ? 3 : 9, block_bytes, 5);
    for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
      for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
        if (!sample.has(choice++)) continue;
        SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(codes_per_lane) +
                     " codes a lane, blocks of " + std::to_string(block_bytes));
        const SearchedText frame = compressed(text, code_bits, codes_per_lane, block_bytes);
        for (const std::size_t count : {1u, 2u, 3u, 5u, 16u}) {
          ASSERT_NO_FATAL_FAILURE(
              expect_words(frame, text, random_words(text, count, 12, random), count % 3));
        }
        ASSERT_NO_FATAL_FAILURE(expect_words(frame, text, random_words(text, 4, 1000, random)));
      }
    }
  }
}

// Words that are in each other, that share windows and that end with others, in a text of few letters: over
// borders of blocks, of which some are raw, and of tiles and pieces.
TEST_P(WordsTest, FindsWordsThatOverlap) {
  std::mt19937_64 random(11);
  SearchedText text(is_whole() ? 60'000 : 24'000);
  for (std::uint8_t& byte : text) byte = "abAB"[random() % 4];
  const SearchedText noise = reference::test::make_random(3000, 1);
  std::ranges::copy(noise, text.begin() + 6000);
  const std::vector<WordsQuestion> questions = {
      {.words = {"a", "ab", "ba", "aab"}},
      {.words = {"abab", "babab", "ababab", "AB", "bA"}, .ignore_case = true},
      {.words = {"aaaaaaa", "aaaabbbb", "abba", "bbbbabb", "AAABAABA", "baab", "BABA", "bbaA", "aABa", "ABba",
                 "BbBb", "AaAaA", "abAB", "BAba", "AbBa", "aBbA"}},
      {.words = {"same", "same", "SAME", std::string("\0\xff", 2)}, .ignore_case = true},
      {.words = {"ab"}, .ignore_case = true},
  };
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    // Under a tool one width, each tool its own.
    if (!is_whole() && sample.first % 3 != choice++) continue;
    const SearchedText large = compressed(text, code_bits, 16, 24'000);
    const SearchedText small = compressed(text, code_bits, 32, 3000);
    for (const WordsQuestion& question : questions) {
      ASSERT_NO_FATAL_FAILURE(expect_words(large, text, question));
      ASSERT_NO_FATAL_FAILURE(expect_words(small, text, question, 1));
    }
  }
}

TEST_P(WordsTest, RefusesOtherNumbersOfWords) {
  const SearchedText frame = compressed(text_of_letters(2, 1000, 5), 10, 16, 1000);
  const auto make = [&](const std::string& question) {
    return stage::find_stage(GetParam().stage, stage::Operation::query)
        ->query.at(GetParam().executor)
        .make({.frames = {stage::frame_shape(frame)}, .question = question, .output_bytes = 0});
  };
  EXPECT_NE(make(words_question({.words = std::vector<std::string>(17, "a")})), nullptr) << "one word";
  std::vector<std::string> words;
  for (std::uint32_t i = 0; i <= most_words; ++i) words.push_back(std::to_string(i));
  EXPECT_THROW(make(words_question({.words = words})), std::invalid_argument);
  words.pop_back();
  EXPECT_NE(make(words_question({.words = words})), nullptr);
  EXPECT_THROW(make(words_question({.words = {}})), std::invalid_argument);
  EXPECT_THROW(make(words_question({.words = {"a", ""}})), std::invalid_argument);
  EXPECT_THROW(make(words_question({.words = {"a", std::string(4096, 'b')}})), std::invalid_argument);
  const std::string question = words_question({.words = {"several"}});
  EXPECT_THROW(make(question.substr(0, question.size() - 1)), std::invalid_argument);
  EXPECT_THROW(make(question + '\1'), std::invalid_argument);
}

TEST(WordsQuestionTest, IsReadAsItWasWritten) {
  const WordsQuestion question{.words = {"one", std::string("\0", 1), std::string(300, 'x'), ""},
                               .ignore_case = true};
  const WordsQuestion read = read_words_question(words_question(question));
  EXPECT_EQ(read.words, question.words);
  EXPECT_TRUE(read.ignore_case);
  EXPECT_FALSE(read_words_question(words_question({.words = {"a"}})).ignore_case);
  EXPECT_EQ(read_words_question("plain").words, std::vector<std::string>{"plain"});
  const std::string begin = words_question({.words = {}});
  EXPECT_EQ(read_words_question(words_question({.words = {begin}})).words, std::vector<std::string>{begin});
  EXPECT_THROW(words_question({.words = {std::string(65536, 'a')}}), std::invalid_argument);
}

codes::WordsAutomaton automaton_of(const std::vector<std::string>& words) {
  std::vector<Literal> literals;
  std::vector<codes::Window> windows;
  for (const std::string& word : words) {
    literals.push_back(literal_of(word, false));
    windows.push_back(codes::choose_window(literals.back(), most_window_bytes, {}));
  }
  return {literals, windows};
}

TEST(HotGroupsTest, EachStateOfOneWindowHasItsGroup) {
  const codes::WordsAutomaton automaton = automaton_of({"abcde"});
  const HotGroups groups(automaton, {});
  EXPECT_EQ(std::vector(groups.groups().begin(), groups.groups().end()),
            (std::vector<std::uint8_t>{0, 1, 2, 3, 4}));
}

// A text in which six letters that words begin with are as frequent, and never what follows in the words.
TEST(HotGroupsTest, StatesThatAreSeldomMistakenShareAGroup) {
  const codes::WordsAutomaton automaton =
      automaton_of({"a1234", "b1234", "c1234", "d1234", "e1234", "f1234"});
  std::vector<SampledCode> sample;
  for (std::uint32_t i = 0; i < 600; ++i) sample.push_back({.symbol = 'a' + i % 6, .length = 1});
  const HotGroups joined(automaton, sample);
  for (const char letter : std::string("abcdef")) {
    const std::size_t state = automaton.next(0, static_cast<std::uint8_t>(letter));
    EXPECT_NE(joined.groups()[state], cold_group) << letter;
  }
  const HotGroups without_sample(automaton, {});
  EXPECT_EQ(std::ranges::count(without_sample.groups(), std::uint8_t{cold_group}),
            static_cast<std::ptrdiff_t>(automaton.size() - hot_groups));
}

}  // namespace
}  // namespace gsst::search::kernels
