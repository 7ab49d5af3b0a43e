#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"
#include "stages/tile_integer/09_queries/ssb_codes.hpp"

// Flight 2: sum(lo_revenue) by d_year and p_brand1, for some parts and the suppliers of a region.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadNumber>
__global__ void query_2(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  report_blocks(query.columns.data(), query.column_count, blockIdx.x, query.statuses);
  Column groups = {};
  Column values;
  const ColumnTile<std::uint32_t> tile(query.columns[0], blockIdx.x);
  LoadNumber::load(tile, memory, values);
  std::uint32_t wanted = join(in_tile(tile), query.tables[0], values, groups);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[1], blockIdx.x), memory, values, wanted);
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

constexpr std::array<std::string_view, 4> columns_2 = {"lo_suppkey", "lo_partkey", "lo_orderdate",
                                                       "lo_revenue"};

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_2 = {
    .plain = query_2<LoadPlain, LoadPlain>,
    .whole = query_2<LoadWhole, LoadWhole>,
    .packed = query_2<LoadBitPack, LoadBitPack>,
    .smallest = query_2<LoadRBitPack, LoadBitPack>,
};

// p_category = 'MFGR#12' and s_region = 'AMERICA'
constexpr std::array<JoinedTable, 3> tables_2_1 = {
    suppliers("s_region", Filter(region_america)),
    parts("p_category", Filter(category(1, 2)), "p_brand1", all_brands, 1),
    dates("d_year", Filter(first_year, last_year), all_brands)};
// p_brand1 between 'MFGR#2221' and 'MFGR#2228' and s_region = 'ASIA'
constexpr std::array<JoinedTable, 3> tables_2_2 = {
    suppliers("s_region", Filter(region_asia)),
    parts("p_brand1", Filter(brand(2, 2, 21), brand(2, 2, 28)), "p_brand1", all_brands, 1),
    dates("d_year", Filter(first_year, last_year), all_brands)};
// p_brand1 = 'MFGR#2239' and s_region = 'EUROPE'
constexpr std::array<JoinedTable, 3> tables_2_3 = {
    suppliers("s_region", Filter(region_europe)),
    parts("p_brand1", Filter(brand(2, 2, 39)), "p_brand1", all_brands, 1),
    dates("d_year", Filter(first_year, last_year), all_brands)};

// Sums by year and brand.
constexpr std::uint32_t groups_2 = all_years * all_brands;

const std::array<Query, 3> flight_2 = {{
    {"q2.1", columns_2, {}, tables_2_1, groups_2, kernels_2},
    {"q2.2", columns_2, {}, tables_2_2, groups_2, kernels_2},
    {"q2.3", columns_2, {}, tables_2_3, groups_2, kernels_2},
}};

}  // namespace
}  // namespace gsst::tile_integer
