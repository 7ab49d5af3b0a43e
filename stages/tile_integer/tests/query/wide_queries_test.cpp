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

// What stages of the 13 queries do with widths and runs: q1.1 about columns of every width, whose values lie
// around what it asks for, and keys in runs.
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

// Without the rows whose supplier has no row in its table.
SsbTables with_suppliers(SsbTables tables) {
  const std::size_t suppliers = tables.at("s_suppkey").size();
  const std::vector<std::uint32_t> keys = tables.at("lo_suppkey");
  for (auto& [name, values] : tables) {
    if (!name.starts_with("lo_")) continue;
    std::size_t row = 0;
    std::erase_if(values, [&](std::uint32_t /*value*/) {
      const std::uint32_t key = keys[row++];
      return key == 0 || key > suppliers;
    });
  }
  return tables;
}

class QueryKeysTest : public QueryWidthsTest {
protected:
  // Asks q2.1 of plain and of packed columns with a table of `count` suppliers. Rows 0, `step`, 2 * `step`
  // and so on have the keys that key_of_row() gives.
  template <typename KeyOfRow>
  void expect_sums(std::size_t count, std::size_t step, const KeyOfRow& key_of_row) const {
    SsbTables tables = made_up_tables(rows_of_tile + 1, seed_of_widths);
    std::vector<std::uint32_t>& keys = tables.at("s_suppkey");
    std::vector<std::uint32_t>& regions = tables.at("s_region");
    while (keys.size() < count) {
      keys.push_back(static_cast<std::uint32_t>(keys.size()) + 1);
      regions.push_back(regions[keys.size() % 7]);
    }
    ASSERT_EQ(keys.size(), count);
    const Questions& questions = stage::KernelsOn<Questions>::get(GetParam().executor);
    for (std::size_t row = 0; row < rows_of_tile; row += step) {
      tables.at("lo_suppkey")[row] = key_of_row(row);
    }
    for (const Storage storage : {Storage::packed, Storage::plain}) {
      std::vector<std::vector<std::uint8_t>> frames;
      for (const std::string& column : questions.columns("q2.1")) {
        frames.push_back(column_frame(column, tables.at(column), storage, 1 << 20));
      }
      const QueryResult result = run_query(GetParam().stage, GetParam().executor, "q2.1", frames);
      EXPECT_TRUE(result.outcome.is_complete);
      EXPECT_FALSE(result.has_left_memory);
      EXPECT_TRUE(result.sums == expected_sums(with_suppliers(tables), "q2.1"));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, QueryKeysTest, testing::ValuesIn(query_cases(false)), stage::case_name);

// A table with more keys than a stage may have bits for.
TEST_P(QueryKeysTest, JoinsATableOfManyKeys) {
  constexpr std::uint32_t many_keys = 66'000;
  expect_sums(many_keys, 2,
              [](std::size_t row) { return many_keys - static_cast<std::uint32_t>(row % 300); });
}

// Bits of as many keys as fill their room, or one fewer or more, and rows whose keys are around both ends.
TEST_P(QueryKeysTest, FindsNoKeyOutsideOfATable) {
  for (const std::uint32_t count : {127U, 128U, 129U}) {
    SCOPED_TRACE(count);
    const std::array keys = {count + 1, count, count + 40, 0U, 0xffffffffU, 1U, 0x80000000U};
    expect_sums(count, 3, [&](std::size_t row) { return keys[row % keys.size()]; });
  }
}

// Stages that read columns of format `rfor`.
class QueryRunsTest : public QueryWidthsTest {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases = query_cases(false);
    std::erase_if(cases, [](const stage::StageCase& one) {
      const stage::QueryPlans& plans =
          stage::find_stage(one.stage, stage::Operation::query)->query.at(one.executor);
      return !plans.reads(format::tile_integer::rfor_format);
    });
    return cases;
  }

protected:
  // Dates have format `rfor`.
  static void expect_answer_of_runs(const AskedColumns& columns, std::uint64_t block_rows = 1 << 20,
                                    const stage::ParameterValues& parameters = {}) {
    std::vector<std::vector<std::uint8_t>> frames;
    for (const std::vector<std::uint32_t>& column : columns) {
      const format::BlockFormat format =
          frames.empty() ? format::tile_integer::rfor_format : format::tile_integer::for_format;
      frames.push_back(compressed_column(format, column, 4 * block_rows));
    }
    const QueryResult result =
        run_query(GetParam().stage, GetParam().executor, "q1.1", frames, 0, parameters);
    EXPECT_TRUE(result.outcome.is_complete);
    EXPECT_FALSE(result.has_left_memory);
    EXPECT_EQ(result.sums, std::vector<std::uint64_t>{answer_of_ranges(columns)})
        << "seed " << seed_of_widths;
  }

  // Repeats values in runs of 1 to `longest` from row `first` on, to the end.
  static void make_runs(std::vector<std::uint32_t>& column, std::size_t first, std::size_t longest,
                        std::mt19937_64& random) {
    while (first < column.size()) {
      const std::size_t end = std::min(column.size(), first + 1 + random() % longest);
      std::fill(column.begin() + static_cast<std::ptrdiff_t>(first),
                column.begin() + static_cast<std::ptrdiff_t>(end), column[first]);
      first = end;
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, QueryRunsTest, testing::ValuesIn(QueryRunsTest::cases()),
                         stage::case_name);

// From 512 runs of a run block to one for several tiles, of values of every width.
TEST_P(QueryRunsTest, ComparesRunsOfEveryLength) {
  std::mt19937_64 random(seed_of_widths);
  for (const std::size_t longest : {1, 2, 3, 7, 60, 1500}) {
    AskedColumns columns;
    for (const unsigned width : {0U, 5U, 16U, 27U}) {
      add_rows_of_widths(columns, 512, {width, 6, 4, 24}, random);
      make_runs(columns[0], columns[0].size() - 512, longest, random);
    }
    SCOPED_TRACE(longest);
    EXPECT_GT(answer_of_ranges(columns), 0u);
    expect_answer_of_runs(columns);
  }
}

// Run blocks of a tile with few and with many runs, and what the steps of a lane's runs end with.
TEST_P(QueryRunsTest, ComparesRunBlocksOfOtherNumbersOfRuns) {
  std::mt19937_64 random(seed_of_widths);
  AskedColumns columns;
  add_rows_of_widths(columns, 4 * rows_of_tile, {16, 3, 2, 24}, random);
  std::vector<std::uint32_t>& dates = columns[0];
  std::size_t first = 0;
  for (const std::size_t runs : {1, 512, 512, 1, 128, 129, 127, 257}) {
    // All but the last ones have one row.
    std::fill(dates.begin() + static_cast<std::ptrdiff_t>(first + runs),
              dates.begin() + static_cast<std::ptrdiff_t>(first + 512), dates[first + runs - 1]);
    first += 512;
  }
  for (const stage::ParameterValues& parameters : all_parameters())
    expect_answer_of_runs(columns, 1 << 20, parameters);
}

// A tile of many runs in a column of few, for which there is no room; blocks that end within a tile; raw
// ones.
TEST_P(QueryRunsTest, ReadsRowsOfRuns) {
  std::mt19937_64 random(seed_of_widths);
  AskedColumns columns;
  add_rows_of_widths(columns, 6 * rows_of_tile, {16, 3, 3, 3}, random);
  make_runs(columns[0], 0, 300, random);
  for (std::size_t row = rows_of_tile; row < 2 * rows_of_tile; ++row) {
    columns[0][row] = value_around(asked_ranges[0], 16, random);
  }
  expect_answer_of_runs(columns);
  // Values of all bits make their blocks raw.
  for (std::size_t row = 0; row < 2 * rows_of_tile; ++row) {
    columns[0][row] = static_cast<std::uint32_t>(random());
  }
  expect_answer_of_runs(columns, rows_of_tile + 300);
}

// Keys are looked up once a run, and a row's value is found again where its group is.
TEST_P(QueryRunsTest, JoinsRunsOfEveryLength) {
  std::mt19937_64 random(seed_of_widths);
  const Questions& questions = stage::KernelsOn<Questions>::get(GetParam().executor);
  for (const std::size_t longest : {1, 4, 90}) {
    SsbTables tables = made_up_tables(rows_of_tile, seed_of_widths + longest);
    make_runs(tables.at("lo_custkey"), 0, longest, random);
    make_runs(tables.at("lo_orderdate"), 0, longest, random);
    for (const char* const question : {"q2.1", "q3.1", "q4.1"}) {
      SCOPED_TRACE(question + std::to_string(longest));
      std::vector<std::vector<std::uint8_t>> frames;
      for (const std::string& column : questions.columns(question)) {
        const Storage storage = column.starts_with("lo_") ? Storage::smallest : Storage::packed;
        frames.push_back(column_frame(column, tables.at(column), storage, 1 << 20));
      }
      const QueryResult result = run_query(GetParam().stage, GetParam().executor, question, frames);
      EXPECT_TRUE(result.outcome.is_complete);
      EXPECT_FALSE(result.has_left_memory);
      EXPECT_TRUE(result.sums == expected_sums(tables, question));
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
