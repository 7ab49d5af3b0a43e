#include "experiments/measure_selection/selection_measurement.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>
#include <string>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_query/made_up_tools.hpp"

// On the CPU executor: what rows hold, and that sums are checked.
namespace gsst::experiments {
namespace {

constexpr std::uint64_t seed_of_selection = 8;
constexpr const char* stage_of_selection = "tile_integer/09_queries";
const Dataset column_dataset{.name = "a column", .sha256 = std::string(64, 'd')};

Point selection_point(const std::string& format, double selectivity, std::uint64_t block_bytes = 4096) {
  return {.id = stage_of_selection,
          .stage = stage::find_stage(stage_of_selection, stage::Operation::query),
          .variant = format,
          .input = {.format = format::tile_integer::for_format, .block_bytes = block_bytes},
          .row = {{"format", format}, {"selectivity", selectivity}}};
}

// Runs, so that each format is smaller, in blocks of two tiles, the last of which has one that is not whole.
std::vector<std::uint8_t> column_with_runs() {
  std::mt19937_64 random(seed_of_selection);
  std::vector<std::uint32_t> values(3000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = i % 7 == 0 ? static_cast<std::uint32_t>(random() % 5000) : values[i - 1];
  }
  std::vector<std::uint8_t> bytes(values.size() * sizeof(std::uint32_t));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(SelectionMeasurement, GivesARowForEachFormatAndSelectivity) {
  const std::vector<std::uint8_t> column = column_with_runs();
  const QueryTools tools = made_up_query_tools();
  std::vector<Point> points;
  for (const char* const format : {"plain", "for", "dfor", "rfor"}) {
    for (const double selectivity : {0.0, 0.001, 0.5, 1.0}) {
      points.push_back(selection_point(format, selectivity));
    }
  }
  const std::vector<nlohmann::ordered_json> rows =
      SelectionMeasurement(column, column_dataset, 2, tools).measure(points);
  ASSERT_EQ(rows.size(), points.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i]["stage"], stage_of_selection);
    EXPECT_EQ(rows[i]["operation"], "query");
    EXPECT_EQ(rows[i]["format"], points[i].variant);
    EXPECT_EQ(rows[i]["uncompressed_bytes"], column.size());
    EXPECT_EQ(rows[i]["streaming_limit_variant"], "made up");
    EXPECT_EQ(rows[i]["seconds"]["repetitions"], 2);
    EXPECT_EQ(rows[i]["clocks"]["samples"], 0);
    if (i % 4 == 0) {
      EXPECT_EQ(rows[i]["selected_values"], 0);
    }
    if (i % 4 == 3) {
      EXPECT_EQ(rows[i]["selected_values"], 3000);
    }
    if (i >= 4) {
      EXPECT_LT(rows[i]["compressed_bytes"], rows[0]["compressed_bytes"]);
    }
  }
}

TEST(SelectionMeasurement, FindsWrongSums) {
  const std::vector<std::uint8_t> column = column_with_runs();
  QueryTools tools = made_up_query_tools();
  // Nothing is summed.
  tools.seconds = [](const Enqueue&) { return 1e-3; };
  const SelectionMeasurement measurement(column, column_dataset, 2, tools);
  EXPECT_THROW(measurement.measure(std::vector<Point>{selection_point("for", 0)}), MismatchError);
}

TEST(SelectionMeasurement, RefusesWhatItCannotMeasure) {
  const std::vector<std::uint8_t> column = column_with_runs();
  const QueryTools tools = made_up_query_tools();
  EXPECT_THROW(SelectionMeasurement(std::span(column).first(401), column_dataset, 2, tools), InputError);
  const SelectionMeasurement measurement(column, column_dataset, 2, tools);
  for (const Point& point : {selection_point("gzip", 1), selection_point("for", 1.1),
                             selection_point("for", -0.1), selection_point("for", 1, 4000)}) {
    EXPECT_THROW(measurement.measure(std::vector<Point>{point}), InputError);
  }
}

}  // namespace
}  // namespace gsst::experiments
