#pragma once

#include <bit>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "stages/tile_integer/10_wide_queries/lane_rows.cuh"
#include "stages/tile_integer/10_wide_queries/wide_tiles.cuh"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/ssb_query.cuh"
#include "stages/tile_integer/shared/warp_instructions.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// A column of format `rfor`: the 32 rows of a lane, whose values come in runs. A tile is two run blocks, and
// each half of the warp has one. Its runs are never expanded to values: they are bits of the rows with which
// they begin.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t lanes_of_half = lanes_of_warp / wide_run_blocks;
// A lane has a miniblock of each stream.
static_assert(lanes_of_half == format::tile_integer::max_miniblocks_of_stream);

// Runs are taken by so many a lane, so that a sum over the lanes is of many.
constexpr std::uint32_t runs_at_once = 8;
constexpr std::uint32_t runs_of_half = runs_at_once * lanes_of_half;

// Of shared memory, what a warp has for a column with runs.
struct RunRowsMemory {
  // Of lane l: bits of its rows.
  std::uint32_t rows[lanes_of_warp];
  // Of lane l, a miniblock of its half's run block, of values: where it is, in words of the run block, and
  // from bit 16 on its width.
  std::uint32_t miniblocks[lanes_of_warp];
};
static_assert(sizeof(RunRowsMemory) % piece_bytes == 0);

// The lane's number in its half.
__device__ inline std::uint32_t lane_of_half() {
  return lane_number() % lanes_of_half;
}
// All lanes: what lane `lane` of the own half has.
__device__ inline std::uint32_t from_half(std::uint32_t value, std::uint32_t lane) {
  return __shfl_sync(every_lane, value, static_cast<int>(lane_number() - lane_of_half() + lane));
}
// All lanes: the sum of the values of this lane and of those before it in its half.
__device__ inline std::uint32_t sum_in_half(std::uint32_t sum) {
#pragma unroll
  for (std::uint32_t distance = 1; distance < lanes_of_half; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(every_lane, sum, distance);
    if (lane_of_half() >= distance) sum += before;
  }
  return sum;
}

// The run block of a half, in shared memory.
class LaneRunBlock {
public:
  // All lanes, each with the words of its half's run block.
  __device__ LaneRunBlock(const std::uint32_t* words, RunRowsMemory& memory)
      : words_(words), memory_(memory), runs_(words[0]), value_reference_(words[1]) {
    using format::tile_integer::miniblock_values;
    const std::uint32_t lane = lane_of_half();
    const std::uint32_t miniblocks = (runs_ + miniblock_values - 1) / miniblock_values;
    const std::uint32_t width_words = format::tile_integer::words_of_widths(miniblocks);
    const auto own_width = [&](std::uint32_t widths) -> std::uint32_t {
      return lane < miniblocks ? reinterpret_cast<const std::uint8_t*>(words + widths)[lane] : 0;
    };
    constexpr std::uint32_t value_widths = 2;
    const std::uint32_t values = value_widths + width_words;
    const std::uint32_t value_width = own_width(value_widths);
    const std::uint32_t value_words = sum_in_half(value_width);
    memory.miniblocks[lane_number()] = (values + value_words - value_width) | value_width << width_bit;
    // Lengths follow the last miniblock of values.
    const std::uint32_t lengths = values + from_half(value_words, lanes_of_half - 1);
    length_reference_ = words[lengths];
    const std::uint32_t length_width = own_width(lengths + 1);
    length_miniblock_ =
        (lengths + 1 + width_words + sum_in_half(length_width) - length_width) | length_width << width_bit;
    __syncwarp();
  }

  // The value of run `run`.
  __device__ std::uint32_t value(std::uint32_t run) const {
    const std::uint32_t width = value_width(run);
    const std::uint32_t bit = run % format::tile_integer::miniblock_values * width;
    const std::uint32_t* const own = value_words(run) + bit / 32;
    return value_reference_ + (__funnelshift_r(own[0], own[1], bit) & lowest_ones(width));
  }

  // Those of runs `run` to `run` + 7, a multiple of 8, as the bits of a number: which ones `accepts` does.
  // All lanes.
  template <typename Accepts>
  __device__ std::uint32_t accepted_runs(std::uint32_t run, Accepts&& accepts) const {
    const std::uint32_t width = value_width(run);
    const std::uint32_t first = run % format::tile_integer::miniblock_values * width;
    std::uint32_t accepted = 0;
    const auto by_fours = [&](auto&& unpack) {
#pragma unroll
      for (std::uint32_t i = 0; i < runs_at_once; i += 4) {
        std::uint32_t values[4];
        unpack(value_words(run), first + i * width, width, values);
#pragma unroll
        for (std::uint32_t j = 0; j < 4; ++j) {
          if (accepts(value_reference_ + values[j])) accepted |= 1U << (i + j);
        }
      }
    };
    if (__all_sync(every_lane, width <= 16)) {
      by_fours(unpack_up_to_16);
    } else {
      by_fours(unpack_any);
    }
    return accepted;
  }

  // All lanes: a word with bits of the lane's rows, those with which a run begins that `marks` has a bit for:
  // marks(run), called by all lanes, is about runs `run` to `run` + 7, of which some may not exist.
  template <typename Marks>
  __device__ std::uint32_t rows_of_marks(Marks&& marks) const {
    memory_.rows[lane_number()] = 0;
    __syncwarp();
    std::uint32_t* const rows_of_half = memory_.rows + (lane_number() - lane_of_half());
    const std::uint32_t others = __shfl_xor_sync(every_lane, runs_, static_cast<int>(lanes_of_half));
    const std::uint32_t most_runs = runs_ < others ? others : runs_;
    std::uint32_t begin_of_step = 0;
#pragma unroll 1
    for (std::uint32_t first = 0; first < most_runs; first += runs_of_half) {
      const std::uint32_t run = first + lane_of_half() * runs_at_once;
      std::uint32_t lengths[runs_at_once];
      std::uint32_t sum = unpack_lengths(run, lengths);
      const std::uint32_t own = sum;
      sum = sum_in_half(sum);
      // What a run is long that does not exist is anything, but no run comes after it.
      std::uint32_t begin = begin_of_step + sum - own;
      begin_of_step += from_half(sum, lanes_of_half - 1);
      const std::uint32_t left = runs_ < run ? 0 : runs_ - run;
      const std::uint32_t wanted = marks(run) & lowest_ones(left);
#pragma unroll
      for (std::uint32_t i = 0; i < runs_at_once; ++i) {
        if ((wanted >> i & 1) != 0) atomicOr(&rows_of_half[begin / 32], 1U << begin % 32);
        begin += lengths[i];
      }
    }
    __syncwarp();
    return memory_.rows[lane_number()];
  }

private:
  static constexpr std::uint32_t width_bit = 16;

  __device__ std::uint32_t value_miniblock(std::uint32_t run) const {
    const std::uint32_t own = run / format::tile_integer::miniblock_values;
    return memory_.miniblocks[lane_number() - lane_of_half() + own];
  }
  __device__ std::uint32_t value_width(std::uint32_t run) const {
    return value_miniblock(run) >> width_bit;
  }
  __device__ const std::uint32_t* value_words(std::uint32_t run) const {
    return words_ + (value_miniblock(run) & lowest_ones(width_bit));
  }

  // All lanes: the lengths of runs `run` to `run` + 7, and their sum.
  __device__ std::uint32_t unpack_lengths(std::uint32_t run, std::uint32_t (&lengths)[runs_at_once]) const {
    using format::tile_integer::miniblock_values;
    const std::uint32_t miniblock = from_half(length_miniblock_, run / miniblock_values);
    const std::uint32_t width = miniblock >> width_bit;
    const std::uint32_t* const words = words_ + (miniblock & lowest_ones(width_bit));
    std::uint32_t sum = 0;
#pragma unroll
    for (std::uint32_t i = 0; i < runs_at_once; i += 4) {
      unpack_up_to_16(words, (run % miniblock_values + i) * width, width, lengths + i);
#pragma unroll
      for (std::uint32_t j = 0; j < 4; ++j) sum += lengths[i + j] += length_reference_;
    }
    return sum;
  }

  const std::uint32_t* words_;
  RunRowsMemory& memory_;
  std::uint32_t runs_;
  std::uint32_t value_reference_;
  std::uint32_t length_reference_;
  // The lane's, as RunRowsMemory::miniblocks.
  std::uint32_t length_miniblock_;
};

// All lanes: the rows whose values the filter accepts. Runs are compared, not rows: a row has a bit where a
// run begins for which the answer changes, and each row has the answer of the changes up to it.
__device__ inline std::uint32_t rows_in_runs(const LaneRunBlock& block, const Filter& filter) {
  constexpr std::uint32_t last = runs_at_once - 1;
  std::uint32_t before_step = 0;
  std::uint32_t rows = block.rows_of_marks([&](std::uint32_t run) {
    const std::uint32_t accepted =
        block.accepted_runs(run, [&](std::uint32_t value) { return filter.accepts(value); });
    const std::uint32_t before_lane = __shfl_up_sync(every_lane, accepted >> last, 1);
    const std::uint32_t before = lane_of_half() == 0 ? before_step : before_lane;
    before_step = from_half(accepted >> last, lanes_of_half - 1);
    return accepted ^ (accepted << 1 | before);
  });
#pragma unroll
  for (std::uint32_t distance = 1; distance < 32; distance *= 2) rows ^= rows << distance;
  // The last row says whether the lane has an odd number of changes.
  const std::uint32_t odd_lanes = __ballot_sync(every_lane, rows >> 31);
  const std::uint32_t lanes_before = lowest_ones(lane_of_half()) << (lane_number() - lane_of_half());
  return (count_ones(odd_lanes & lanes_before) & 1) != 0 ? ~rows : rows;
}

// The rows of a lane, each of which finds its run by counting those that begin up to it.
class LaneRuns {
public:
  // All lanes.
  __device__ explicit LaneRuns(const LaneRunBlock& block)
      : block_(block), heads_(block.rows_of_marks([](std::uint32_t /*run*/) { return all_rows; })) {
    const std::uint32_t own = count_ones(heads_);
    runs_before_ = sum_in_half(own) - own;
  }

  __device__ std::uint32_t value(std::uint32_t row) const {
    return block_.value(runs_before_ + count_ones(heads_ & lowest_ones(row + 1)) - 1);
  }
  // Of the lane's rows from `row` on, those of the same run.
  __device__ std::uint32_t rows_of_run(std::uint32_t row) const {
    const std::uint32_t later = heads_ & (all_rows << 1) << row;
    return ((later & (0 - later)) - 1) & all_rows << row;
  }

private:
  LaneRunBlock block_;
  // The lane's rows with which a run begins.
  std::uint32_t heads_;
  // Runs of the run block that begin in the lanes before.
  std::uint32_t runs_before_;
};

__device__ inline std::uint32_t value_of_row(const LaneRuns& runs, std::uint32_t row) {
  return runs.value(row);
}

// Those of `rows` whose keys the table has, as for a LaneBlock. A run is looked up once.
__device__ inline std::uint32_t keep_rows_with_entries(std::uint32_t rows, const LaneRuns& runs,
                                                       const KeyTable& table) {
  constexpr std::uint32_t looks = 4;
  std::uint32_t kept = 0;
#pragma unroll 1
  while (rows != 0) {
    std::uint32_t bits[looks];
    std::uint32_t entries[looks];
#pragma unroll
    for (std::uint32_t i = 0; i < looks; ++i) {
      const std::uint32_t row = lowest_row(rows | 1U << 31);
      bits[i] = rows & runs.rows_of_run(row);
      entries[i] = entry_of_key(table, runs.value(row));
      rows &= ~bits[i];
    }
#pragma unroll
    for (std::uint32_t i = 0; i < looks; ++i) {
      if (entries[i] != 0) kept |= bits[i];
    }
  }
  return kept;
}

// A tile some of whose columns have runs.
template <typename Flight>
class MixedTile {
public:
  // `memory` has a RunRowsMemory for each column with runs.
  __device__ MixedTile(const CopiedTile<Flight>& tile, const std::uint8_t* slot, const WideShape& shape,
                       RunRowsMemory* memory)
      : tile_(tile), slot_(slot), shape_(shape), memory_(memory) {}

  // All lanes: of a column with runs.
  template <std::uint32_t Column>
  __device__ LaneRunBlock run_block() const {
    static_assert(has_runs_in(Flight::run_columns, Column));
    constexpr std::uint32_t columns_before = Flight::run_columns & ((1U << Column) - 1);
    return LaneRunBlock(tile_.run_block(Column, slot_, shape_), memory_[std::popcount(columns_before)]);
  }
  // All lanes: what a lane has of a column, a LaneRuns or a LaneBlock.
  template <std::uint32_t Column>
  __device__ auto column() const {
    if constexpr (has_runs_in(Flight::run_columns, Column)) {
      return LaneRuns(run_block<Column>());
    } else {
      return tile_.block(Column, slot_, shape_);
    }
  }

private:
  const CopiedTile<Flight>& tile_;
  const std::uint8_t* slot_;
  const WideShape& shape_;
  RunRowsMemory* memory_;
};

}  // namespace
}  // namespace gsst::tile_integer
