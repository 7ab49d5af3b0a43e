#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/tests/query/run_query.hpp"
#include "stages/tile_integer/tests/query/ssb_tables.hpp"

// What stages of the 13 queries do with widths: q1.1 about columns of every width, whose values lie around
// what it asks for.
namespace gsst::tile_integer {
namespace {

constexpr std::uint64_t seed_of_widths = 41;
// Rows of a tile of a warp.
constexpr std::size_t rows_of_tile = 1024;

// A range of q1.1, in the order of its columns.
struct AskedRange {
  std::uint32_t first;
  std::uint32_t last;
};
constexpr std::array<AskedRange, 3> asked_ranges = {{{19930101, 19931231}, {1, 24}, {1, 3}}};

using AskedColumns = std::array<std::vector<std::uint32_t>, 4>;

std::uint64_t answer_of_ranges(const AskedColumns& columns) {
  std::uint64_t sum = 0;
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    bool is_wanted = true;
    for (std::size_t column = 0; column < asked_ranges.size(); ++column) {
      const std::uint32_t value = columns[column][row];
      is_wanted = is_wanted && value >= asked_ranges[column].first && value <= asked_ranges[column].last;
    }
    if (is_wanted) sum += std::uint64_t{columns[3][row]} * columns[2][row];
  }
  return sum;
}

// A value that is up to `width` bits above the least one that they have, which is at most that of the range.
std::uint32_t value_around(const AskedRange& range, unsigned width, std::mt19937_64& random) {
  const auto greatest = static_cast<std::uint32_t>((std::uint64_t{1} << width) - 1);
  const std::uint32_t least = range.first - std::min(range.first, greatest / 2);
  const auto any = static_cast<std::uint32_t>(random());
  // Two of three are near the range's ends.
  std::uint32_t above = any & greatest;
  if (any % 3 == 0) above = std::min(greatest, range.first - least + (any >> 8) % 3);
  if (any % 3 == 1) above = std::min(greatest, range.last - least - 1 + (any >> 8) % 3);
  return least + above;
}

// Appends rows whose columns have these widths, the last one that of prices.
void add_rows_of_widths(AskedColumns& columns, std::size_t rows, const std::array<unsigned, 4>& widths,
                        std::mt19937_64& random) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < asked_ranges.size(); ++column) {
      columns[column].push_back(value_around(asked_ranges[column], widths[column], random));
    }
    columns[3].push_back(static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << widths[3]) - 1)));
  }
}

// Each 32 rows have widths of their own, from `least` to `most`.
void add_rows_of_mixed_widths(AskedColumns& columns, std::size_t rows, unsigned least, unsigned most,
                              std::mt19937_64& random) {
  for (std::size_t row = 0; row < rows; row += 32) {
    std::array<unsigned, 4> widths{};
    for (unsigned& width : widths) width = static_cast<unsigned>(least + random() % (most - least + 1));
    add_rows_of_widths(columns, 32, widths, random);
  }
}

class QueryWidthsTest : public testing::TestWithParam<stage::StageCase> {
protected:
  static void expect_answer(const AskedColumns& columns, std::uint64_t block_rows = 1 << 20,
                            const stage::ParameterValues& parameters = {}) {
    std::vector<std::vector<std::uint8_t>> frames;
    for (const std::vector<std::uint32_t>& column : columns) {
      frames.push_back(compressed_column(format::tile_integer::for_format, column, 4 * block_rows));
    }
    const QueryResult result =
        run_query(GetParam().stage, GetParam().executor, "q1.1", frames, 0, parameters);
    EXPECT_TRUE(result.outcome.is_complete);
    EXPECT_FALSE(result.has_left_memory);
    EXPECT_EQ(result.sums, std::vector<std::uint64_t>{answer_of_ranges(columns)})
        << "seed " << seed_of_widths;
  }

  // Each value of each parameter that columns of format `for` may be asked with.
  static std::vector<stage::ParameterValues> all_parameters() {
    std::vector<stage::ParameterValues> all;
    for (const stage::Parameter& parameter :
         stage::find_stage(GetParam().stage, stage::Operation::query)->description.parameters) {
      for (const std::int64_t value : parameter.values) {
        if (parameter.name != "skip") all.push_back({{parameter.name, value}});
      }
    }
    return all;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, QueryWidthsTest, testing::ValuesIn(query_cases(false)), stage::case_name);

// A tile of narrower values follows the one of each width: so that this is neither stored raw nor much larger
// than others, which have a way of their own.
TEST_P(QueryWidthsTest, ComparesEveryWidth) {
  std::mt19937_64 random(seed_of_widths);
  for (unsigned width = 0; width <= 32; ++width) {
    SCOPED_TRACE(width);
    std::array<unsigned, 4> widths = {width, (width + 11) % 33, (width + 22) % 33, 32 - width};
    AskedColumns columns;
    add_rows_of_widths(columns, rows_of_tile, widths, random);
    for (unsigned& other : widths) other = other * 3 / 4;
    add_rows_of_widths(columns, rows_of_tile, widths, random);
    expect_answer(columns);
  }
}

// Within the classes of widths that are compared in one way, and between them.
TEST_P(QueryWidthsTest, ComparesMixedWidths) {
  std::mt19937_64 random(seed_of_widths);
  for (const unsigned most : {16U, 32U}) {
    AskedColumns columns;
    add_rows_of_mixed_widths(columns, 4 * rows_of_tile, 0, most, random);
    EXPECT_GT(answer_of_ranges(columns), 0u);
    expect_answer(columns);
  }
}

// Tiles with no row of a range, by the dates, quantities or discounts of each miniblock, and tiles of which
// a single row is wanted.
TEST_P(QueryWidthsTest, SkipsNothingThatIsWanted) {
  std::mt19937_64 random(seed_of_widths);
  AskedColumns columns;
  add_rows_of_widths(columns, 5 * rows_of_tile, {16, 6, 4, 24}, random);
  for (std::size_t tile = 0; tile < 4; ++tile) {
    for (std::size_t row = tile * rows_of_tile; row < (tile + 1) * rows_of_tile; ++row) {
      // Above, above, below and above.
      columns[tile % 3][row] = asked_ranges[tile % 3].last + 1 + static_cast<std::uint32_t>(row % 7);
      if (tile == 2) columns[2][row] = 0;
    }
  }
  for (std::size_t column = 0; column < 3; ++column) {
    columns[column][3 * rows_of_tile + 1000] = asked_ranges[column].last;
  }
  for (const stage::ParameterValues& parameters : all_parameters())
    expect_answer(columns, 1 << 20, parameters);
}

// A tile of wide values in a column of narrow ones, for which there is no room, and raw blocks.
TEST_P(QueryWidthsTest, ReadsRowsOfOtherTiles) {
  std::mt19937_64 random(seed_of_widths);
  AskedColumns columns;
  add_rows_of_widths(columns, 3 * rows_of_tile, {3, 3, 3, 3}, random);
  add_rows_of_widths(columns, rows_of_tile, {28, 3, 3, 30}, random);
  add_rows_of_widths(columns, 4 * rows_of_tile, {3, 3, 3, 3}, random);
  expect_answer(columns);
  add_rows_of_widths(columns, 3 * rows_of_tile, {3, 3, 3, 32}, random);
  expect_answer(columns, 2 * rows_of_tile);
}

// A table with more keys than a stage may have bits for.
TEST_P(QueryWidthsTest, JoinsATableOfManyKeys) {
  constexpr std::size_t many_keys = 66'000;
  SsbTables tables = made_up_tables(rows_of_tile + 1, seed_of_widths);
  std::vector<std::uint32_t>& keys = tables.at("s_suppkey");
  std::vector<std::uint32_t>& regions = tables.at("s_region");
  while (keys.size() < many_keys) {
    keys.push_back(static_cast<std::uint32_t>(keys.size()) + 1);
    regions.push_back(regions[keys.size() % 7]);
  }
  const Questions& questions = stage::KernelsOn<Questions>::get(GetParam().executor);
  // Every other row has one of the last suppliers.
  for (std::size_t row = 0; row < rows_of_tile; row += 2) {
    tables.at("lo_suppkey")[row] = static_cast<std::uint32_t>(many_keys - row % 300);
  }
  std::vector<std::vector<std::uint8_t>> frames;
  for (const std::string& column : questions.columns("q2.1")) {
    frames.push_back(column_frame(column, tables.at(column), Storage::packed, 1 << 20));
  }
  const QueryResult result = run_query(GetParam().stage, GetParam().executor, "q2.1", frames);
  EXPECT_TRUE(result.outcome.is_complete);
  EXPECT_FALSE(result.has_left_memory);
  EXPECT_TRUE(result.sums == expected_sums(tables, "q2.1"));
}

}  // namespace
}  // namespace gsst::tile_integer
