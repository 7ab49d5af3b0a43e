#include "search/strings/patterns.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "search/strings/match_scan.hpp"
#include "search/strings/text_matches.hpp"

namespace gsst::search {
namespace {

using Kind = PatternKind;
using Places = std::vector<std::pair<std::size_t, std::size_t>>;

Patterns make_patterns(const std::vector<StringPattern>& patterns, bool ignore_case = false,
                       bool utf8 = false) {
  return Patterns(patterns, {.ignore_case = ignore_case, .utf8 = utf8});
}

bool has_match(Kind kind, const std::string& pattern, std::string_view string, bool ignore_case = false,
               bool utf8 = false) {
  return make_patterns({{kind, pattern}}, ignore_case, utf8).matches(string);
}

Places places_in(const Patterns& patterns, std::string_view string) {
  MatchScan scan(patterns);
  scan.start(string);
  Places places;
  while (const auto match = scan.next()) places.emplace_back(match->begin, match->end);
  return places;
}

std::string error_of(Kind kind, const std::string& pattern) {
  try {
    make_patterns({{Kind::substring, "x"}, {kind, pattern}});
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Patterns, LiteralsMatchAtTheirPlaces) {
  EXPECT_TRUE(has_match(Kind::substring, "bc", "abcd"));
  EXPECT_FALSE(has_match(Kind::substring, "bd", "abcd"));
  EXPECT_TRUE(has_match(Kind::prefix, "ab", "abcd"));
  EXPECT_FALSE(has_match(Kind::prefix, "bc", "abcd"));
  EXPECT_TRUE(has_match(Kind::suffix, "cd", "abcd"));
  EXPECT_FALSE(has_match(Kind::suffix, "bc", "abcd"));
  EXPECT_TRUE(has_match(Kind::equals, "abcd", "abcd"));
  EXPECT_FALSE(has_match(Kind::equals, "abc", "abcd"));
  for (const Kind kind : {Kind::substring, Kind::prefix, Kind::suffix, Kind::equals}) {
    EXPECT_FALSE(has_match(kind, "aBcD", "AbCd"));
    EXPECT_TRUE(has_match(kind, "aBcD", "AbCd", true));
    EXPECT_TRUE(has_match(kind, "", ""));
    EXPECT_EQ(has_match(kind, "", "abcd"), kind != Kind::equals);
    EXPECT_FALSE(has_match(kind, "abcde", "abcd"));
    EXPECT_TRUE(has_match(kind, std::string("\0\xff\n", 3), std::string("\0\xff\n", 3)));
  }
}

TEST(Patterns, WithoutAnyNothingMatches) {
  const Patterns none = make_patterns({});
  EXPECT_FALSE(none.matches(""));
  EXPECT_TRUE(none.needs_words());
  EXPECT_TRUE(none.words().empty());
}

TEST(Patterns, TheLeftmostAndLongestOfAllIsTaken) {
  const Patterns words = make_patterns({{Kind::substring, "she"},
                                        {Kind::substring, "he"},
                                        {Kind::substring, "hers"},
                                        {Kind::substring, "shells"}});
  EXPECT_EQ(places_in(words, "ushers sells shells"), (Places{{1, 4}, {13, 19}}));
  EXPECT_EQ(places_in(make_patterns({{Kind::substring, "aa"}}), "aaaaa"), (Places{{0, 2}, {2, 4}}));
  const Patterns mixed = make_patterns({{Kind::prefix, "ab"}, {Kind::suffix, "ba"}, {Kind::substring, "b"}});
  EXPECT_EQ(places_in(mixed, "abba"), (Places{{0, 2}, {2, 4}}));
  EXPECT_EQ(places_in(make_patterns({{Kind::substring, ""}}), "ab"), Places());
}

// What LIKE says, one step at a time.
bool is_like(std::string_view pattern, std::string_view string) {
  if (pattern.empty()) return string.empty();
  if (pattern[0] == '%') {
    return is_like(pattern.substr(1), string) || (!string.empty() && is_like(pattern, string.substr(1)));
  }
  if (string.empty()) return false;
  return (pattern[0] == '_' || pattern[0] == string[0]) && is_like(pattern.substr(1), string.substr(1));
}

TEST(Patterns, LikeMatchesWhatItsRulesSay) {
  std::mt19937 random(26);
  const auto draw = [&](std::string_view letters, std::size_t most) {
    std::string text;
    for (std::size_t left = random() % (most + 1); left != 0; --left)
      text += letters[random() % letters.size()];
    return text;
  };
  for (int round = 0; round < 20'000; ++round) {
    const std::string pattern = draw("ab%_", 6);
    const std::string string = draw("ab\n", 9);
    ASSERT_EQ(has_match(Kind::like, pattern, string, false, round % 2 == 0), is_like(pattern, string))
        << pattern << " in " << string;
  }
}

TEST(Patterns, LikeTakesCharactersAndEscapes) {
  EXPECT_TRUE(has_match(Kind::like, "a\\%_", "a%b"));
  EXPECT_FALSE(has_match(Kind::like, "a\\%_", "abb"));
  EXPECT_TRUE(has_match(Kind::like, "stra_e",
                        "stra\xc3\x9f"
                        "e",
                        false, true));
  EXPECT_FALSE(has_match(Kind::like, "stra_e",
                         "stra\xc3\x9f"
                         "e"));
  EXPECT_TRUE(has_match(Kind::like, "%_e",
                        "\xc3\x9f"
                        "e",
                        false, true));
  EXPECT_FALSE(has_match(Kind::like, "%__e",
                         "\xc3\x9f"
                         "e",
                         false, true));
  EXPECT_TRUE(has_match(Kind::like, "%LAZY%", "the lazy dog", true));
  EXPECT_EQ(error_of(Kind::like, "ab\\"), "pattern 1: byte 2: a backslash at the end");
}

TEST(Patterns, WordsAreInEveryMatch) {
  EXPECT_EQ(make_patterns({{Kind::like, "%special%requests%"}}).words(),
            std::vector<std::string>{"requests"});
  EXPECT_FALSE(make_patterns({{Kind::like, "%_"}, {Kind::substring, "word"}}).needs_words());
  const Patterns equal = make_patterns({{Kind::equals, "b"}, {Kind::equals, ""}, {Kind::equals, "b"}});
  EXPECT_TRUE(equal.needs_words());
  EXPECT_EQ(equal.words(), std::vector<std::string>{"b"});
}

#if defined(GSST_WITH_RE2)

TEST(Patterns, ExpressionsHaveTheEndsOfStringsAndLeftmostLongestMatches) {
  EXPECT_TRUE(has_match(Kind::expression, "^a.c$", "abc"));
  EXPECT_FALSE(has_match(Kind::expression, "^a.c$", "abc\n"));
  EXPECT_EQ(places_in(make_patterns({{Kind::expression, "a|ab|b*"}}), "cabbb"), (Places{{1, 3}, {3, 5}}));
  EXPECT_EQ(places_in(make_patterns({{Kind::expression, "b+"}, {Kind::substring, "ab"}}), "abbb"),
            (Places{{0, 2}, {2, 4}}));
}

TEST(Patterns, ExpressionsThatAreNotDoneAreNamed) {
  EXPECT_EQ(error_of(Kind::expression, "(a)b\\1"), "pattern 1: byte 4: back-references (\\1) are not done");
  EXPECT_EQ(error_of(Kind::expression, "a(?P<name>b)"),
            "pattern 1: byte 1: captures are not done; (...) and (?:...) group");
  EXPECT_EQ(error_of(Kind::expression, "a[b").substr(0, 18), "pattern 1: byte 1:");
  EXPECT_NE(error_of(Kind::expression, "a(b"), "no error");
  EXPECT_NE(error_of(Kind::expression, "(?=a)"), "no error");
}

TEST(Patterns, WordsOfExpressionsAreInEveryMatch) {
  const Patterns plain = make_patterns({{Kind::expression, "spe[ck]ial|(regular|foxes)+"}}, false, true);
  EXPECT_TRUE(plain.needs_words());
  EXPECT_TRUE(plain.words_ignore_case());
  EXPECT_EQ(plain.words(), (std::vector<std::string>{"foxes", "regular", "special", "spekial"}));
  EXPECT_FALSE(make_patterns({{Kind::expression, "[a-z]+"}}).needs_words());
}

TEST(Patterns, CasesOfUnicodeAreFolded) {
  // The long s and the sign for kelvin, which have s and k as their lower case.
  EXPECT_TRUE(has_match(Kind::substring, "special", "\xc5\xbfpecial", true, true));
  EXPECT_TRUE(has_match(Kind::equals, "K", "\xe2\x84\xaa", true, true));
  EXPECT_TRUE(has_match(Kind::prefix, "\xc3\xa4", "\xc3\x84pfel", true, true));
  EXPECT_FALSE(has_match(Kind::prefix, "\xc3\xa4", "\xc3\x84pfel", true));
  EXPECT_TRUE(has_match(Kind::like, "%s_r", "\xc5\xbf\xc3\x84R", true, true));
  EXPECT_EQ(make_patterns({{Kind::substring, "special"}}, true, true).words(),
            std::vector<std::string>{"pecial"});
  EXPECT_FALSE(make_patterns({{Kind::substring, "kiss"}}, true, true).needs_words());
  EXPECT_FALSE(make_patterns({{Kind::expression, "(?i)kiss"}}, false, true).needs_words());
}

#else

TEST(Patterns, WithoutRe2ExpressionsAreRefused) {
  EXPECT_NE(error_of(Kind::expression, "a").find("without RE2"), std::string::npos);
}

#endif

// All matches of the text that `pieces` are.
Places places_of_pieces(const Patterns& patterns, const std::vector<std::string>& pieces, unsigned threads) {
  Places places;
  TextMatches matches(patterns, threads, [&](std::uint64_t begin, std::uint64_t bytes) {
    places.emplace_back(begin, begin + bytes);
  });
  for (const std::string& piece : pieces) matches.take(piece);
  matches.finish();
  return places;
}

TEST(TextMatches, BordersOfPiecesDoNotMatter) {
  std::mt19937 random(7);
  std::vector<std::string> pieces;
  std::string text;
  for (int i = 0; i < 40; ++i) {
    std::string piece;
    for (std::size_t left = 100'000 + random() % 100'000; left != 0; --left) piece += "ab \n"[random() % 4];
    text += piece;
    pieces.push_back(std::move(piece));
  }
  // Over line ends only where all are substrings.
  const std::vector<std::vector<StringPattern>> all = {{{Kind::substring, "abba"}, {Kind::substring, "bab"}},
                                                       {{Kind::substring, "a\nb"}, {Kind::substring, "bba"}}};
  for (const auto& of_plan : all) {
    const Patterns patterns = make_patterns(of_plan);
    const Places expected = places_in(patterns, text);
    ASSERT_GT(expected.size(), 1000U);
    for (const unsigned threads : {1U, 3U}) EXPECT_EQ(places_of_pieces(patterns, pieces, threads), expected);
  }
  const Patterns lines = make_patterns({{Kind::prefix, "ab"}, {Kind::like, "b%b"}});
  Places expected;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    for (const auto& [from, to] : places_in(lines, std::string_view(text).substr(begin, end - begin))) {
      expected.emplace_back(begin + from, begin + to);
    }
    begin = end + 1;
  }
  for (const unsigned threads : {1U, 3U}) EXPECT_EQ(places_of_pieces(lines, pieces, threads), expected);
}

TEST(TextMatches, AMatchOverABorderEndsWhereTheNextMayBegin) {
  const std::vector<std::string> pieces(3, std::string(std::size_t{1} << 20, 'a'));
  const Places places = places_of_pieces(make_patterns({{Kind::substring, "aaa"}}), pieces, 1);
  ASSERT_EQ(places.size(), std::size_t{1} << 20);
  for (std::size_t i = 0; i < places.size(); ++i) ASSERT_EQ(places[i].first, 3 * i);
}

}  // namespace
}  // namespace gsst::search
