#pragma once

#include <bit>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/10_wide_queries/run_rows.cuh"
#include "stages/tile_integer/10_wide_queries/wide_tiles.cuh"

// A kernel for all flights: a warp goes from tile to tile, has the columns of two under way, and a lane takes
// a miniblock of each column, 32 rows. A Flight says how many columns it reads (columns) and how many of them
// are copied (copied), and has
//   copied_columns: those that are copied, a bit for each; `copied` counts the ones between them too
//   run_columns: those of format `rfor`, a bit for each; all of them are copied
//   add_tile(block, skips_tiles): all lanes; `block` is called by all lanes too, and gives the LaneBlock of a
//     column. Where columns have runs, a MixedTile (run_rows.cuh) is in the place of `block`
//   add_row(values, row): one row of a tile, by itself
// and total(), what a lane adds to the query's first sum at the end. All threads construct it together, with
// shared memory for the bits of the first table; a barrier follows.
namespace gsst::tile_integer {
namespace {

constexpr int most_threads_of_queries = 256;
// At the beginning of shared memory, for the sums of warps.
constexpr std::uint32_t bytes_of_wide_sums = lanes_of_warp * sizeof(unsigned long long);

// All threads of the block: adds the sum of their numbers to `answer`, with one atomic access. `memory` is
// shared memory, bytes_of_wide_sums bytes that nobody else uses.
__device__ inline void add_to_wide_sum(unsigned long long number, unsigned long long* answer,
                                       std::uint8_t* memory) {
  auto* const sums = reinterpret_cast<unsigned long long*>(memory);
  for (std::uint32_t distance = lanes_of_warp / 2; distance > 0; distance /= 2) {
    number += __shfl_xor_sync(every_lane, number, static_cast<int>(distance));
  }
  if (lane_number() == 0) sums[threadIdx.x / lanes_of_warp] = number;
  __syncthreads();
  if (threadIdx.x != 0) return;
  unsigned long long total = 0;
  for (std::uint32_t warp = 0; warp < blockDim.x / lanes_of_warp; ++warp) total += sums[warp];
  if (total != 0) atomicAdd(answer, total);
}

template <typename Flight>
__device__ inline void add_rows(Flight& flight,
                                const RowValues<Flight::columns, Flight::run_columns>& values) {
  for (std::uint32_t row = lane_number(); row < values.rows; row += lanes_of_warp) {
    flight.add_row(values, row);
  }
}

// Of shared memory, for a warp: slots, and then what its columns with runs take.
template <typename Flight>
__host__ __device__ constexpr std::uint32_t bytes_of_wide_warp(std::uint32_t slot_bytes) {
  constexpr auto columns = static_cast<std::uint32_t>(std::popcount(Flight::run_columns));
  return CopyRing<Flight::copied>::bytes(slot_bytes) +
         columns * static_cast<std::uint32_t>(sizeof(RunRowsMemory));
}

// For frames at multiples of 16 bytes with an index at a multiple of 8.
template <typename Flight>
__global__ void __launch_bounds__(most_threads_of_queries) wide_query(QueryOnDevice query, WideShape shape) {
  GSST_SHARED_MEMORY(memory);
  constexpr std::uint32_t columns = Flight::columns;
  constexpr std::uint32_t runs = Flight::run_columns;
  using Ring = CopyRing<Flight::copied>;
  const std::uint32_t slot_bytes = shape.slot_bytes(Flight::copied);
  std::uint8_t* const bits = memory + bytes_of_wide_sums;
  std::uint8_t* const of_warp =
      bits + shape.bits_bytes + warp_number() * bytes_of_wide_warp<Flight>(slot_bytes);
  Ring ring(of_warp, slot_bytes);
  WideTiles<columns, runs> tiles(query);
  // What is known of a tile takes a load each: the index, then the starts, then the words. So the loads of
  // four tiles are under way.
  const KnownTile<columns, runs> first = tiles.know(tiles.find_next());
  const KnownTile<columns, runs> second = tiles.know(tiles.find_next());
  FoundTile fourth = tiles.find_next();
  CopiedTile<Flight> current = start_columns<Flight>(ring, 0, first, shape);
  CopiedTile<Flight> next = start_columns<Flight>(ring, 1, second, shape);
  KnownTile<columns, runs> third = tiles.know(fourth);
  fourth = tiles.find_next();
  Flight flight(query, reinterpret_cast<std::uint32_t*>(bits), shape.bits_bytes);
  __syncthreads();
#pragma unroll 1
  for (std::uint32_t number = 0; number < tiles.count(); ++number) {
    ring.wait(number);
    if (current.is_copied) {
      const std::uint8_t* const slot = ring.slot(number);
      if constexpr (runs == 0) {
        flight.add_tile([&](std::uint32_t column) { return current.block(column, slot, shape); },
                        shape.skips_tiles);
      } else {
        auto* const of_columns = reinterpret_cast<RunRowsMemory*>(of_warp + Ring::bytes(slot_bytes));
        flight.add_tile(MixedTile<Flight>(current, slot, shape, of_columns), shape.skips_tiles);
      }
    } else {
      add_rows(flight, current.row_values());
    }
    current = next;
    next = start_columns<Flight>(ring, number + Ring::slots, third, shape);
    third = tiles.know(fourth);
    fourth = tiles.find_next();
  }
  add_to_wide_sum(flight.total(), query.sums, memory);
}

// For frames at any addresses.
template <typename Flight>
__global__ void __launch_bounds__(most_threads_of_queries) wide_query_by_rows(QueryOnDevice query) {
  GSST_SHARED_MEMORY(memory);
  Flight flight(query, reinterpret_cast<std::uint32_t*>(memory), 0);
  for_row_tiles<Flight::columns, Flight::run_columns>(
      query.columns.data(), Flight::columns, query.statuses, blockIdx.x, gridDim.x,
      [&](const RowValues<Flight::columns, Flight::run_columns>& values) { add_rows(flight, values); });
  add_to_wide_sum(flight.total(), query.sums, memory);
}

}  // namespace
}  // namespace gsst::tile_integer
