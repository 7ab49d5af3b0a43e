#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/09_queries/loads.cuh"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/ssb_query.cuh"

// What the kernels of the four flights share. A thread block has a tile, and each thread a few rows of it.
namespace gsst::tile_integer {
namespace {

// Of any kernel here: room for a block's sum.
constexpr std::size_t least_shared_bytes = threads_of_tile / 32 * sizeof(unsigned long long);

using Column = std::uint32_t[values_of_tile_thread];

// The values of `wanted` that are in the tile.
__device__ inline std::uint32_t in_tile(const ColumnTile<std::uint32_t>& tile) {
  std::uint32_t wanted = 0;
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if (tile.place(i) < tile.values()) wanted |= 1U << i;
  }
  return wanted;
}

// Those of `wanted` whose value `filter` accepts.
__device__ inline std::uint32_t keep(std::uint32_t wanted, const Filter& filter, const Column& values) {
#pragma unroll
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if (!filter.accepts(values[i])) wanted &= ~(1U << i);
  }
  return wanted;
}

// Those of `wanted` whose key the table has a row for, which is joined: its group is added to `groups`.
__device__ inline std::uint32_t join(std::uint32_t wanted, const KeyTable& table, const Column& keys,
                                     Column& groups) {
#pragma unroll
  for (std::uint32_t i = 0; i < values_of_tile_thread; ++i) {
    if ((wanted >> i & 1) == 0) continue;
    const std::uint32_t place = keys[i] - table.first_key;
    const std::uint32_t entry = place < table.size ? table.entries[place] : 0;
    if (entry == 0) {
      wanted &= ~(1U << i);
    } else {
      groups[i] += (entry - 1) * table.stride;
    }
  }
  return wanted;
}

// All threads: whether any of them still wants a value, so that the tile's other columns are loaded; always
// where `Load` skips nothing. `memory` has least_shared_bytes, and may hold what a load has left there.
template <typename Load>
__device__ inline bool is_tile_wanted(std::uint32_t wanted, std::uint8_t* memory) {
  if constexpr (!Load::may_skip) {
    return true;
  } else {
    constexpr std::uint32_t all_lanes = 0xffffffff;
    auto* const warps = reinterpret_cast<std::uint32_t*>(memory);
    const bool is_wanted = __any_sync(all_lanes, wanted != 0) != 0;
    // Whoever still reads what was in this memory.
    __syncthreads();
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = is_wanted ? 1 : 0;
    __syncthreads();
    std::uint32_t found = 0;
    for (std::uint32_t warp = 0; warp < threads_of_tile / 32; ++warp) found |= warps[warp];
    return found != 0;
  }
}

// Adds `value` to the sum of a row's group.
__device__ inline void add_to_group(const QueryOnDevice& query, std::uint32_t group,
                                    unsigned long long value) {
  atomicAdd(query.sums + group, value);
}

// Reports for each column the block that tile `number` is in, of which the tile is the first: all rows are
// there if the blocks of all columns have the same number of values, and nothing else. One thread block for
// each tile calls it.
__device__ inline void report_blocks(const stage::FrameOnDevice* columns, std::uint32_t count,
                                     std::uint32_t number, std::uint32_t* statuses) {
  if (threadIdx.x >= count) return;
  const ColumnTile<std::uint32_t> first(columns[0], number);
  if (first.number() != 0 || !first.exists()) return;
  const ColumnTile<std::uint32_t> own(columns[threadIdx.x], number);
  const bool is_same = own.block() == first.block() && own.block_bytes() == first.block_bytes() &&
                       own.block_bytes() % sizeof(std::uint32_t) == 0;
  statuses[threadIdx.x * columns[0].block_count + first.block()] = static_cast<std::uint32_t>(
      is_same ? stage::BlockStatus::decoded : stage::BlockStatus::output_too_short);
}

// On the host.

// A kernel of a flight, for columns of one kind.
using QueryKernel = void (*)(QueryOnDevice);

// The same kernel with other loads.
struct QueryKernels {
  // All columns are stored as they are.
  QueryKernel plain;
  // The same, and all of them is read.
  QueryKernel whole;
  // All have format `for`.
  QueryKernel packed;
  // Those that runs make smallest (has_runs()) have format `rfor`, others `for`.
  QueryKernel smallest;
};

}  // namespace
}  // namespace gsst::tile_integer
