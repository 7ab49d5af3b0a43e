#include "search/line_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "search/parallel_search.hpp"
#include "search/pattern.hpp"

namespace gsst::search {
namespace {

using namespace std::string_view_literals;

constexpr unsigned cut_seed = 20261128;

std::string text_of_lines(std::mt19937& generator) {
  constexpr std::string_view bytes = "aabb c\n\n\0\xff"sv;
  std::uniform_int_distribution<std::size_t> index(0, bytes.size() - 1);
  std::string text(400, '\0');
  for (char& byte : text) byte = bytes[index(generator)];
  return text;
}

// What is printed for `text`, which comes in the pieces that end at `ends`, with the lines that have matches
// known or not.
std::string searched(const Matcher& matcher, const LineSettings& settings, std::string_view text,
                     std::vector<std::size_t> ends, bool are_lines_known = false) {
  std::string output;
  LinePrinter printer({.file_name = false, .line_number = true, .byte_offset = true},
                      [&](std::string_view printed) { output += printed; });
  LineSearch search(matcher, settings, printer);
  ends.push_back(text.size());
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    const std::string_view piece = text.substr(begin, end - begin);
    if (are_lines_known) {
      search.take(piece, find_matched_lines(matcher, piece));
    } else {
      search.take(piece);
    }
    begin = end;
  }
  search.finish();
  printer.flush();
  return output + std::to_string(search.selected());
}

LineSettings random_settings(std::mt19937& generator) {
  const auto below = [&](std::uint64_t limit) {
    return std::uniform_int_distribution<std::uint64_t>(0, limit - 1)(generator);
  };
  LineSettings settings;
  settings.invert = below(3) == 0;
  settings.only_matches = below(3) == 0;
  settings.quiet = below(8) == 0;
  settings.count_lines = true;
  settings.separate_groups = below(2) == 0;
  if (settings.separate_groups) {
    settings.lines_before = below(4);
    settings.lines_after = below(4);
  }
  if (below(4) == 0) settings.max_selected = below(6);
  return settings;
}

TEST(LineSearch, WhereATextIsCutChangesNothing) {
  SCOPED_TRACE("seed " + std::to_string(cut_seed));
  std::mt19937 generator(cut_seed);
  const std::vector<std::string> patterns = {"ab", "^$", "b*", "(a|b)+c", "\\bc", "a$"};
  for (int round = 0; round < 200; ++round) {
    const std::string text = text_of_lines(generator);
    const auto matcher = compile({patterns[static_cast<std::size_t>(round) % patterns.size()]}, {});
    const LineSettings settings = random_settings(generator);
    std::vector<std::size_t> ends(round % 7 == 0 ? 300 : 5);
    std::uniform_int_distribution<std::size_t> end(0, text.size());
    for (std::size_t& value : ends) value = end(generator);
    std::sort(ends.begin(), ends.end());
    const std::string expected = searched(*matcher, settings, text, {});
    EXPECT_EQ(searched(*matcher, settings, text, ends), expected) << "round " << round;
    EXPECT_EQ(searched(*matcher, settings, text, ends, true), expected) << "round " << round;
  }
}

TEST(LineSearch, ThreadsFindWhatOneFinds) {
  std::mt19937 generator(cut_seed);
  std::string text;
  for (int part = 0; text.size() < (std::size_t{7} << 20); ++part) {
    text += text_of_lines(generator) + (part % 500 == 0 ? "needle" : "");
  }
  const auto matcher = compile({"needle", "c{6}"}, {});
  for (const LineSettings& settings :
       {LineSettings{.count_lines = true}, {.only_matches = true}, {.lines_before = 2, .max_selected = 30}}) {
    std::string output;
    LinePrinter printer({.file_name = false, .line_number = true, .byte_offset = true},
                        [&](std::string_view printed) { output += printed; });
    LineSearch lines(*matcher, settings, printer);
    ParallelSearch search(*matcher, lines, 3);
    for (std::size_t begin = 0; begin < text.size(); begin += 300'000) {
      search.take(std::string_view(text).substr(begin, 300'000));
    }
    search.flush();
    lines.finish();
    printer.flush();
    EXPECT_EQ(output + std::to_string(lines.selected()), searched(*matcher, settings, text, {}));
    EXPECT_GT(lines.selected(), 20U);
  }
}

TEST(LineSearch, PlacesCountFromTheStartOfTheText) {
  const auto matcher = compile({"b"}, {});
  const LineSettings settings{.only_matches = true, .count_lines = true};
  EXPECT_EQ(searched(*matcher, settings, "a\nabb\n\nb", {1, 2, 4, 4, 7}), "2:3:b\n2:4:b\n4:7:b\n2");
}

TEST(LineSearch, IsDoneOnceWhatFollowsIsPrinted) {
  const auto matcher = compile({"a"}, {});
  const LineSettings settings{.lines_after = 1, .max_selected = 1};
  std::string output;
  LinePrinter printer({}, [&](std::string_view printed) { output += printed; });
  LineSearch search(*matcher, settings, printer);
  search.take("a\n");
  EXPECT_FALSE(search.is_done());
  search.take("a\na\n");
  EXPECT_TRUE(search.is_done());
  printer.flush();
  EXPECT_EQ(output, "a\na\n");
}

}  // namespace
}  // namespace gsst::search
