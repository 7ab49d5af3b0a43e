#pragma once

#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_queries/query.cuh"

// Flight 2: sum(lo_revenue) by d_year and p_brand1, for some parts and the suppliers of a region.
namespace gsst::tile_integer {
namespace {

// Thread blocks of threads_of_tile threads, tiles_of() the columns.
template <typename LoadDate, typename LoadNumber>
__global__ void query_2(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  Column groups = {};
  Column suppliers;
  Column parts;
  Column dates;
  Column revenues;
  const ColumnTile<std::uint32_t> tile(query.columns[0], blockIdx.x);
  const ColumnTile<std::uint32_t> of_parts(query.columns[1], tile);
  const ColumnTile<std::uint32_t> of_dates(query.columns[2], tile);
  const ColumnTile<std::uint32_t> of_revenues(query.columns[3], tile);
  LoadNumber::load(tile, memory, suppliers);
  load_ahead<LoadNumber>(of_parts, memory, parts);
  load_ahead<LoadDate>(of_dates, memory, dates);
  load_ahead<LoadNumber>(of_revenues, memory, revenues);
  report_blocks(query.columns.data(), query.column_count, tile, query.statuses);
  std::uint32_t wanted = join(in_tile(tile), query.tables[0], suppliers, groups);
  if (!goes_on<LoadNumber>(wanted, memory)) return;
  load_wanted<LoadNumber>(of_parts, memory, parts, wanted);
  wanted = join(wanted, query.tables[1], parts, groups);
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
const QueryKernels kernels_2 = {
    .plain = query_2<LoadPlain, LoadPlain>,
    .whole = query_2<LoadWhole, LoadWhole>,
    .packed = query_2<LoadBitPack, LoadBitPack>,
    .smallest = query_2<LoadRBitPack, LoadBitPack>,
};

}  // namespace
}  // namespace gsst::tile_integer
