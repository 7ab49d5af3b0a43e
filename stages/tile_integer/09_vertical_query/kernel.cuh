#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/09_vertical_query/vertical_tile.cuh"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/ssb_query.cuh"

// Flight 1 of the queries: sum(lo_extendedprice * lo_discount) of the rows of some dates, quantities and
// discounts, as stage 09 has it.
namespace gsst::tile_integer::vertical {
namespace {

constexpr std::uint32_t warps_of_tile = vertical_lanes / 32;
// Of shared memory, for a block's sum, which takes the place of columns.
constexpr std::size_t bytes_of_sum = warps_of_tile * sizeof(unsigned long long);

// The values that are in the tile, bit i for value i of the thread.
template <std::uint32_t Values>
__device__ inline std::uint32_t in_tile(const VerticalTile<Values>& tile) {
  std::uint32_t wanted = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < Values; ++i) {
    if (tile.place(i) < tile.values()) wanted |= 1U << i;
  }
  return wanted;
}

// Those of `wanted` whose value `filter` accepts.
template <std::uint32_t Values>
__device__ inline std::uint32_t keep(std::uint32_t wanted, const Filter& filter,
                                     const std::uint32_t (&values)[Values]) {
#pragma unroll
  for (std::uint32_t i = 0; i < Values; ++i) {
    if (!filter.accepts(values[i])) wanted &= ~(1U << i);
  }
  return wanted;
}

// All threads: whether any of them still wants a value. `memory` has bytes_of_sum, and may hold what a load
// has left there.
__device__ inline bool is_wanted_by_any(std::uint32_t wanted, std::uint8_t* memory) {
  constexpr std::uint32_t all_lanes = 0xffffffff;
  auto* const warps = reinterpret_cast<std::uint32_t*>(memory);
  const bool is_wanted = __any_sync(all_lanes, wanted != 0) != 0;
  // Whoever still reads what was in this memory.
  __syncthreads();
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = is_wanted ? 1 : 0;
  __syncthreads();
  std::uint32_t found = 0;
  for (std::uint32_t warp = 0; warp < warps_of_tile; ++warp) found |= warps[warp];
  return found != 0;
}

// Reports for each column the block of which tile `number` is the first one: all rows are there if the blocks
// of all columns have the same number of values, and nothing else.
template <typename Tile>
__device__ inline void report_blocks(const QueryOnDevice& query, std::uint32_t number) {
  if (threadIdx.x >= query.column_count) return;
  const Tile first(query.columns[0], number);
  if (first.number() != 0 || !first.exists()) return;
  const Tile own(query.columns[threadIdx.x], number);
  const bool is_same = own.block() == first.block() && own.block_bytes() == first.block_bytes() &&
                       own.block_bytes() % sizeof(std::uint32_t) == 0;
  query.statuses[threadIdx.x * query.columns[0].block_count + first.block()] = static_cast<std::uint32_t>(
      is_same ? stage::BlockStatus::decoded : stage::BlockStatus::output_too_short);
}

// Thread blocks of vertical_lanes threads, one for each tile of the columns.
template <typename Load>
__global__ void vertical_query_1(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  using Tile = typename Load::Tile;
  report_blocks<Tile>(query, blockIdx.x);
  std::uint32_t values[Load::values_of_thread];
  const Tile tile(query.columns[0], blockIdx.x);
  Load::load(tile, memory, values);
  std::uint32_t wanted = keep(in_tile(tile), query.filters[0], values);
  if (!is_wanted_by_any(wanted, memory)) return;
  Load::load(Tile(query.columns[1], blockIdx.x), memory, values);
  wanted = keep(wanted, query.filters[1], values);
  std::uint32_t discounts[Load::values_of_thread];
  Load::load(Tile(query.columns[2], blockIdx.x), memory, discounts);
  wanted = keep(wanted, query.filters[2], discounts);
  std::uint32_t prices[Load::values_of_thread];
  Load::load(Tile(query.columns[3], blockIdx.x), memory, prices);
  // Whoever still reads the columns' words; and a tile is loaded before it is used.
  __syncthreads();
  unsigned long long sum = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < Load::values_of_thread; ++i) {
    if ((wanted >> i & 1) != 0) sum += static_cast<unsigned long long>(prices[i]) * discounts[i];
  }
  unsigned long long total = 0;
  block_inclusive_sum<unsigned long long, vertical_lanes>(sum, reinterpret_cast<unsigned long long*>(memory),
                                                          total);
  if (threadIdx.x == 0 && total != 0) atomicAdd(query.sums, total);
}

}  // namespace
}  // namespace gsst::tile_integer::vertical
