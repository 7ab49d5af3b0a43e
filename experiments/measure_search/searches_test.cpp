#include "experiments/measure_search/searches.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_search/search_rows.hpp"

// What is measured, on the CPU executor. Times mean nothing there.
namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* ladder_of_searches[] = {"search/01_decode_then_search",
                                              "search/02_byte_automaton_on_codes",
                                              "search/03_shift_words",
                                              "search/04_queue",
                                              "search/05_wide_codes",
                                              "search/06_hot_set",
                                              "search/07_automaton",
                                              "search/08_second_look",
                                              "search/09_rows"};

std::vector<std::uint8_t> text_of_requests() {
  std::string text;
  for (unsigned line = 0; line < 400; ++line) {
    text += line % 7 == 0 ? "special requests sleep furiously\n" : "ironic packages nag quickly above\n";
  }
  return {text.begin(), text.end()};
}

Point search_point(const std::string& stage, const std::string& pattern, const std::string& output,
                   unsigned code_bits = 10) {
  const Json document = Json::array({Json{{"stage", stage},
                                          {"variant", std::to_string(code_bits) + " bits"},
                                          {"block_bytes", 4096u},
                                          {"level", 1u},
                                          {"code_bits", code_bits},
                                          {"row", {{"pattern", pattern}, {"output", output}}}}});
  return parse_points(document,
                      {.kind = "search", .operations = {stage::Operation::query}, .multiprocessors = 1},
                      "a test")
      .points.at(0);
}

std::vector<Point> points_of_ladder(const std::string& pattern, const std::string& output,
                                    unsigned code_bits = 10) {
  std::vector<Point> points;
  for (const char* const stage : ladder_of_searches) {
    points.push_back(search_point(stage, pattern, output, code_bits));
  }
  return points;
}

TEST(Searches, FindInEveryStageWhatTheHostFinds) {
  const std::vector<std::uint8_t> text = text_of_requests();
  for (const unsigned code_bits : {8u, 10u, 12u}) {
    for (const char* const output : {"count", "positions"}) {
      for (const char* const pattern : {"special requests", "ly", "not in the text"}) {
        SCOPED_TRACE(std::to_string(code_bits) + " bits, " + output + ", " + pattern);
        const std::vector<Point> points = points_of_ladder(pattern, output, code_bits);
        const SearchedFrame frame(stage::Executor::simt, make_frame(points[0].input, text));
        ExpectedMatches expected(text, pattern, 2);
        Searches searches(points, frame, wanted_search(points[0]), expected);
        for (std::size_t i = 0; i < points.size(); ++i) {
          searches.poison(i);
          // Poisoned memory is no right answer.
          EXPECT_ANY_THROW(searches.check(i));
          searches.enqueue(i, nullptr);
          EXPECT_NO_THROW(searches.check(i)) << points[i].id;
        }
      }
    }
  }
}

TEST(Searches, SayThatAnAnswerIsWrong) {
  const std::vector<std::uint8_t> text = text_of_requests();
  std::vector<std::uint8_t> other = text;
  // The line of another request: as many, elsewhere.
  other.insert(other.begin(), ' ');
  other.pop_back();
  for (const char* const output : {"count", "positions"}) {
    const std::vector<Point> points = points_of_ladder("special requests", output);
    const SearchedFrame frame(stage::Executor::simt, make_frame(points[0].input, text));
    ExpectedMatches elsewhere(other, "special requests", 1);
    Searches searches(points, frame, wanted_search(points[0]), elsewhere);
    searches.enqueue(3, nullptr);
    if (std::string(output) == "count") {
      EXPECT_NO_THROW(searches.check(3));
    } else {
      EXPECT_THROW(searches.check(3), MismatchError);
    }
  }
}

TEST(Searches, AreGroupedByWhatTheyLookFor) {
  std::vector<Point> points = points_of_ladder("ly", "count");
  std::vector<std::size_t> ladder(points.size());
  std::iota(ladder.begin(), ladder.end(), std::size_t{0});
  const std::size_t next = points.size();
  points.push_back(search_point(ladder_of_searches[0], "ly", "positions"));
  points.push_back(search_point(ladder_of_searches[0], "nag", "count"));
  points.push_back(search_point(ladder_of_searches[1], "ly", "positions"));
  EXPECT_EQ(group_by_search(points),
            (std::vector<std::vector<std::size_t>>{ladder, {next, next + 2}, {next + 1}}));
}

TEST(Searches, WantAPatternAndAnOutput) {
  Point point = search_point(ladder_of_searches[0], "ly", "count");
  EXPECT_FALSE(wanted_search(point).has_positions);
  for (const Json& row :
       {Json::object(), Json{{"pattern", "ly"}}, Json{{"output", "count"}},
        Json{{"pattern", 3}, {"output", "count"}}, Json{{"pattern", "ly"}, {"output", "rows"}}}) {
    point.row = row;
    EXPECT_THROW(wanted_search(point), InputError) << row;
  }
}

TEST(Searches, CountTheTextInTheirRows) {
  const std::vector<std::uint8_t> text = text_of_requests();
  const Point point = search_point(ladder_of_searches[3], "special requests", "positions");
  const SearchedFrame frame(stage::Executor::simt, make_frame(point.input, text));
  const ExpectedMatches expected(text, "special requests", 1);
  const std::vector<double> seconds = {2e-6, 1e-6, 3e-6};
  const Json row = row_of_search(point, frame, expected, seconds, {.variant = "made up", .seconds = 1e-6},
                                 {.name = "made-up text", .sha256 = std::string(64, 'c')});
  EXPECT_EQ(row["operation"], "query");
  EXPECT_EQ(row["uncompressed_bytes"], text.size());
  EXPECT_EQ(row["compressed_bytes"], frame.bytes().size());
  EXPECT_DOUBLE_EQ(row["throughput_gb_per_s"], static_cast<double>(text.size()) / 2e-6 * 1e-9);
  EXPECT_DOUBLE_EQ(row["streaming_limit_gb_per_s"], static_cast<double>(text.size()) / 1e-6 * 1e-9);
  EXPECT_EQ(row["streaming_limit_variant"], "made up");
  EXPECT_EQ(row["matches"], 58);
  EXPECT_DOUBLE_EQ(row["matches_per_mb"], 58 / (static_cast<double>(text.size()) * 1e-6));
}

}  // namespace
}  // namespace gsst::experiments
