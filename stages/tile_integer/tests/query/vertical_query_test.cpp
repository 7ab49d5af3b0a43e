#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/tile_integer/layouts.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/tests/query/run_query.hpp"
#include "stages/tile_integer/tests/query/ssb_tables.hpp"

// Queries of flight 1 on columns of format `vfor`.
namespace gsst::tile_integer {
namespace {

constexpr std::uint64_t seed_of_vertical_queries = 57;
// Rows of a vertical block.
constexpr std::size_t vertical_rows = format::tile_integer::vertical_block_values;

class VerticalQueryTest : public testing::TestWithParam<stage::StageCase> {
protected:
  static std::vector<std::vector<std::uint8_t>> vertical_frames(const SsbTables& tables,
                                                                std::uint64_t block_rows) {
    std::vector<std::vector<std::uint8_t>> frames;
    for (const std::string& column : stage::KernelsOn<Questions>::get(GetParam().executor).columns("q1.1")) {
      frames.push_back(compressed_column(format::tile_integer::vfor_format, tables.at(column),
                                         sizeof(std::uint32_t) * block_rows));
    }
    return frames;
  }

  // Each value of each parameter with each of the others.
  static std::vector<stage::ParameterValues> every_way() {
    std::vector<stage::ParameterValues> ways = {{}};
    for (const stage::Parameter& parameter :
         stage::find_stage(GetParam().stage, stage::Operation::query)->description.parameters) {
      std::vector<stage::ParameterValues> longer;
      for (const stage::ParameterValues& way : ways) {
        for (const std::int64_t value : parameter.values) {
          longer.push_back(way);
          longer.back()[parameter.name] = value;
        }
      }
      ways = std::move(longer);
    }
    return ways;
  }

  static void expect_vertical_answer(const SsbTables& tables, const std::string& question,
                                     const std::vector<std::vector<std::uint8_t>>& frames,
                                     std::size_t shift) {
    expect_vertical_sum(expected_sums(tables, question), question, frames, shift);
  }

  static void expect_vertical_sum(const std::vector<std::uint64_t>& sum, const std::string& question,
                                  const std::vector<std::vector<std::uint8_t>>& frames, std::size_t shift) {
    for (const stage::ParameterValues& way : every_way()) {
      SCOPED_TRACE(question + ", shift " + std::to_string(shift));
      const QueryResult result =
          run_query(GetParam().stage, GetParam().executor, question, frames, shift, way);
      EXPECT_TRUE(result.outcome.is_complete);
      EXPECT_FALSE(result.has_left_memory);
      EXPECT_EQ(result.sums, sum) << "seed " << seed_of_vertical_queries;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, VerticalQueryTest,
                         testing::ValuesIn(query_cases_of({format::tile_integer::vfor_format}, false)),
                         stage::case_name);

TEST_P(VerticalQueryTest, AnswersFlightOne) {
  const SsbTables tables = made_up_tables(2 * vertical_rows + 100, seed_of_vertical_queries);
  for (const char* const question : {"q1.1", "q1.2", "q1.3"}) {
    EXPECT_GT(expected_sums(tables, question).front(), 0u);
    expect_vertical_answer(tables, question, vertical_frames(tables, 1 << 20), 0);
  }
}

// Around the borders of tiles and vertical blocks, at any address, with blocks that end within a tile.
TEST_P(VerticalQueryTest, AnswersAboutAnyNumberOfRows) {
  for (const std::size_t rows :
       {std::size_t{0}, std::size_t{1}, std::size_t{513}, vertical_rows - 1, vertical_rows + 1}) {
    const SsbTables tables = made_up_tables(rows, seed_of_vertical_queries + rows);
    expect_vertical_answer(tables, "q1.1", vertical_frames(tables, 700), rows % 16);
    expect_vertical_answer(tables, "q1.1", vertical_frames(tables, 1 << 20), rows % 4);
  }
}

// Of all columns; 32 bits make raw blocks.
TEST_P(VerticalQueryTest, ReadsWidths) {
  std::mt19937_64 random(seed_of_vertical_queries);
  for (const unsigned width : {0U, 1U, 3U, 8U, 11U, 16U, 17U, 23U, 31U, 32U}) {
    SCOPED_TRACE(width);
    const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
    SsbTables tables;
    std::uint64_t sum = 0;
    for (std::size_t row = 0; row < vertical_rows + 1; ++row) {
      // Most values are in the ranges; few have all bits of the width.
      const auto near = [&](std::uint32_t least, std::uint32_t count) {
        const std::uint64_t above = row % 64 == 0 ? random() & ones : row % count & ones;
        return static_cast<std::uint32_t>(least + above);
      };
      const std::uint32_t date = near(19930101, 30);
      const std::uint32_t quantity = near(1, 26);
      const std::uint32_t discount = near(1, 4);
      const auto price = static_cast<std::uint32_t>(random() & ones);
      tables["lo_orderdate"].push_back(date);
      tables["lo_quantity"].push_back(quantity);
      tables["lo_discount"].push_back(discount);
      tables["lo_extendedprice"].push_back(price);
      const bool is_wanted = date >= 19930101 && date <= 19931231 && quantity < 25 && quantity >= 1 &&
                             discount >= 1 && discount <= 3;
      if (is_wanted) sum += std::uint64_t{price} * discount;
    }
    expect_vertical_sum({sum}, "q1.1", vertical_frames(tables, 1 << 20), 0);
  }
}

TEST_P(VerticalQueryTest, ReportsBlocksOfOtherSizes) {
  const SsbTables tables = made_up_tables(1500, seed_of_vertical_queries);
  std::vector<std::vector<std::uint8_t>> frames = vertical_frames(tables, 1024);
  frames[2] = compressed_column(format::tile_integer::vfor_format, tables.at("lo_discount"), 4 * 1000);
  for (const stage::ParameterValues& way : every_way()) {
    const QueryResult result = run_query(GetParam().stage, GetParam().executor, "q1.1", frames, 0, way);
    EXPECT_FALSE(result.outcome.is_complete);
    EXPECT_FALSE(result.has_left_memory);
    ASSERT_TRUE(result.outcome.problem);
    EXPECT_EQ(result.outcome.problem->item, 4u);
  }
}

TEST_P(VerticalQueryTest, RefusesOtherQueriesAndFormats) {
  const SsbTables tables = made_up_tables(600, seed_of_vertical_queries);
  std::vector<std::vector<std::uint8_t>> frames = vertical_frames(tables, 1024);
  frames[1] = compressed_column(format::tile_integer::for_format, tables.at("lo_quantity"), 4 * 1024);
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.1", frames), std::invalid_argument);
  std::vector<std::vector<std::uint8_t>> of_flight_2;
  for (const std::string& column : stage::KernelsOn<Questions>::get(GetParam().executor).columns("q2.1")) {
    const format::BlockFormat format =
        column.starts_with("lo_") ? format::tile_integer::vfor_format : format::tile_integer::for_format;
    of_flight_2.push_back(compressed_column(format, tables.at(column), 4 * 1024));
  }
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q2.1", of_flight_2), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::tile_integer
