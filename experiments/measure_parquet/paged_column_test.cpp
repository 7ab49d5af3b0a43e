#include "experiments/measure_parquet/paged_column.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "stages/tile_integer/parquet/golden_columns.hpp"

// On the files of data/golden/parquet/.
namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> golden_pages(const std::string& name) {
  return reference::test::read_file(tile_integer::parquet_golden_folder + "valid/" + name + ".parquet");
}

TEST(PagedColumn, HasTheValuesOfItsPages) {
  const PagedColumn deltas = read_paged_column(golden_pages("many_blocks"));
  EXPECT_EQ(deltas.values.size(), 4 * deltas.column.rows);
  EXPECT_EQ(pages_in_rows(deltas.column),
            (nlohmann::ordered_json{
                {"encoding", "delta"}, {"pages", 1}, {"page_values", deltas.column.value_count}}));
}

TEST(PagedColumn, SaysItsLargestPage) {
  const PagedColumn column = read_paged_column(golden_pages("lengths_64"));
  const nlohmann::ordered_json keys = pages_in_rows(column.column);
  EXPECT_GT(keys["pages"], 1);
  std::uint32_t most = 0;
  for (const auto& stream : column.column.streams) most = std::max(most, stream.values);
  EXPECT_EQ(keys["page_values"], most);
  EXPECT_LT(most, column.column.value_count);
}

TEST(PagedColumn, RefusesWhatFramesCannotHold) {
  EXPECT_THROW(read_paged_column(golden_pages("nulls_v1")), InputError);
  // A page with indices and plain ones.
  EXPECT_THROW(read_paged_column(golden_pages("width_0_and_plain")), InputError);
}

}  // namespace
}  // namespace gsst::experiments
