#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/search/07_automaton/byte_automaton.hpp"
#include "stages/search/07_automaton/line_expression.hpp"
#include "stages/search/tests/query/run_search.hpp"
#include "stages/suite/test_sample.hpp"

// A stage that searches by automata finds what they find in the decoded text, byte by byte.
namespace gsst::search::kernels {
namespace {

FoundPositions rows_in_text(const ByteAutomaton& automaton, const SearchedText& text) {
  FoundPositions rows;
  std::uint32_t state = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::uint32_t entry = automaton.next[state][text[i]];
    if (entry >= match_ends) rows.push_back(i + 1 - automaton.match_bytes);
    state = entry & next_state_mask;
  }
  return rows;
}

SearchedText question_bytes(const ByteAutomaton& automaton) {
  const std::string question = question_of(automaton);
  return {question.begin(), question.end()};
}

LineExpression two_words(std::string_view first, std::string_view second) {
  return LineExpression::string(first)
      .then(LineExpression::any().repeated().optional())
      .then(LineExpression::string(second));
}

// Any state, and a match after any byte, but with a few favourites, so that lanes sometimes guess right.
ByteAutomaton random_automaton(std::uint32_t states, std::mt19937_64& random) {
  ByteAutomaton automaton{.state_count = states, .match_bytes = 0, .next = {}};
  for (std::uint32_t state = 0; state < states; ++state) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      const std::uint64_t next = random() % 2 == 0 ? byte % 3 % states : random() % states;
      automaton.next[state][byte] = static_cast<std::uint8_t>(next | (random() % 40 == 0 ? match_ends : 0));
    }
  }
  return automaton;
}

// Lines of words, of which some blocks are stored raw, and bytes that 8-bit codes have as halves only.
SearchedText text_of_lines(std::size_t bytes, std::uint64_t seed) {
  constexpr std::array<std::string_view, 8> words = {"special",  "requests", "furiously", "the ",
                                                     "packages", "xyxyxy",   "sp",        "re"};
  std::mt19937_64 random(seed);
  SearchedText text;
  while (text.size() < bytes) {
    const std::uint64_t kind = random() % 40;
    if (kind == 0) {
      text.push_back(static_cast<std::uint8_t>(random()));
    } else if (kind < 6) {
      text.push_back('\n');
    } else {
      const std::string_view word = words.at(random() % words.size());
      text.insert(text.end(), word.begin(), word.end());
    }
  }
  text.resize(bytes);
  const SearchedText noise = reference::test::make_random(bytes / 5, seed);
  std::ranges::copy(noise, text.begin() + static_cast<std::ptrdiff_t>(bytes / 2));
  return text;
}

SearchedText frame_of_lines(const SearchedText& text, std::uint32_t code_bits, std::uint32_t codes_per_lane,
                            std::size_t block_bytes) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = block_bytes,
                                    .code_bits = code_bits,
                                    .codes_per_lane = codes_per_lane,
                                    .level = 1,
                                    .threads = 1});
}

class AutomatonTest : public testing::TestWithParam<stage::StageCase> {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases =
        stage::stage_cases(stage::Operation::query, format::BlockFormat::tiles);
    std::erase_if(cases, [](const stage::StageCase& one) { return one.stage != "search/07_automaton"; });
    return cases;
  }

protected:
  static void expect_rows(const SearchedText& frame, const SearchedText& text, const ByteAutomaton& automaton,
                          std::size_t shift = 0) {
    const FoundPositions expected = rows_in_text(automaton, text);
    SCOPED_TRACE(std::to_string(automaton.state_count) + " states, " + std::to_string(expected.size()) +
                 " rows");
    const SearchResult found =
        run_search(GetParam(), frame, question_bytes(automaton), expected.size() + 2, shift);
    ASSERT_FALSE(found.outcome.problem) << found.outcome.problem->description;
    ASSERT_EQ(found.outcome.count, expected.size());
    ASSERT_EQ(found.positions, expected);
    ASSERT_FALSE(found.has_left_memory);
    const SearchResult counted = run_search(GetParam(), frame, question_bytes(automaton), 0, shift);
    ASSERT_FALSE(counted.outcome.problem);
    ASSERT_EQ(counted.outcome.count, expected.size());
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, AutomatonTest, testing::ValuesIn(AutomatonTest::cases()),
                         stage::case_name);

// Over the borders of lanes, tiles, pieces and blocks, whatever a line begins with.
TEST_P(AutomatonTest, CountsLines) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  const std::array automata = {automaton_of_lines(two_words("special", "requests")),
                               automaton_of_lines(two_words("x", "furiously")),
                               automaton_of_lines(two_words("the ", "the "), LinePlace::start),
                               automaton_of_lines(LineExpression::string("sp").either(
                                   LineExpression::one_of(LineExpression::Bytes().set('x').set('y'))
                                       .repeated()
                                       .then(LineExpression::string("re")))),
                               automaton_of_lines(LineExpression::any())};
  std::size_t choice = 0;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      // The first in every sample.
      const bool is_first = choice == 0;
      if (!sample.has(choice++) && !is_first) continue;
      for (const std::size_t block_bytes : {700u, 20'000u}) {
        const SearchedText text = text_of_lines(block_bytes == 700 ? 3000 : 50'000, choice);
        SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(codes_per_lane) +
                     " codes a lane, blocks of " + std::to_string(block_bytes));
        const SearchedText frame = frame_of_lines(text, code_bits, codes_per_lane, block_bytes);
        for (std::size_t i = 0; i < automata.size(); ++i) {
          if ((i + choice) % 3 != 0) continue;
          ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, automata[i], i % 2)) << "automaton " << i;
        }
      }
    }
  }
}

// Any byte is a match, but an e decides how many there were since, so that codes with several bytes are read
// as text.
ByteAutomaton automaton_of_bytes() {
  ByteAutomaton automaton{.state_count = 2, .match_bytes = 1, .next = {}};
  for (std::uint32_t state = 0; state < 2; ++state) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      automaton.next[state][byte] = static_cast<std::uint8_t>(match_ends | (byte == 'e' ? 0 : 1 - state));
    }
  }
  return automaton;
}

// Of a block with several pieces, a state that a line end far in front decides.
TEST_P(AutomatonTest, GoesOnFromPieceToPiece) {
  SearchedText text = text_of_lines(110'000, 9);
  std::replace(text.begin() + 20'000, text.begin() + 50'000, std::uint8_t{'\n'}, std::uint8_t{' '});
  const SearchedText frame = frame_of_lines(text, 10, 16, text.size());
  ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, automaton_of_lines(two_words("special", "requests"))));
  ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, automaton_of_bytes()));
}

// Lanes guess wrong, several rows end in a code, and codes have more different rows than there is room for.
TEST_P(AutomatonTest, RunsAnyAutomaton) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::mt19937_64 random(23);
  std::size_t choice = 0;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    const SearchedText text = text_of_lines(20'000, code_bits);
    const SearchedText frame = frame_of_lines(text, code_bits, 16, 9000);
    for (const std::uint32_t states : {1u, 2u, 5u, 33u, 63u}) {
      const ByteAutomaton automaton = random_automaton(states, random);
      // One with more rows than there is room for in every sample.
      const bool has_many_rows = code_bits == 10 && states == 33;
      if (!sample.has(choice++) && !has_many_rows) continue;
      SCOPED_TRACE(std::to_string(code_bits) + " bits");
      ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, automaton));
    }
  }
}

// Without line ends the state may depend on any byte before.
TEST_P(AutomatonTest, SaysThatALineIsTooLong) {
  const ByteAutomaton automaton = automaton_of_lines(two_words("special", "requests"));
  for (const bool is_raw : {false, true}) {
    SearchedText text(18'000, 'a');
    if (is_raw) {
      SearchedText noise = reference::test::make_random(1000, 3);
      std::ranges::replace(noise, std::uint8_t{'\n'}, std::uint8_t{'a'});
      std::ranges::copy(noise, text.end() - 1000);
    }
    const SearchedText frame = frame_of_lines(text, 8, 16, 17'000);
    const SearchResult found = run_search(GetParam(), frame, question_bytes(automaton), 10);
    ASSERT_TRUE(found.outcome.problem);
    EXPECT_EQ(found.outcome.problem->item, 1u);
    EXPECT_EQ(found.outcome.problem->field, "codes of strip 0");
    EXPECT_EQ(found.outcome.problem->description,
              "are not searched: what a line of more than 16384 bytes begins with may matter");
    EXPECT_FALSE(found.outcome.is_complete);
  }
}

TEST_P(AutomatonTest, RefusesAWrongAutomaton) {
  const SearchedText text = reference::test::make_text(1000, 1);
  const SearchedText frame = frame_of_lines(text, 8, 16, 1000);
  ByteAutomaton wrong = automaton_of_lines(LineExpression::string("a"));
  wrong.next[0][0] = static_cast<std::uint8_t>(wrong.state_count);
  EXPECT_THROW(run_search(GetParam(), frame, question_bytes(wrong), 0), std::invalid_argument);
  EXPECT_THROW(run_search(GetParam(), frame, SearchedText(most_states + 1, 'a'), 0), std::invalid_argument);
}

TEST_P(AutomatonTest, DamagedFrames) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  const SearchedText text = text_of_lines(20'000, 3);
  const SearchedText question = question_bytes(automaton_of_lines(two_words("special", "re")));
  std::vector<SearchedText> frames;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    frames.push_back(frame_of_lines(text, code_bits, 16, 4096));
  }
  for (std::uint64_t seed = 1; seed <= 90; ++seed) {
    if (!sample.has(seed)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    SearchedText frame = frames[seed % frames.size()];
    for (std::uint64_t hits = random() % 3 + 1; hits != 0; --hits) {
      frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
    }
    try {
      ASSERT_FALSE(run_search(GetParam(), frame, question, seed % 4 == 0 ? 0 : text.size()).has_left_memory);
    } catch (const format::FormatError&) {
    } catch (const std::invalid_argument&) {
    }
  }
}

}  // namespace
}  // namespace gsst::search::kernels
