#pragma once

#include <array>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/ssb_query.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Rows of columns in global memory, one by one: for the few tiles that the fast way does not take.
namespace gsst::tile_integer {
namespace {

// A tile is eight packed blocks of each column: a lane has a miniblock.
constexpr std::uint32_t log2_wide_blocks = 3;
constexpr std::uint32_t wide_blocks = 1U << log2_wide_blocks;
constexpr std::uint32_t wide_rows = wide_blocks * format::tile_integer::packed_block_values;
static_assert(wide_rows == lanes_of_warp * format::tile_integer::miniblock_values);

// The run blocks of a tile.
constexpr std::uint32_t wide_run_blocks = wide_rows / format::tile_integer::run_block_values;

// Whether column `column` has format `rfor`: `runs` has a bit for each column.
__host__ __device__ constexpr bool has_runs_in(std::uint32_t runs, std::uint32_t column) {
  return (runs >> column & 1) != 0;
}

// A stream of a run block in global memory, whose reference is word `start` of the payload.
class StreamInPayload {
public:
  __device__ StreamInPayload(const ForPayload& payload, std::uint32_t start, std::uint32_t miniblocks)
      : payload_(payload),
        widths_(start + 1),
        words_(widths_ + format::tile_integer::words_of_widths(miniblocks)),
        reference_(payload.word(start)) {}

  // Where miniblock `miniblock` is, or, after the last one, where the stream ends.
  __device__ std::uint32_t place(std::uint32_t miniblock) const {
    std::uint32_t place = words_;
    for (std::uint32_t before = 0; before < miniblock; ++before) place += width(before);
    return place;
  }
  __device__ std::uint32_t number(std::uint32_t index) const {
    using format::tile_integer::miniblock_values;
    const std::uint32_t bits = width(index / miniblock_values);
    return reference_ + static_cast<std::uint32_t>(extract_bits(payload_, place(index / miniblock_values),
                                                                index % miniblock_values * bits, bits));
  }

private:
  __device__ std::uint32_t width(std::uint32_t miniblock) const {
    return payload_.word(widths_ + miniblock / 4) >> 8 * (miniblock % 4) & 0xff;
  }

  ForPayload payload_;
  std::uint32_t widths_;
  std::uint32_t words_;
  std::uint32_t reference_;
};

// Value `place` of a payload of format `rfor`: lengths are added up until its run is found.
__device__ inline std::uint32_t value_in_runs(const ForPayload& payload, std::uint32_t place) {
  using format::tile_integer::run_block_values;
  const std::uint32_t start = payload.start(place / run_block_values);
  const std::uint32_t runs = payload.word(start);
  const std::uint32_t miniblocks =
      (runs + format::tile_integer::miniblock_values - 1) / format::tile_integer::miniblock_values;
  const StreamInPayload values(payload, start + 1, miniblocks);
  const StreamInPayload lengths(payload, values.place(miniblocks), miniblocks);
  std::uint32_t run = 0;
  for (std::uint32_t end = lengths.number(0); end <= place % run_block_values; end += lengths.number(run)) {
    ++run;
  }
  return values.number(run);
}

// A block of each column, all of which have the same rows, and of these the ones of a tile. Columns of `Runs`
// have format `rfor`, others `for`.
template <std::uint32_t Columns, std::uint32_t Runs = 0>
struct RowValues {
  std::array<const std::uint8_t*, Columns> payloads;
  // Bit c: the block of column c is stored as it is.
  std::uint32_t raw_columns;
  // Of the tile, in its block.
  std::uint32_t first_row;
  std::uint32_t rows;

  __device__ std::uint32_t value(std::uint32_t column, std::uint32_t row) const {
    using format::tile_integer::packed_block_values;
    const std::uint32_t place = first_row + row;
    const ForPayload payload(payloads[column]);
    if ((raw_columns >> column & 1) != 0) return payload.word(place);
    if (has_runs_in(Runs, column)) return value_in_runs(payload, place);
    return static_cast<std::uint32_t>(
        decode_value(payload, payload.start(place / packed_block_values), place % packed_block_values, 1));
  }
};

// What a block of each column has to be for its rows to be there: of one number of values, nothing else.
__device__ inline bool is_same_block(std::uint32_t own_bytes, std::uint32_t first_bytes) {
  return own_bytes == first_bytes && own_bytes % sizeof(std::uint32_t) == 0;
}

__device__ inline std::uint32_t status_of_column(bool is_same) {
  return static_cast<std::uint32_t>(is_same ? stage::BlockStatus::decoded
                                            : stage::BlockStatus::output_too_short);
}

// Tiles of a block of `most_bytes` bytes, at least one: it sets the block's statuses.
__device__ inline std::uint32_t wide_tiles_of(std::uint32_t most_bytes) {
  const std::uint32_t values = most_bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
  return values == 0 ? 1 : (values + wide_rows - 1) / wide_rows;
}

// All lanes: calls `with` with the RowValues of the tiles of columns at any address, which the warps of the
// `thread_blocks` thread blocks that call it deal out among themselves; the caller has number `thread_block`.
// Reports, for the first `reported` columns, each block.
template <std::uint32_t Columns, std::uint32_t Runs = 0, typename With>
__device__ inline void for_row_tiles(const stage::FrameOnDevice* columns, std::uint32_t reported,
                                     std::uint32_t* statuses, std::uint32_t thread_block,
                                     std::uint32_t thread_blocks, With&& with) {
  const std::uint32_t warps = blockDim.x / lanes_of_warp;
  // There is no output: what would be its address is not used.
  auto* const no_output = reinterpret_cast<std::uint8_t*>(statuses);
  const std::uint32_t blocks = columns[0].block_count;
  // No block is larger than the first.
  const std::uint32_t tiles_of_block = wide_tiles_of(columns[0].block(0, no_output).uncompressed_bytes);
  for (std::uint32_t number = thread_block * warps + warp_number(); number < blocks * tiles_of_block;
       number += thread_blocks * warps) {
    const std::uint32_t block = number / tiles_of_block;
    const std::uint32_t tile = number % tiles_of_block;
    RowValues<Columns, Runs> values = {};
    const std::uint32_t bytes = columns[0].block(block, no_output).uncompressed_bytes;
    bool are_same = true;
    for (std::uint32_t column = 0; column < Columns; ++column) {
      const stage::BlockOnDevice own = columns[column].block(block, no_output);
      const bool is_same = is_same_block(own.uncompressed_bytes, bytes);
      are_same = are_same && is_same;
      values.payloads[column] = own.payload;
      if (own.layout == format::BlockLayout::raw) values.raw_columns |= 1U << column;
      if (tile == 0 && column < reported && lane_number() == 0) {
        statuses[column * blocks + block] = status_of_column(is_same);
      }
    }
    values.first_row = tile * wide_rows;
    const auto all = bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
    if (!are_same || values.first_row >= all) continue;
    values.rows = all - values.first_row < wide_rows ? all - values.first_row : wide_rows;
    with(values);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
