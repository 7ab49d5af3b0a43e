#include "search/codes/frame_lines.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "search/codes/find_in_text_test.hpp"
#include "search/codes/words_plan.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::search::codes {
namespace {

using test::find_in_text;
using test::Text;

constexpr std::size_t lines_block_bytes = 30000;

// Words in lines of very different lengths.
Text make_lines(std::size_t bytes, std::uint64_t seed) {
  Text text = reference::test::make_text(bytes, seed);
  std::mt19937_64 random(seed);
  std::size_t place = 0;
  while (true) {
    place += random() % 10 == 0 ? random() % 3000 : random() % 60;
    if (place >= text.size()) return text;
    text[place] = '\n';
  }
}

Text compress_lines(const Text& text, std::uint32_t code_bits) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = lines_block_bytes,
                                    .code_bits = code_bits,
                                    .level = 1,
                                    .threads = 1});
}

// Checks parts against the text that they are of.
class PartChecker {
public:
  explicit PartChecker(const Text& text) : text_(text), is_given_(text.size()) {}

  void take(const TextPart& part, bool counts_line_ends) {
    ASSERT_LE(place_ + part.skipped_bytes + part.text.size(), text_.size());
    const auto skipped = text_.begin() + static_cast<std::ptrdiff_t>(place_);
    place_ += part.skipped_bytes;
    const auto begin = text_.begin() + static_cast<std::ptrdiff_t>(place_);
    if (counts_line_ends) {
      ASSERT_EQ(part.skipped_line_ends, static_cast<std::uint64_t>(std::count(skipped, begin, '\n')));
    }
    if (part.skipped_bytes != 0) {
      // Whole lines are passed over.
      ASSERT_EQ(*(begin - 1), '\n');
      ASSERT_TRUE(place_ == part.skipped_bytes || *(skipped - 1) == '\n');
    }
    ASSERT_TRUE(std::equal(part.text.begin(), part.text.end(), begin));
    for (std::size_t i = 0; i < part.text.size(); ++i) is_given_[place_++] = true;
  }

  void finish(const Text& pattern, bool ignore_case) const {
    ASSERT_EQ(place_, text_.size());
    for (const std::uint64_t match : find_in_text(text_, pattern, ignore_case)) {
      for (std::size_t byte = 0; byte < pattern.size(); ++byte) {
        ASSERT_TRUE(is_given_[match + byte]) << "the match at " << match << " is passed over";
      }
    }
  }

  std::size_t given() const { return static_cast<std::size_t>(std::ranges::count(is_given_, true)); }

private:
  const Text& text_;
  std::vector<bool> is_given_;
  std::uint64_t place_ = 0;
};

// A part of the text without a line end, of which a byte may be another.
Text random_pattern(const Text& text, std::mt19937_64& random, bool is_changed) {
  const std::size_t size = 1 + random() % std::min<std::size_t>(14, text.size());
  const std::size_t begin = random() % (text.size() - size + 1);
  Text pattern(text.begin() + static_cast<std::ptrdiff_t>(begin),
               text.begin() + static_cast<std::ptrdiff_t>(begin + size));
  std::ranges::replace(pattern, '\n', ' ');
  if (is_changed) pattern[random() % size] = 'Q';
  return pattern;
}

TEST(FrameLines, HaveEveryMatch) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::mt19937_64 random(23);
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::size_t bytes : {1u, 700u, 100000u}) {
      const Text text = make_lines(bytes, bytes + code_bits);
      const Text frame = compress_lines(text, code_bits);
      for (unsigned i = 0; i < 40; ++i) {
        // Mostly one word.
        std::vector<Text> patterns(i % 5 == 0 ? 2 + random() % (most_words_at_once - 1) : 1);
        for (Text& pattern : patterns) pattern = random_pattern(text, random, i % 2 == 0);
        if (!sample.has(i)) continue;
        const bool ignore_case = i % 3 == 0;
        const bool counts_line_ends = i % 4 < 2;
        SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(bytes) + " bytes, pattern " +
                     std::string(patterns.front().begin(), patterns.front().end()));
        PartChecker checker(text);
        std::vector<Literal> words;
        for (const Text& pattern : patterns) words.emplace_back(pattern, ignore_case);
        const format::StreamTotals totals = find_lines_in_frame(
            format::reader_of(frame), words, counts_line_ends,
            [&](const TextPart& part) { checker.take(part, counts_line_ends); }, 1 + i % 3);
        if (HasFatalFailure()) return;
        for (const Text& pattern : patterns) ASSERT_NO_FATAL_FAILURE(checker.finish(pattern, ignore_case));
        EXPECT_EQ(totals.output_bytes, text.size());
        EXPECT_EQ(totals.input_bytes, frame.size());
      }
    }
  }
}

TEST(FrameLines, OfARareLiteralAreFew) {
  Text text = make_lines(100000, 9);
  const Text rare = {'Z', 'z', 'Q', 'x'};
  const std::vector<std::size_t> places = {10, 29998, 50000, 99996};
  for (const std::size_t place : places) {
    std::copy(rare.begin(), rare.end(), text.begin() + static_cast<std::ptrdiff_t>(place));
  }
  for (const std::uint32_t code_bits : {10u, 12u}) {
    PartChecker checker(text);
    find_lines_in_frame(
        format::reader_of(compress_lines(text, code_bits)), std::vector{Literal(rare)}, true,
        [&](const TextPart& part) { checker.take(part, true); }, 1);
    if (HasFatalFailure()) return;
    ASSERT_NO_FATAL_FAILURE(checker.finish(rare, false));
    EXPECT_LT(checker.given(), text.size() / 2) << code_bits << " bits";
  }
}

TEST(FrameLines, OfRareWordsAreFew) {
  Text text = make_lines(100000, 9);
  // One ends another's window, and one is shorter than a window.
  const std::vector<Text> words = {{'Z', 'z', 'Q', 'x'}, {'J', 'Z', 'z', 'Q', 'y'}, {'!', '?'}};
  std::size_t place = 700;
  for (const Text& word : words) {
    std::copy(word.begin(), word.end(), text.begin() + static_cast<std::ptrdiff_t>(place));
    place += 33000;
  }
  std::vector<Literal> literals;
  for (const Text& word : words) literals.emplace_back(word);
  for (const std::uint32_t code_bits : {10u, 12u}) {
    PartChecker checker(text);
    find_lines_in_frame(
        format::reader_of(compress_lines(text, code_bits)), literals, true,
        [&](const TextPart& part) { checker.take(part, true); }, 1);
    if (HasFatalFailure()) return;
    for (const Text& word : words) ASSERT_NO_FATAL_FAILURE(checker.finish(word, false));
    EXPECT_LT(checker.given(), text.size() / 2) << code_bits << " bits";
  }
}

// What comes before a damaged place is the text's, and then there is an error.
TEST(FrameLines, ComeUpToADamagedPlace) {
  const Text text = make_lines(200000, 4);
  Text frame = compress_lines(text, 12);
  frame.resize(frame.size() - frame.size() / 3);
  PartChecker checker(text);
  std::optional<std::string> problem;
  try {
    find_lines_in_frame(
        format::reader_of(frame), std::vector{Literal(Text{'Z'})}, true,
        [&](const TextPart& part) { checker.take(part, true); }, 2);
  } catch (const format::FormatError& error) {
    problem = error.what();
  }
  ASSERT_TRUE(problem);
  EXPECT_GT(checker.given(), 0u);
}

}  // namespace
}  // namespace gsst::search::codes
