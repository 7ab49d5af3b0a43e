#include "experiments/measure_query/ssb_answer.hpp"

#include <gtest/gtest.h>

#include <array>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_query/tables_bytes.hpp"

// The oracle of measured queries gives the sums that the tests of the stage have from their own plain C++.
namespace gsst::experiments {
namespace {

constexpr std::uint64_t seed_of_oracle = 31;

TEST(SsbAnswer, IsThatOfTheStagesTests) {
  const tile_integer::SsbTables tables = tile_integer::made_up_tables(20000, seed_of_oracle);
  const std::vector<std::uint8_t> bytes = bytes_of_tables(tables);
  const TablesFile file(bytes);
  for (const char* const query : {"q1.1", "q1.2", "q1.3", "q2.1", "q2.2", "q2.3", "q3.1", "q3.2", "q3.3",
                                  "q3.4", "q4.1", "q4.2", "q4.3"}) {
    const std::vector<std::uint64_t> expected = tile_integer::expected_sums(tables, query);
    EXPECT_GT(std::ranges::count_if(expected, [](std::uint64_t sum) { return sum != 0; }), 0) << query;
    EXPECT_TRUE(ssb_answer(file, query) == expected) << query << ", seed " << seed_of_oracle;
  }
}

// Keys that no table has.
TEST(SsbAnswer, LeavesOutRowsThatAreNotJoined) {
  tile_integer::SsbTables tables = tile_integer::made_up_tables(600, seed_of_oracle);
  tile_integer::SsbTables fewer = tables;
  constexpr std::array columns = {"lo_suppkey", "lo_custkey", "lo_partkey", "lo_orderdate"};
  constexpr std::array<std::uint32_t, 2> keys = {0, 0xffffffff};
  std::size_t row = 0;
  for (const char* const column : columns) {
    for (const std::uint32_t key : keys) {
      for (std::size_t i = 0; i < 40; ++i, ++row) tables.at(column).at(row) = key;
    }
  }
  for (auto& [name, values] : fewer) {
    if (name.starts_with("lo_")) {
      values.erase(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(row));
    }
  }
  const std::vector<std::uint8_t> bytes = bytes_of_tables(tables);
  EXPECT_TRUE(ssb_answer(TablesFile(bytes), "q4.1") == tile_integer::expected_sums(fewer, "q4.1"));
}

TEST(SsbAnswer, RefusesOtherTablesAndQueries) {
  tile_integer::SsbTables tables = tile_integer::made_up_tables(10, seed_of_oracle);
  const std::vector<std::uint8_t> bytes = bytes_of_tables(tables);
  EXPECT_THROW(ssb_answer(TablesFile(bytes), "q1.4"), InputError);
  tables.at("lo_discount").pop_back();
  const std::vector<std::uint8_t> shorter = bytes_of_tables(tables);
  EXPECT_THROW(ssb_answer(TablesFile(shorter), "q1.1"), InputError);
  tables.erase("lo_discount");
  const std::vector<std::uint8_t> without = bytes_of_tables(tables);
  EXPECT_THROW(ssb_answer(TablesFile(without), "q1.1"), InputError);
}

}  // namespace
}  // namespace gsst::experiments
