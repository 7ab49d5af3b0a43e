#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"

// Flight 1: what a discount costs. sum(lo_extendedprice * lo_discount) of the rows of some dates, discounts
// and quantities. The dates of a year, a month or a week follow each other, so nothing is joined (Crystal's
// rewriting).
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadNumber>
__global__ void query_1(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  report_blocks(query.columns.data(), query.column_count, blockIdx.x, query.statuses);
  Column values;
  const ColumnTile<std::uint32_t> tile(query.columns[0], blockIdx.x);
  LoadDate::load(tile, memory, values);
  std::uint32_t wanted = keep(in_tile(tile), query.filters[0], values);
  if (!is_tile_wanted<LoadNumber>(wanted, memory)) return;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[1], blockIdx.x), memory, values, wanted);
  wanted = keep(wanted, query.filters[1], values);
  Column discounts;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[2], blockIdx.x), memory, discounts, wanted);
  wanted = keep(wanted, query.filters[2], discounts);
  Column prices;
  LoadNumber::load(ColumnTile<std::uint32_t>(query.columns[3], blockIdx.x), memory, prices, wanted);
  unsigned long long sum = 0;
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) != 0) sum += static_cast<unsigned long long>(prices[i]) * discounts[i];
  }
  // Whoever still reads the columns' words.
  __syncthreads();
  unsigned long long total = 0;
  block_inclusive_sum<unsigned long long, threads_of_tile>(sum, reinterpret_cast<unsigned long long*>(memory),
                                                           total);
  if (threadIdx.x == 0 && total != 0) add_to_group(query, 0, total);
}

constexpr std::array<std::string_view, 4> columns_1 = {"lo_orderdate", "lo_quantity", "lo_discount",
                                                       "lo_extendedprice"};

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_1 = {
    .plain = query_1<LoadPlain, LoadPlain>,
    .whole = query_1<LoadWhole, LoadWhole>,
    .packed = query_1<LoadBitPack, LoadBitPack>,
    .smallest = query_1<LoadRBitPack, LoadBitPack>,
};

const std::array<Query, 3> flight_1 = {{
    // d_year = 1993 and lo_discount between 1 and 3 and lo_quantity < 25
    {"q1.1", columns_1, {Filter(19930101, 19931231), Filter(1, 24), Filter(1, 3)}, {}, 1, kernels_1},
    // d_yearmonthnum = 199401 and lo_discount between 4 and 6 and lo_quantity between 26 and 35
    {"q1.2", columns_1, {Filter(19940101, 19940131), Filter(26, 35), Filter(4, 6)}, {}, 1, kernels_1},
    // d_weeknuminyear = 6 and d_year = 1994 and lo_discount between 5 and 7 and lo_quantity between 26 and 35
    {"q1.3", columns_1, {Filter(19940204, 19940210), Filter(26, 35), Filter(5, 7)}, {}, 1, kernels_1},
}};

}  // namespace
}  // namespace gsst::tile_integer
