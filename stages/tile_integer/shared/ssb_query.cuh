#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"

// Queries of the Star Schema Benchmark: what is asked, and what kernels are given. Columns are arrays of
// 32-bit numbers, strings are codes (data/ssb.py). A query reads the fact table once; what it asks of the
// other tables is in arrays by key that are built first.
namespace gsst::tile_integer {
namespace {

constexpr std::size_t max_columns = 6;
constexpr std::size_t max_tables = 4;
constexpr std::size_t max_filters = 3;

// Accepts the values from `first` to `last`, and `other`.
struct Filter {
  std::uint32_t first;
  std::uint32_t last;
  std::uint32_t other;

  constexpr explicit Filter(std::uint32_t only) : Filter(only, only) {}
  constexpr Filter(std::uint32_t first_value, std::uint32_t last_value)
      : Filter(first_value, last_value, first_value) {}
  constexpr Filter(std::uint32_t first_value, std::uint32_t last_value, std::uint32_t other_value)
      : first(first_value), last(last_value), other(other_value) {}
  // Accepts 0; for arrays.
  constexpr Filter() : Filter(0) {}

  __device__ bool accepts(std::uint32_t value) const {
    return value - first <= last - first || value == other;
  }
};

// A table by key.
struct KeyTable {
  // Of key `first_key` + i: 0 where the query does not want its row, otherwise 1 more than the row's group.
  std::uint16_t* entries;
  // Of key `first_key` + i, bit i % 32 of word i / 32: whether the entry is not 0. Null where a stage has no
  // use for it.
  std::uint32_t* bits;
  std::uint32_t first_key;
  std::uint32_t size;
  // Sums from one group of the table to the next; 0 where its rows are not grouped.
  std::uint32_t stride;
};

// What a query's kernel is given. Unused entries of the arrays are empty.
struct QueryOnDevice {
  // In the order of the query's columns; all have the same number of values.
  std::array<stage::FrameOnDevice, max_columns> columns;
  std::array<Filter, max_filters> filters;
  // In the order of the query's tables.
  std::array<KeyTable, max_tables> tables;
  // One a group, 0 before.
  unsigned long long* sums;
  // A word for each block of each column.
  std::uint32_t* statuses;
  std::uint32_t column_count;
};

// A table by key that is to be built from columns of a joined table.
struct TableRequest {
  // Keys, what is filtered, and groups, if rows have any.
  std::array<stage::FrameOnDevice, 3> columns;
  std::uint32_t column_count;
  Filter filter;
  std::uint32_t first_group;
  // Rows of groups outside of these are left out.
  std::uint32_t groups;
  // All entries are 0 before.
  KeyTable table;
  // A word for each block of each column.
  std::uint32_t* statuses;
};

// On the host.

// A table that a query joins: columns of the table by their names, keys first.
struct JoinedTable {
  std::string_view key;
  std::string_view filter_column;
  Filter filter;
  // Empty: rows are not grouped.
  std::string_view group_column;
  // Groups are the column's values from `first_group` on.
  std::uint32_t first_group;
  std::uint32_t groups;
  // Keys are `first_key` and above, less than `first_key` + `keys`; no `keys`: 1 to the number of rows.
  std::uint32_t first_key;
  std::uint32_t keys;
  // As in KeyTable.
  std::uint32_t stride;
};

struct SsbQuery {
  std::string_view name;
  // 1 to 4.
  std::uint32_t flight;
  // Of the fact table.
  std::span<const std::string_view> columns;
  std::array<Filter, max_filters> filters;
  std::span<const JoinedTable> tables;
  // Sums of the answer.
  std::uint32_t groups;
};

// Orders have several rows of the fact table, which follow each other: what an order has once comes in runs.
constexpr bool has_runs(std::string_view column) {
  return column == "lo_orderdate" || column == "lo_custkey";
}

}  // namespace
}  // namespace gsst::tile_integer
