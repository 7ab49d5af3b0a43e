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

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_4 = {
    .plain = query_4<LoadPlain, LoadPlain, LoadPlain>,
    .whole = query_4<LoadWhole, LoadWhole, LoadWhole>,
    .packed = query_4<LoadBitPack, LoadBitPack, LoadBitPack>,
    .smallest = query_4<LoadRBitPack, LoadRBitPack, LoadBitPack>,
};

}  // namespace
}  // namespace gsst::tile_integer
