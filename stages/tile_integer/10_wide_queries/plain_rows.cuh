#pragma once

#include <array>
#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/10_wide_queries/row_values.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/ssb_query.cuh"
#include "stages/tile_integer/shared/warp_instructions.cuh"

// Rows of columns that are stored as they are: frames at multiples of 16 bytes with an index at a multiple of
// 8, all of whose blocks are raw. A thread has several rows of a piece at a time, so that what a piece costs
// by itself is little for a row.
namespace gsst::tile_integer {
namespace {

// Rows that follow each other, whose values are one load.
constexpr std::uint32_t rows_of_load = sizeof(Words4) / sizeof(std::uint32_t);
constexpr std::uint32_t loads_of_thread = 2;
constexpr std::uint32_t rows_of_thread = rows_of_load * loads_of_thread;

// Rows of a block of each column. Bit i of a word is row i of the calling thread.
template <std::uint32_t Columns>
struct PlainPiece {
  // The values of the piece's first row on; multiples of 16 bytes.
  std::array<const std::uint32_t*, Columns> values;
  // 0 or more.
  std::uint32_t rows;

  // Of the thread's load `load`, in the piece.
  __device__ static std::uint32_t first_row(std::uint32_t load) {
    return (load * blockDim.x + threadIdx.x) * rows_of_load;
  }
  // Those of the thread that the piece has.
  __device__ std::uint32_t own_rows() const {
    std::uint32_t own = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < rows_of_thread; ++i) {
      if (first_row(i / rows_of_load) + i % rows_of_load < rows) own |= 1U << i;
    }
    return own;
  }
};

// 16 bytes of global memory, read even where nobody uses them.
__device__ inline Words4 read_words_always(const std::uint32_t* address) {
#if defined(__CUDACC__)
  Words4 read;
  asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(read.words[0]), "=r"(read.words[1]), "=r"(read.words[2]), "=r"(read.words[3])
               : "l"(address));
  return read;
#else
  return *reinterpret_cast<const Words4*>(address);
#endif
}

// A column's values in the rows of the calling thread. Where `Skips`, they are loaded when they are asked
// for, four rows at a time of which one is wanted; otherwise all of them by the constructor, so that the
// loads of all columns are under way at once.
template <bool Skips>
class PlainColumn {
public:
  template <std::uint32_t Columns>
  __device__ PlainColumn(const PlainPiece<Columns>& piece, std::uint32_t column)
      : values_(piece.values[column]), rows_(piece.rows) {
    if constexpr (!Skips) load((1U << rows_of_thread) - 1);
  }

  // Of the rows `wanted`; others have any value.
  __device__ const std::uint32_t* in_rows(std::uint32_t wanted) {
    if constexpr (Skips) load(wanted);
    return loaded_;
  }

private:
  __device__ void load(std::uint32_t wanted) {
    constexpr std::uint32_t rows = (1U << rows_of_load) - 1;
#pragma unroll
    for (std::uint32_t number = 0; number < loads_of_thread; ++number) {
      if ((wanted >> number * rows_of_load & rows) == 0) continue;
      const std::uint32_t first = PlainPiece<1>::first_row(number);
      std::uint32_t* const loaded = loaded_ + number * rows_of_load;
      if (first + rows_of_load <= rows_) {
        const Words4 read =
            Skips ? *reinterpret_cast<const Words4*>(values_ + first) : read_words_always(values_ + first);
#pragma unroll
        for (std::uint32_t i = 0; i < rows_of_load; ++i) loaded[i] = read.words[i];
      } else {
#pragma unroll
        for (std::uint32_t i = 0; i < rows_of_load; ++i) {
          loaded[i] = first + i < rows_ ? values_[first + i] : 0;
        }
      }
    }
  }

  const std::uint32_t* values_;
  std::uint32_t rows_;
  std::uint32_t loaded_[rows_of_thread] = {};
};

// All threads of the block: calls `with` with the pieces of plain columns, which thread blocks deal out among
// themselves, and reports each block of each column.
template <std::uint32_t Columns, typename With>
__device__ inline void for_plain_pieces(const QueryOnDevice& query, With&& with) {
  const std::uint32_t piece_rows = blockDim.x * rows_of_thread;
  // There is no output: what would be its address is not used.
  auto* const no_output = reinterpret_cast<std::uint8_t*>(query.statuses);
  const std::uint32_t blocks = query.columns[0].block_count;
  const auto rows_of = [](std::uint32_t bytes) {
    return bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
  };
  // No block is larger than the first.
  const std::uint32_t most_rows =
      rows_of(load_block<true>(query.columns[0], 0, no_output).uncompressed_bytes);
  // At least one: it sets the block's statuses.
  const std::uint32_t pieces_of_block = most_rows == 0 ? 1 : (most_rows + piece_rows - 1) / piece_rows;
  for (std::uint32_t number = blockIdx.x; number < blocks * pieces_of_block; number += gridDim.x) {
    const std::uint32_t block = number / pieces_of_block;
    const std::uint32_t first_row = number % pieces_of_block * piece_rows;
    const std::uint32_t bytes = load_block<true>(query.columns[0], block, no_output).uncompressed_bytes;
    PlainPiece<Columns> piece = {};
    bool are_same = true;
#pragma unroll
    for (std::uint32_t column = 0; column < Columns; ++column) {
      const stage::BlockOnDevice own = load_block<true>(query.columns[column], block, no_output);
      const bool is_same = is_same_block(own.uncompressed_bytes, bytes);
      are_same = are_same && is_same;
      piece.values[column] = reinterpret_cast<const std::uint32_t*>(own.payload) + first_row;
      if (first_row == 0 && threadIdx.x == 0) {
        query.statuses[column * blocks + block] = status_of_column(is_same);
      }
    }
    if (!are_same || first_row >= rows_of(bytes)) continue;
    piece.rows = rows_of(bytes) - first_row;
    with(piece);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
