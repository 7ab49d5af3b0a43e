#pragma once

#include <cstdint>

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

// From the plain query to a compressed one: the line with the names of the loads.
const QueryKernels kernels_1 = {
    .plain = query_1<LoadPlain, LoadPlain>,
    .whole = query_1<LoadWhole, LoadWhole>,
    .packed = query_1<LoadBitPack, LoadBitPack>,
    .smallest = query_1<LoadRBitPack, LoadBitPack>,
};

}  // namespace
}  // namespace gsst::tile_integer
