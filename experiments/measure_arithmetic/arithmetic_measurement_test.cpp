#include "experiments/measure_arithmetic/arithmetic_measurement.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "common/format/codag/codag.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_query/made_up_tools.hpp"

// On the CPU executor: what rows hold, and that words are checked.
namespace gsst::experiments {
namespace {

constexpr const char* stage_of_arithmetic = "codag/03_all_threads";
const Dataset words_dataset{.name = "words", .sha256 = std::string(64, 'd')};

Point arithmetic_point(const nlohmann::ordered_json& row) {
  return {.id = stage_of_arithmetic,
          .stage = stage::find_stage(stage_of_arithmetic, stage::Operation::decode),
          .input = {.format = format::codag::orc_rle_v1_format, .block_bytes = 4096},
          .row = row};
}

// 75 words and a byte that belongs to none: more than the warps of nine thread blocks.
std::vector<std::uint8_t> text_of_words() {
  std::vector<std::uint8_t> text(301);
  std::iota(text.begin(), text.end(), std::uint8_t{0});
  return text;
}

TEST(ArithmeticMeasurement, GivesARowForEachNumberOfOperationsAndLanes) {
  const std::vector<std::uint8_t> text = text_of_words();
  const QueryTools tools = made_up_query_tools();
  std::vector<Point> points;
  for (const unsigned operations : {1U, 2U, 100U}) {
    for (const unsigned lanes : {1U, 32U}) {
      points.push_back(arithmetic_point({{"operations", operations}, {"lanes", lanes}}));
    }
  }
  const std::vector<nlohmann::ordered_json> rows =
      ArithmeticMeasurement(text, words_dataset, 2, tools).measure(points);
  ASSERT_EQ(rows.size(), points.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["stage"], stage_of_arithmetic);
    EXPECT_EQ(rows[i]["operations"], points[i].row["operations"]);
    EXPECT_EQ(rows[i]["lanes"], points[i].row["lanes"]);
    EXPECT_EQ(rows[i]["words"], 75);
    EXPECT_EQ(rows[i]["uncompressed_bytes"], 300);
    EXPECT_EQ(rows[i]["streaming_limit_variant"], "made up");
    EXPECT_EQ(rows[i]["seconds"]["repetitions"], 2);
    EXPECT_EQ(rows[i]["clocks"]["samples"], 0);
  }
}

TEST(ArithmeticMeasurement, FindsWrongWords) {
  const std::vector<std::uint8_t> text = text_of_words();
  QueryTools tools = made_up_query_tools();
  // Nothing is computed.
  tools.seconds = [](const Enqueue&) { return 1e-3; };
  const ArithmeticMeasurement measurement(text, words_dataset, 2, tools);
  EXPECT_THROW(measurement.measure(std::vector<Point>{arithmetic_point({{"operations", 1U}, {"lanes", 1U}})}),
               MismatchError);
}

TEST(ArithmeticMeasurement, RefusesWhatItCannotMeasure) {
  const std::vector<std::uint8_t> text = text_of_words();
  const QueryTools tools = made_up_query_tools();
  EXPECT_THROW(ArithmeticMeasurement(std::span(text).first(3), words_dataset, 2, tools), InputError);
  const ArithmeticMeasurement measurement(text, words_dataset, 2, tools);
  for (const nlohmann::ordered_json& row : {nlohmann::ordered_json{{"operations", 0U}, {"lanes", 1U}},
                                            {{"operations", 1'000'001U}, {"lanes", 1U}},
                                            {{"operations", "1"}, {"lanes", 1U}},
                                            {{"operations", 1U}, {"lanes", 2U}},
                                            {{"operations", 1U}}}) {
    EXPECT_THROW(measurement.measure(std::vector<Point>{arithmetic_point(row)}), InputError);
  }
}

}  // namespace
}  // namespace gsst::experiments
