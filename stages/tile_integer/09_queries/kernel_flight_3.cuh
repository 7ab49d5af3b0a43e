#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"
#include "stages/tile_integer/09_queries/ssb_codes.hpp"

// Flight 3: sum(lo_revenue) by where customers and suppliers are, and by d_year.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadCustomer, typename LoadNumber>
__global__ void query_3(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  report_blocks(query.columns.data(), query.column_count, blockIdx.x, query.statuses);
  Column groups = {};
  Column values;
  const ColumnTile<std::uint32_t> tile(query.columns[0], blockIdx.x);
  LoadNumber::load(tile, memory, values);
  std::uint32_t wanted = join(in_tile(tile), query.tables[0], values, groups);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadCustomer::load(ColumnTile<std::uint32_t>(query.columns[1], blockIdx.x), memory, values, wanted);
  wanted = join(wanted, query.tables[1], values, groups);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadDate::load(ColumnTile<std::uint32_t>(query.columns[2], blockIdx.x), memory, values, wanted);
  wanted = join(wanted, query.tables[2], values, groups);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[3], blockIdx.x), memory, values, wanted);
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) != 0) add_to_group(query, groups[i], values[i]);
  }
}

constexpr std::array<std::string_view, 4> columns_3 = {"lo_suppkey", "lo_custkey", "lo_orderdate",
                                                       "lo_revenue"};

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_3 = {
    .plain = query_3<LoadPlain, LoadPlain, LoadPlain>,
    .whole = query_3<LoadWhole, LoadWhole, LoadWhole>,
    .packed = query_3<LoadBitPack, LoadBitPack, LoadBitPack>,
    .smallest = query_3<LoadRBitPack, LoadRBitPack, LoadBitPack>,
};

// Sums by the customer's nation, the supplier's nation and the year.
constexpr std::uint32_t groups_3_1 = all_nations * all_nations * all_years;
// By cities.
constexpr std::uint32_t groups_3_2 = all_cities * all_cities * all_years;

constexpr Filter years_3(1992, 1997);
constexpr Filter united_states(nation_united_states);
// 'UNITED KI1' or 'UNITED KI5'
constexpr Filter two_cities(city(nation_united_kingdom, 1), city(nation_united_kingdom, 1),
                            city(nation_united_kingdom, 5));

// c_region = 'ASIA' and s_region = 'ASIA' and d_year >= 1992 and d_year <= 1997
constexpr std::array<JoinedTable, 3> tables_3_1 = {
    suppliers("s_region", Filter(region_asia), "s_nation", all_nations, all_years),
    customers("c_region", Filter(region_asia), "c_nation", all_nations, all_nations* all_years),
    dates("d_year", years_3, 1)};
// c_nation = 'UNITED STATES' and s_nation = 'UNITED STATES' and d_year >= 1992 and d_year <= 1997
constexpr std::array<JoinedTable, 3> tables_3_2 = {
    suppliers("s_nation", united_states, "s_city", all_cities, all_years),
    customers("c_nation", united_states, "c_city", all_cities, all_cities* all_years),
    dates("d_year", years_3, 1)};
// Both cities are one of the two, d_year >= 1992 and d_year <= 1997
constexpr std::array<JoinedTable, 3> tables_3_3 = {
    suppliers("s_city", two_cities, "s_city", all_cities, all_years),
    customers("c_city", two_cities, "c_city", all_cities, all_cities* all_years),
    dates("d_year", years_3, 1)};
// Both cities are one of the two, d_yearmonth = 'Dec1997'
constexpr std::array<JoinedTable, 3> tables_3_4 = {
    suppliers("s_city", two_cities, "s_city", all_cities, all_years),
    customers("c_city", two_cities, "c_city", all_cities, all_cities* all_years),
    dates("d_yearmonthnum", Filter(199712), 1)};

const std::array<Query, 4> flight_3 = {{
    {"q3.1", columns_3, {}, tables_3_1, groups_3_1, kernels_3},
    {"q3.2", columns_3, {}, tables_3_2, groups_3_2, kernels_3},
    {"q3.3", columns_3, {}, tables_3_3, groups_3_2, kernels_3},
    {"q3.4", columns_3, {}, tables_3_4, groups_3_2, kernels_3},
}};

}  // namespace
}  // namespace gsst::tile_integer
