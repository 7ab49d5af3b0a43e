#include "experiments/measure_query/query_measurement.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_query/made_up_tools.hpp"
#include "experiments/measure_query/ssb_answer.hpp"
#include "experiments/measure_query/tables_bytes.hpp"

// The measurement on the CPU executor: what rows hold, and that answers are checked. Times mean nothing
// there.
namespace gsst::experiments {
namespace {

using RowJson = nlohmann::ordered_json;

constexpr unsigned query_repetitions = 2;
constexpr const char* stage_of_queries = "tile_integer/09_queries";
const Dataset made_up_dataset{.name = "made-up tables", .sha256 = std::string(64, 'c')};

Point query_point(const std::string& query, const std::string& storage, std::int64_t skip = 1,
                  const std::string& place = "device") {
  return {.id = stage_of_queries,
          .stage = stage::find_stage(stage_of_queries, stage::Operation::query),
          .variant = storage,
          .parameters = {{"skip", skip}},
          .input = {.format = format::tile_integer::for_format, .block_bytes = 8192},
          .row = RowJson{{"query", query}, {"storage", storage}, {"place", place}}};
}

class QueryMeasurementTest : public testing::Test {
protected:
  QueryMeasurement measurement(const QueryTools& tools) const {
    return {bytes_, made_up_dataset, query_repetitions, tools};
  }

  std::vector<std::uint8_t> bytes_ = bytes_of_tables(tile_integer::made_up_tables(3000, 12));
};

TEST_F(QueryMeasurementTest, GivesARowForEachPoint) {
  const QueryTools tools = made_up_query_tools();
  QueryMeasurement measured = measurement(tools);
  for (const char* const query : {"q1.1", "q4.1"}) {
    const std::vector<Point> points = {query_point(query, "plain", 0), query_point(query, "plain"),
                                       query_point(query, "packed"), query_point(query, "smallest"),
                                       query_point(query, "packed", 1, "host")};
    const std::vector<RowJson> rows = measured.measure(points);
    ASSERT_EQ(rows.size(), points.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const RowJson& row = rows[i];
      EXPECT_EQ(row["stage"], stage_of_queries);
      EXPECT_EQ(row["operation"], "query");
      EXPECT_EQ(row["query"], query);
      EXPECT_EQ(row["storage"], points[i].variant);
      EXPECT_EQ(row["parameters"]["skip"], i == 0 ? 0 : 1);
      EXPECT_EQ(row["parameters"]["block_bytes"], 8192);
      EXPECT_EQ(row["fact_rows"], 3000);
      EXPECT_EQ(row["answer_bytes"], std::string(query) == "q1.1" ? 8 : 1400);
      EXPECT_EQ(row["seconds"]["repetitions"], query_repetitions);
      EXPECT_EQ(row["seconds"]["median"], 2e-3);
      EXPECT_EQ(row["streaming_limit_variant"], "made up");
      EXPECT_EQ(row["verified"], true);
      EXPECT_EQ(row["clocks"]["samples"], 0);
      EXPECT_EQ(row.contains("graph_seconds"), i != 4);
      EXPECT_EQ(row.contains("link_gb_per_s"), i == 4);
      EXPECT_EQ(row.contains("reads_at_limit"), i == 0);
    }
    EXPECT_EQ(rows[0]["reads_at_limit"], true);
    EXPECT_EQ(rows[0]["graph_seconds"]["median"], 1e-3);
    // The same columns, of which the compressed ones are smaller.
    EXPECT_EQ(rows[2]["uncompressed_bytes"], rows[0]["uncompressed_bytes"]);
    EXPECT_LT(rows[2]["compressed_bytes"], rows[0]["compressed_bytes"]);
    EXPECT_LT(rows[3]["compressed_bytes"], rows[2]["compressed_bytes"]);
    EXPECT_EQ(rows[1]["compressed_bytes"], rows[0]["compressed_bytes"]);
  }
}

TEST_F(QueryMeasurementTest, StoresColumnsInTheVerticalLayout) {
  const QueryTools tools = made_up_query_tools();
  Point vertical = query_point("q1.1", "vertical");
  vertical.id = "tile_integer/09_vertical_query";
  vertical.stage = stage::find_stage(vertical.id, stage::Operation::query);
  vertical.parameters = {{"values", 32}};
  const std::vector<Point> points = {query_point("q1.1", "packed"), vertical};
  const std::vector<RowJson> rows = measurement(tools).measure(points);
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1]["stage"], vertical.id);
  EXPECT_EQ(rows[1]["storage"], "vertical");
  EXPECT_EQ(rows[1]["parameters"], (RowJson{{"block_bytes", 8192}, {"values", 32}, {"staged", 0}}));
  EXPECT_EQ(rows[1]["verified"], true);
  // Filled up to 4096 values.
  EXPECT_GT(rows[1]["compressed_bytes"], rows[0]["compressed_bytes"]);
}

TEST_F(QueryMeasurementTest, SaysThatAPlainQueryIsSlowerThanStreaming) {
  QueryTools tools = made_up_query_tools();
  tools.limit = [](const StreamingBuffers&) { return StreamingTime{.variant = "", .seconds = 1.79e-3}; };
  const std::vector<Point> points = {query_point("q1.1", "plain", 0)};
  EXPECT_EQ(measurement(tools).measure(points).front()["reads_at_limit"], false);
}

TEST_F(QueryMeasurementTest, FindsAWrongAnswer) {
  const QueryTools tools = made_up_query_tools();
  const Answer wrong = [](const TablesFile& tables, std::string_view query) {
    std::vector<std::uint64_t> sums = ssb_answer(tables, query);
    ++sums.back();
    return sums;
  };
  QueryMeasurement measured(bytes_, made_up_dataset, query_repetitions, tools, wrong);
  EXPECT_THROW(measured.measure(std::vector<Point>{query_point("q1.1", "packed")}), MismatchError);
}

// The columns are read where they have been copied to: without the copy they are noise.
TEST_F(QueryMeasurementTest, FindsThatColumnsOfTheHostDoNotArrive) {
  QueryTools tools = made_up_query_tools();
  const std::vector<Point> points = {query_point("q1.1", "plain", 1, "host")};
  EXPECT_NO_THROW(measurement(tools).measure(points));
  tools.copy = [](std::uint8_t* to, std::span<const std::uint8_t> from, stage::Stream) {
    // The frames' index entries and no values.
    std::ranges::copy(from, to);
    std::fill_n(to + 64, 4096, std::uint8_t{0});
  };
  EXPECT_THROW(measurement(tools).measure(points), MismatchError);
}

TEST_F(QueryMeasurementTest, RefusesPointsThatSayTooLittle) {
  const QueryTools tools = made_up_query_tools();
  QueryMeasurement measured = measurement(tools);
  for (const char* const key : {"query", "storage", "place"}) {
    Point point = query_point("q1.1", "packed");
    point.row.erase(key);
    EXPECT_THROW(measured.measure(std::vector<Point>{point}), InputError) << key;
  }
  EXPECT_THROW(measured.measure(std::vector<Point>{query_point("q1.1", "raw")}), InputError);
}

// As experiments/gpu_points.py writes them.
TEST_F(QueryMeasurementTest, MeasuresThePointsOfAFile) {
  const RowJson document = RowJson::parse(R"({"kind": "query", "points": [
      {"stage": "tile_integer/09_queries", "variant": "plain, all read", "parameters": {"skip": 0},
       "block_bytes": 8192, "row": {"query": "q1.2", "storage": "plain", "place": "device"}}]})");
  const PointRules rules = {.kind = "query", .operations = {stage::Operation::query}, .multiprocessors = 132};
  const PointList list = parse_points(document, rules, "points.json");
  const QueryTools tools = made_up_query_tools();
  const std::vector<RowJson> rows = measurement(tools).measure(list.points);
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["variant"], "plain, all read");
  EXPECT_EQ(rows[0]["parameters"], (RowJson{{"block_bytes", 8192}, {"skip", 0}}));
}

TEST(GroupByQuery, PutsPointsOfAQueryTogether) {
  const std::vector<Point> points = {query_point("q1.1", "plain"), query_point("q2.1", "plain"),
                                     query_point("q1.1", "packed")};
  EXPECT_EQ(group_by_query(points), (std::vector<std::vector<std::size_t>>{{0, 2}, {1}}));
}

}  // namespace
}  // namespace gsst::experiments
