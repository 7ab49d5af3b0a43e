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

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_2 = {
    .plain = query_2<LoadPlain, LoadPlain>,
    .whole = query_2<LoadWhole, LoadWhole>,
    .packed = query_2<LoadBitPack, LoadBitPack>,
    .smallest = query_2<LoadRBitPack, LoadBitPack>,
};

}  // namespace
}  // namespace gsst::tile_integer
