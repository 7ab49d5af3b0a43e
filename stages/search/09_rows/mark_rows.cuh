#pragma once

#include <cstdint>

#include "stages/search/shared/matches.cuh"
#include "stages/search/shared/rows_question.hpp"

namespace gsst::search::kernels {
namespace {

// The rows of a text, and the matches of a pattern in it.
struct RowsOnDevice {
  // Row i has the bytes from borders[i] to before borders[i + 1]: Arrow's offsets of 64 bits.
  const std::uint64_t* borders;
  std::uint64_t rows;
  // All matches, and where those begin that there was room for.
  const unsigned long long* match_count;
  const unsigned long long* positions;
  std::uint64_t capacity;
  std::uint32_t pattern_bytes;
  RowMatch match;
  // A bit a row, in the order of Arrow's: row i has bit i % 32 of word i / 32.
  unsigned* bitmap;
  // Rows with a bit.
  unsigned long long* marked;
};

// How many borders are at or in front of `position`.
__device__ __forceinline__ std::uint64_t borders_up_to(const RowsOnDevice& rows, std::uint64_t position) {
  std::uint64_t least = 0;
  std::uint64_t most = rows.rows + 1;
  while (least != most) {
    const std::uint64_t middle = least + (most - least) / 2;
    if (rows.borders[middle] <= position) {
      least = middle + 1;
    } else {
      most = middle;
    }
  }
  return least;
}

// Sets the bit of the row that has a match which begins at `position`; 1 if nobody had set it. A match over a
// row's border is in no row.
__device__ __forceinline__ std::uint32_t mark_row(const RowsOnDevice& rows, std::uint64_t position) {
  const std::uint64_t borders = borders_up_to(rows, position);
  if (borders == 0 || borders > rows.rows) return 0;
  const std::uint64_t row = borders - 1;
  const std::uint64_t end = rows.borders[borders];
  const std::uint64_t match_end = position + rows.pattern_bytes;
  if (match_end > end) return 0;
  const bool has_to_begin = rows.match == RowMatch::at_begin || rows.match == RowMatch::whole_row;
  const bool has_to_end = rows.match == RowMatch::at_end || rows.match == RowMatch::whole_row;
  if (has_to_begin && rows.borders[row] != position) return 0;
  if (has_to_end && end != match_end) return 0;
  const std::uint32_t bit = 1u << (row % 32);
  return (atomicOr(rows.bitmap + row / 32, bit) & bit) == 0 ? 1 : 0;
}

// A thread a match.
__global__ void __launch_bounds__(256) mark_rows(RowsOnDevice rows) {
  const std::uint64_t found = *rows.match_count;
  const std::uint64_t count = found < rows.capacity ? found : rows.capacity;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  std::uint32_t marked = 0;
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += threads) {
    marked += mark_row(rows, rows.positions[i]);
  }
#pragma unroll
  for (std::uint32_t distance = 16; distance > 0; distance /= 2) {
    marked += __shfl_xor_sync(all_lanes, marked, static_cast<int>(distance));
  }
  if (threadIdx.x % 32 == 0 && marked != 0) atomicAdd(rows.marked, static_cast<unsigned long long>(marked));
}

}  // namespace
}  // namespace gsst::search::kernels
