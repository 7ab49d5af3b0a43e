#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"

// Flight 4: profit, sum(lo_revenue - lo_supplycost), by d_year and more and more of the other tables.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadCustomer, typename LoadNumber>
__global__ void query_4(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  Column groups = {};
  Column suppliers;
  Column customers;
  Column parts;
  Column dates;
  Column revenues;
  Column costs;
  const ColumnTile<std::uint32_t> tile(query.columns[0], blockIdx.x);
  const ColumnTile<std::uint32_t> of_customers(query.columns[1], tile);
  const ColumnTile<std::uint32_t> of_parts(query.columns[2], tile);
  const ColumnTile<std::uint32_t> of_dates(query.columns[3], tile);
  const ColumnTile<std::uint32_t> of_revenues(query.columns[4], tile);
  const ColumnTile<std::uint32_t> of_costs(query.columns[5], tile);
  LoadNumber::load(tile, memory, suppliers);
  load_ahead<LoadCustomer>(of_customers, memory, customers);
  load_ahead<LoadNumber>(of_parts, memory, parts);
  load_ahead<LoadDate>(of_dates, memory, dates);
  load_ahead<LoadNumber>(of_revenues, memory, revenues);
  load_ahead<LoadNumber>(of_costs, memory, costs);
  report_blocks(query.columns.data(), query.column_count, tile, query.statuses);
  std::uint32_t wanted = join(in_tile(tile), query.tables[0], suppliers, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadCustomer>(of_customers, memory, customers, wanted);
  wanted = join(wanted, query.tables[1], customers, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadNumber>(of_parts, memory, parts, wanted);
  wanted = join(wanted, query.tables[2], parts, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadDate>(of_dates, memory, dates, wanted);
  wanted = join(wanted, query.tables[3], dates, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadNumber>(of_revenues, memory, revenues, wanted);
  load_wanted<LoadNumber>(of_costs, memory, costs, wanted);
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) == 0) continue;
    // A loss is added modulo 2^64.
    add_to_group(query, groups[i], static_cast<unsigned long long>(revenues[i]) - costs[i]);
  }
}

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_4 = {
    .plain = query_4<LoadPlain, LoadPlain, LoadPlain>,
    .whole = query_4<LoadWhole, LoadWhole, LoadWhole>,
    .packed = query_4<LoadBitPack, LoadBitPack, LoadBitPack>,
    .smallest = query_4<LoadRBitPack, LoadRBitPack, LoadBitPack>,
};

}  // namespace
}  // namespace gsst::tile_integer
