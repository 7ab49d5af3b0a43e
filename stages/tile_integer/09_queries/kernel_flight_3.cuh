#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"

// Flight 3: sum(lo_revenue) by where customers and suppliers are, and by d_year.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadCustomer, typename LoadNumber>
__global__ void query_3(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  Column groups = {};
  Column suppliers;
  Column customers;
  Column dates;
  Column revenues;
  const ColumnTile<std::uint32_t> tile(query.columns[0], blockIdx.x);
  const ColumnTile<std::uint32_t> of_customers(query.columns[1], tile);
  const ColumnTile<std::uint32_t> of_dates(query.columns[2], tile);
  const ColumnTile<std::uint32_t> of_revenues(query.columns[3], tile);
  LoadNumber::load(tile, memory, suppliers);
  load_ahead<LoadCustomer>(of_customers, memory, customers);
  load_ahead<LoadDate>(of_dates, memory, dates);
  load_ahead<LoadNumber>(of_revenues, memory, revenues);
  report_blocks(query.columns.data(), query.column_count, tile, query.statuses);
  std::uint32_t wanted = join(in_tile(tile), query.tables[0], suppliers, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadCustomer>(of_customers, memory, customers, wanted);
  wanted = join(wanted, query.tables[1], customers, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadDate>(of_dates, memory, dates, wanted);
  wanted = join(wanted, query.tables[2], dates, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadNumber>(of_revenues, memory, revenues, wanted);
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) != 0) add_to_group(query, groups[i], revenues[i]);
  }
}

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_3 = {
    .plain = query_3<LoadPlain, LoadPlain, LoadPlain>,
    .whole = query_3<LoadWhole, LoadWhole, LoadWhole>,
    .packed = query_3<LoadBitPack, LoadBitPack, LoadBitPack>,
    .smallest = query_3<LoadRBitPack, LoadRBitPack, LoadBitPack>,
};

}  // namespace
}  // namespace gsst::tile_integer
