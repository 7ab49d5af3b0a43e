#include "search/pattern.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "search/pattern_error.hpp"

namespace gsst::search {
namespace {

using namespace std::string_view_literals;

constexpr unsigned literal_seed = 20261129;

// The matches in `text`, each as "begin-end", one past the other.
std::string matches(const std::vector<std::string>& patterns, const PatternSettings& settings,
                    std::string_view text) {
  const auto matcher = compile(patterns, settings);
  std::string found;
  std::size_t from = 0;
  while (const std::optional<Match> match = matcher->find(text, from)) {
    found += std::to_string(match->begin) + "-" + std::to_string(match->end) + " ";
    from = std::max(match->end, match->begin + 1);
  }
  return found;
}

std::string problem_of(const std::string& pattern) {
  try {
    compile({pattern}, {});
  } catch (const PatternError& error) {
    return error.what();
  }
  return "none";
}

TEST(Pattern, LiteralsAreFoundWhereASlowSearchFindsThem) {
  SCOPED_TRACE("seed " + std::to_string(literal_seed));
  std::mt19937 generator(literal_seed);
  constexpr std::string_view bytes = "ab\0\xff"sv;
  std::uniform_int_distribution<std::size_t> index(0, bytes.size() - 1);
  for (int round = 0; round < 300; ++round) {
    std::string text(300, '\0');
    for (char& byte : text) byte = bytes[index(generator)];
    text += '\n';
    const std::size_t begin = index(generator) * 60;
    const std::string literal = text.substr(begin, 1 + static_cast<std::size_t>(round) % 9);
    std::string expected;
    for (std::size_t at = text.find(literal); at != std::string::npos;
         at = text.find(literal, at + literal.size())) {
      expected += std::to_string(at) + "-" + std::to_string(at + literal.size()) + " ";
    }
    const PatternSettings fixed{.syntax = PatternSyntax::fixed};
    EXPECT_EQ(matches({literal}, fixed, text), expected);
    // Two of them go another way.
    EXPECT_EQ(matches({literal, literal}, fixed, text), expected);
  }
}

TEST(Pattern, EveryByteIsFoundInAlternatives) {
  for (int value = 0; value < 256; ++value) {
    if (value == '\n') continue;
    const std::string byte(1, static_cast<char>(value));
    const PatternSettings fixed{.syntax = PatternSyntax::fixed};
    EXPECT_EQ(matches({byte + "x", byte + "y"}, fixed, "..." + byte + "y\n"), "3-5 ") << value;
    EXPECT_EQ(matches({byte, byte}, fixed, "..x" + byte + "\n").substr(0, 2), byte == "."   ? "0-"
                                                                              : byte == "x" ? "2-"
                                                                                            : "3-")
        << value;
  }
}

TEST(Pattern, MatchesAreLeftmostAndLongest) {
  EXPECT_EQ(matches({"a|ab|abc"}, {}, "xabcd\n"), "1-4 ");
  EXPECT_EQ(matches({"b", "abc"}, {}, "xabcd\n"), "1-4 ");
}

TEST(Pattern, NeverMatchesALineEnd) {
  for (const char* const pattern : {"[^a]+", "\\W+", "\\s+", "[[:space:]]+", ".+", "[[:cntrl:]]+"}) {
    EXPECT_EQ(matches({pattern}, {}, "\t\n\t\n"), "0-1 2-3 ") << pattern;
  }
}

TEST(Pattern, CasesAreThoseOfAscii) {
  const PatternSettings ignoring{.ignore_case = true};
  EXPECT_EQ(matches({"K\xe9"}, ignoring, "k\xe9 k\xc9\n"), "0-2 ");
  EXPECT_EQ(matches({"[^k]"}, ignoring, "kK\xe9\n"), "2-3 ");
}

TEST(Pattern, WordsAndLinesAreWhole) {
  EXPECT_EQ(matches({"a[ab]*"}, {.whole_words = true}, "aab_ ab-a\n"), "5-7 8-9 ");
  // The longest match is no whole word, a shorter one is.
  EXPECT_EQ(matches({"a( b)?"}, {.whole_words = true}, "a bc\n"), "0-1 ");
  EXPECT_EQ(matches({"a"}, {.whole_lines = true}, "aa\na\n"), "3-4 ");
  EXPECT_EQ(matches({"a", "aa"}, {.whole_lines = true}, "aa\na\n"), "0-2 3-4 ");
}

TEST(Pattern, EdgesOfWordsAreExactOrRefused) {
  EXPECT_EQ(matches({"\\<a"}, {}, "a ba _a -a\n"), "0-1 9-10 ");
  EXPECT_EQ(matches({"a\\>"}, {}, "a ab a_ a-\n"), "0-1 8-9 ");
  EXPECT_EQ(matches({"\\<."}, {}, "- ab\n"), "2-3 ");
  EXPECT_EQ(matches({"\\<(foo|bar)\\>"}, {}, "foo bars bar\n"), "0-3 9-12 ");
  EXPECT_EQ(matches({" \\>"}, {}, "a b\n"), "");
  EXPECT_NE(problem_of("\\<.*").find("\\<"), std::string::npos);
  EXPECT_NE(problem_of("(a|-)*\\>").find("\\>"), std::string::npos);
}

TEST(Pattern, NothingMatchesNoPatterns) {
  EXPECT_EQ(matches({}, {}, "a\n\n"), "");
  EXPECT_EQ(matches({}, {.whole_words = true}, "a\n\n"), "");
}

TEST(Pattern, ErrorsNameThePattern) {
  for (const char* const pattern :
       {"(a", "[a", "a\\", "[z-a]", "a{2,1}", "a{1,2,3}", "(a)\\1", "[[:foo:]]"}) {
    EXPECT_EQ(problem_of(pattern).find(pattern), 0U) << problem_of(pattern);
  }
  EXPECT_NE(problem_of("(((a{1000}){1000}){1000})"), "none");
  EXPECT_NE(problem_of(std::string(5000, '(')), "none");
}

TEST(Pattern, LinesOfATextArePatterns) {
  EXPECT_EQ(patterns_of_lines(""), std::vector<std::string>{});
  EXPECT_EQ(patterns_of_lines("\n"), std::vector<std::string>{""});
  EXPECT_EQ(patterns_of_lines("a\n\nb"), (std::vector<std::string>{"a", "", "b"}));
}

}  // namespace
}  // namespace gsst::search
