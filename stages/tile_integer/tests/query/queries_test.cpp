#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/tests/query/run_query.hpp"
#include "stages/tile_integer/tests/query/ssb_tables.hpp"

// The 13 queries, on columns stored in each way, give the sums of the same queries in plain C++.
namespace gsst::tile_integer {
namespace {

using Frames = std::vector<std::vector<std::uint8_t>>;

constexpr std::uint64_t seed_of_tables = 23;
// Of three tiles; other blocks of a frame would end within a tile.
constexpr std::uint64_t block_bytes_of_tests = 3 * 512 * 4;

class QueryTest : public testing::TestWithParam<stage::StageCase> {
protected:
  static Frames frames_of(const SsbTables& tables, const std::string& question, Storage storage,
                          std::uint64_t block_bytes) {
    Frames frames;
    for (const std::string& column : questions().columns(question)) {
      // Joined tables are of format `for`, however the fact table is stored.
      const bool is_fact = column.starts_with("lo_");
      frames.push_back(
          column_frame(column, tables.at(column), is_fact ? storage : Storage::packed, block_bytes));
    }
    return frames;
  }

  // In which columns may be stored.
  static std::vector<Storage> storages() {
    const stage::QueryPlans& plans =
        stage::find_stage(GetParam().stage, stage::Operation::query)->query.at(GetParam().executor);
    if (!plans.reads(format::tile_integer::rfor_format)) return {Storage::plain, Storage::packed};
    return {Storage::plain, Storage::packed, Storage::smallest};
  }

  static const Questions& questions() { return stage::KernelsOn<Questions>::get(GetParam().executor); }

  void expect_answers(const SsbTables& tables, const std::string& question, Storage storage,
                      std::uint64_t block_bytes, std::size_t shift,
                      const stage::ParameterValues& parameters = {}) const {
    SCOPED_TRACE(question + ", storage " + std::to_string(static_cast<int>(storage)) + ", " +
                 std::to_string(tables.at("lo_orderdate").size()) + " rows, seed " +
                 std::to_string(seed_of_tables));
    const QueryResult result =
        run_query(GetParam().stage, GetParam().executor, question,
                  frames_of(tables, question, storage, block_bytes), shift, parameters);
    const std::vector<std::uint64_t> expected = expected_sums(tables, question);
    EXPECT_FALSE(result.has_left_memory);
    EXPECT_FALSE(result.outcome.problem);
    EXPECT_TRUE(result.outcome.is_complete);
    EXPECT_EQ(result.outcome.count, expected.size());
    EXPECT_TRUE(result.sums == expected);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, QueryTest, testing::ValuesIn(query_cases(false)), stage::case_name);

TEST_P(QueryTest, AnswersEveryQueryAboutEveryStorage) {
  const SsbTables tables = made_up_tables(3000, seed_of_tables);
  ASSERT_EQ(questions().names().size(), 13u);
  for (const std::string& question : questions().names()) {
    const std::vector<std::uint64_t> sums = expected_sums(tables, question);
    // A query that wants no row, or all of them, would show little.
    EXPECT_GT(std::ranges::count_if(sums, [](std::uint64_t sum) { return sum != 0; }), 0) << question;
    for (const Storage storage : storages()) {
      expect_answers(tables, question, storage, block_bytes_of_tests, 0);
      if (HasFailure()) return;
    }
  }
}

// One query of each flight, with a last tile of every kind, frames at odd addresses and blocks that end
// within tiles.
TEST_P(QueryTest, AnswersAboutAnyNumberOfRows) {
  for (const std::size_t rows : {0, 1, 127, 129, 511, 513, 1536, 1537}) {
    const SsbTables tables = made_up_tables(rows, seed_of_tables + rows);
    for (const char* const question : {"q1.1", "q2.1", "q3.3", "q4.1"}) {
      for (const Storage storage : storages()) {
        expect_answers(tables, question, storage, rows % 2 == 0 ? block_bytes_of_tests : 700 * 4, rows % 16);
        if (HasFailure()) return;
      }
    }
  }
}

// Stages with a parameter of that name, each with all of its values.
class QueryParameterTest : public QueryTest {
public:
  static std::vector<stage::StageCase> cases(std::string_view name) {
    std::vector<stage::StageCase> cases = query_cases(false);
    std::erase_if(cases, [&](const stage::StageCase& one) {
      const auto& parameters = stage::find_stage(one.stage, stage::Operation::query)->description.parameters;
      return std::ranges::none_of(parameters, [&](const auto& parameter) { return parameter.name == name; });
    });
    return cases;
  }
};
using PlainQueryTest = QueryParameterTest;

INSTANTIATE_TEST_SUITE_P(AllStages, PlainQueryTest, testing::ValuesIn(QueryParameterTest::cases("skip")),
                         stage::case_name);

// Each flight, with the last tile and addresses of every kind.
TEST_P(PlainQueryTest, AnswersTheSameWhereAllIsRead) {
  for (const std::size_t rows : {1, 513, 1537}) {
    const SsbTables tables = made_up_tables(rows, seed_of_tables + rows);
    for (const char* const question : {"q1.3", "q2.1", "q3.3", "q4.1"}) {
      expect_answers(tables, question, Storage::plain, block_bytes_of_tests, rows % 4, {{"skip", 0}});
      if (HasFailure()) return;
    }
  }
  const SsbTables tables = made_up_tables(600, seed_of_tables);
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.1",
                         frames_of(tables, "q1.1", Storage::packed, 1 << 20), 0, {{"skip", 0}}),
               std::invalid_argument);
}

// Frames at multiples of 16 bytes, whose last rows are no whole load of four, and blocks that end within one.
TEST_P(PlainQueryTest, AnswersAboutRowsThatAreNoWholeLoad) {
  for (const std::size_t rows : {1, 2, 3, 5, 1023, 1025, 2047, 2051}) {
    const SsbTables tables = made_up_tables(rows, seed_of_tables + rows);
    for (const std::int64_t skip : {0, 1}) {
      for (const char* const question : {"q1.1", "q2.1", "q3.3", "q4.1"}) {
        for (const std::uint64_t block_bytes : {block_bytes_of_tests, std::uint64_t{4 * 701}}) {
          expect_answers(tables, question, Storage::plain, block_bytes, 0, {{"skip", skip}});
          if (HasFailure()) return;
        }
      }
    }
  }
}

// Rows whose keys no table has are not joined, and nothing outside of the tables is read.
TEST_P(QueryTest, LeavesOutRowsWithoutAKey) {
  SsbTables tables = made_up_tables(1000, seed_of_tables);
  SsbTables fewer = tables;
  std::size_t row = 0;
  for (const char* const column : {"lo_suppkey", "lo_custkey", "lo_partkey", "lo_orderdate"}) {
    for (const std::uint32_t key : {0U, 0xffffffffU, 0x7fffffffU, 1'000'000U}) {
      for (std::size_t i = 0; i < 10; ++i, ++row) tables.at(column).at(row) = key;
    }
  }
  for (auto& [name, values] : fewer) {
    if (name.starts_with("lo_"))
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(row));
  }
  for (const Storage storage : storages()) {
    const QueryResult result = run_query(GetParam().stage, GetParam().executor, "q4.1",
                                         frames_of(tables, "q4.1", storage, block_bytes_of_tests));
    EXPECT_TRUE(result.sums == expected_sums(fewer, "q4.1"));
    EXPECT_FALSE(result.has_left_memory);
  }
}

// A plan cannot see that columns have blocks of other sizes; the kernels say so, of each table.
TEST_P(QueryTest, ReportsBlocksOfOtherSizes) {
  const SsbTables tables = made_up_tables(1500, seed_of_tables);
  const auto problem_of = [&](const std::string& column, std::size_t place, std::uint64_t block_values) {
    Frames frames = frames_of(tables, "q2.1", Storage::packed, 4 * 1024);
    EXPECT_EQ(questions().columns("q2.1").at(place), column);
    frames[place] = column_frame(column, tables.at(column), Storage::packed, 4 * block_values);
    const QueryResult result = run_query(GetParam().stage, GetParam().executor, "q2.1", frames);
    EXPECT_FALSE(result.outcome.is_complete);
    EXPECT_FALSE(result.has_left_memory);
    return result.outcome.problem ? result.outcome.problem->item : 0;
  };
  // Two blocks of each column of the fact table.
  EXPECT_EQ(problem_of("lo_orderdate", 2, 1000), 4u);
  // After them a block of each of two columns of suppliers, and two of p_partkey and of p_category.
  EXPECT_EQ(problem_of("p_brand1", 8, 700), 14u);
}

TEST_P(QueryTest, RefusesWhatItCannotAnswer) {
  const SsbTables tables = made_up_tables(600, seed_of_tables);
  const Frames frames = frames_of(tables, "q1.1", Storage::packed, 1 << 20);
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.4", frames), std::invalid_argument);
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q2.1", frames), std::invalid_argument);
  Frames other = frames;
  other.pop_back();
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.1", other), std::invalid_argument);
  other = frames;
  other[1] = column_frame("", std::span(tables.at("lo_quantity")).first(599), Storage::packed, 1 << 20);
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.1", other), std::invalid_argument);
  other = frames;
  other[1] = column_frame("lo_orderdate", tables.at("lo_quantity"), Storage::smallest, 1 << 20);
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.1", other), std::invalid_argument);
  other = frames;
  other[1] = reference::encode_file(reference::codec_of(format::tile_integer::for_format),
                                    std::vector<std::uint8_t>(2400), {.options = {{"type", 4}}});
  EXPECT_THROW(run_query(GetParam().stage, GetParam().executor, "q1.1", other), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::tile_integer
