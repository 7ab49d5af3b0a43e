#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"
#include "stages/tile_integer/09_queries/ssb_codes.hpp"

// Flight 4: profit, sum(lo_revenue - lo_supplycost), by d_year and more and more of the other tables.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadCustomer, typename LoadNumber>
__global__ void query_4(QueryOnDevice query) {
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
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[2], blockIdx.x), memory, values, wanted);
  wanted = join(wanted, query.tables[2], values, groups);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadDate::load(ColumnTile<std::uint32_t>(query.columns[3], blockIdx.x), memory, values, wanted);
  wanted = join(wanted, query.tables[3], values, groups);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[4], blockIdx.x), memory, values, wanted);
  Column costs;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[5], blockIdx.x), memory, costs, wanted);
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) == 0) continue;
    // A loss is added modulo 2^64.
    add_to_group(query, groups[i], static_cast<unsigned long long>(values[i]) - costs[i]);
  }
}

constexpr std::array<std::string_view, 6> columns_4 = {"lo_suppkey",   "lo_custkey", "lo_partkey",
                                                       "lo_orderdate", "lo_revenue", "lo_supplycost"};

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_4 = {
    .plain = query_4<LoadPlain, LoadPlain, LoadPlain>,
    .whole = query_4<LoadWhole, LoadWhole, LoadWhole>,
    .packed = query_4<LoadBitPack, LoadBitPack, LoadBitPack>,
    .smallest = query_4<LoadRBitPack, LoadRBitPack, LoadBitPack>,
};

constexpr Filter manufacturers_4(manufacturer(1), manufacturer(2));
constexpr Filter years_4(1997, 1998);

// c_region = 'AMERICA' and s_region = 'AMERICA' and p_mfgr in ('MFGR#1', 'MFGR#2')
constexpr std::array<JoinedTable, 4> tables_4_1 = {
    suppliers("s_region", Filter(region_america)),
    customers("c_region", Filter(region_america), "c_nation", all_nations, 1),
    parts("p_mfgr", manufacturers_4), dates("d_year", Filter(first_year, last_year), all_nations)};
// The same and d_year in (1997, 1998)
constexpr std::array<JoinedTable, 4> tables_4_2 = {
    suppliers("s_region", Filter(region_america), "s_nation", all_nations, all_categories),
    customers("c_region", Filter(region_america)),
    parts("p_mfgr", manufacturers_4, "p_category", all_categories, 1),
    dates("d_year", years_4, all_nations* all_categories)};
// c_region = 'AMERICA' and s_nation = 'UNITED STATES' and p_category = 'MFGR#14' and d_year in (1997, 1998)
constexpr std::array<JoinedTable, 4> tables_4_3 = {
    suppliers("s_nation", Filter(nation_united_states), "s_city", all_cities, all_brands),
    customers("c_region", Filter(region_america)),
    parts("p_category", Filter(category(1, 4)), "p_brand1", all_brands, 1),
    dates("d_year", years_4, all_cities* all_brands)};

const std::array<Query, 3> flight_4 = {{
    {"q4.1", columns_4, {}, tables_4_1, all_years* all_nations, kernels_4},
    {"q4.2", columns_4, {}, tables_4_2, all_years* all_nations* all_categories, kernels_4},
    {"q4.3", columns_4, {}, tables_4_3, all_years* all_cities* all_brands, kernels_4},
}};

}  // namespace
}  // namespace gsst::tile_integer
