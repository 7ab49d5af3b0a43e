#pragma once

#include <bit>
#include <cstdint>

#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/ssb_query.cuh"
#include "stages/tile_integer/shared/sum_words.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// The 32 rows of a lane, as bits of a word: bit i is that of the value number i of the lane's miniblock.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t all_rows = 0xffffffff;

// The number of the lowest bit of a word that is not 0.
__device__ inline std::uint32_t lowest_row(std::uint32_t rows) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__ffs(static_cast<int>(rows))) - 1;
#else
  return static_cast<std::uint32_t>(std::countr_zero(rows));
#endif
}

// All lanes: whether any of them still wants a row.
__device__ inline bool any_rows(std::uint32_t rows) {
  return __any_sync(every_lane, rows != 0) != 0;
}

// Calls `with` with the number of each row of `rows`.
template <typename With>
__device__ inline void for_rows(std::uint32_t rows, With&& with) {
#pragma unroll 1
  for (; rows != 0; rows &= rows - 1) with(lowest_row(rows));
}

// Value `row` of the lane's miniblock.
__device__ inline std::uint32_t value_of_row(const LaneBlock<4>& block, std::uint32_t row) {
  const std::uint32_t bit = row * block.width;
  const std::uint32_t* const own = block.miniblock + bit / 32;
  return block.reference + (__funnelshift_r(own[0], own[1], bit) & lowest_ones(block.width));
}

// What a filter's range is for the packed values of a miniblock, that is without the reference: those from
// `first` on, `count` of them modulo 2^width. A range that wraps is one for packed values too. None of it
// where `is_empty`: the miniblock's reference and width show that no row passes.
struct PackedRange {
  std::uint32_t first;
  std::uint32_t count;
  bool is_empty;

  __device__ PackedRange(const LaneBlock<4>& block, const Filter& filter) {
    const std::uint32_t greatest = lowest_ones(block.width);
    const std::uint32_t begin = filter.first - block.reference;
    const std::uint32_t last = filter.last - block.reference;
    is_empty = begin <= last && begin > greatest;
    first = begin <= greatest ? begin : 0;
    count = (last <= greatest ? last : greatest) - first + 1;
  }
};

// The word whose highest `Width` bits are value `i` of them, for an `i` that the compiler knows once loops
// are unrolled, less `less`. What the lower bits are does not matter.
template <std::uint32_t Width>
__device__ inline std::uint32_t raised_value(const std::uint32_t* words, std::uint32_t i,
                                             std::uint32_t less) {
  const std::uint32_t* const own = words + i * Width / 32;
  const std::uint32_t end = i * Width % 32 + Width;
  if (end > 32) return __funnelshift_r(own[0], own[1], end - 32) - less;
  return own[0] * (1U << (32 - end)) - less;
}

// All lanes: the rows whose values are in the filter's range. Values stay packed: the range is moved to where
// they are. Lanes vote once for how all of them compare theirs.
__device__ inline std::uint32_t rows_in_range(const LaneBlock<4>& block, const Filter& filter,
                                              const PackedRange& range) {
  const std::uint32_t width = __shfl_sync(every_lane, block.width, 0);
  std::uint32_t rows = 0;
  if (__all_sync(every_lane, block.width == width)) {
    rows = at_width(width, [&](auto known) {
      constexpr std::uint32_t bits = decltype(known)::value;
      if constexpr (bits == 0) {
        return all_rows;
      } else {
        // Of all 2^32 numbers, those that begin with one of the range's values.
        const std::uint32_t first = range.first << (32 - bits);
        const std::uint32_t span = (range.count << (32 - bits)) - 1;
        std::uint32_t found = 0;
#pragma unroll
        for (std::uint32_t i = 0; i < values_in_words; ++i) {
          if (raised_value<bits>(block.miniblock, i, first) <= span) found |= 1U << i;
        }
        return found;
      }
    });
  } else {
    const std::uint32_t less = filter.first - block.reference;
    const std::uint32_t span = filter.last - filter.first;
    const auto compare_by_fours = [&](auto&& unpack) {
#pragma unroll
      for (std::uint32_t i = 0; i < values_in_words; i += 4) {
        std::uint32_t values[4];
        unpack(block.miniblock, i * block.width, block.width, values);
#pragma unroll
        for (std::uint32_t j = 0; j < 4; ++j) {
          if (values[j] - less <= span) rows |= 1U << (i + j);
        }
      }
    };
    if (__all_sync(every_lane, block.width <= 16)) {
      compare_by_fours(unpack_up_to_16);
    } else {
      compare_by_fours(unpack_any);
    }
  }
  return range.is_empty ? 0 : rows;
}

// The entry of a key in a table: 0 where it has none.
__device__ inline std::uint32_t entry_of_key(const KeyTable& table, std::uint32_t key) {
  const std::uint32_t place = key - table.first_key;
  return place < table.size ? table.entries[place] : 0;
}

// KeyTable::bits in shared memory, unless there is no room for them. The bit after the last key's is 0.
struct BitsOfTable {
  const std::uint32_t* words;
  bool exist;

  // A key that is not in the table has the bit after the last one's: nothing branches.
  __device__ bool has_key(const KeyTable& table, std::uint32_t key) const {
    const std::uint32_t wanted = key - table.first_key;
    const std::uint32_t place = wanted < table.size ? wanted : table.size;
    return (words[place / 32] >> place % 32 & 1) != 0;
  }
};

// All lanes: the rows whose keys the table has.
__device__ inline std::uint32_t rows_with_entries(const LaneBlock<4>& block, const KeyTable& table,
                                                  const BitsOfTable& bits) {
  std::uint32_t rows = 0;
  const auto for_values = [&](auto&& has_key) {
    const auto join_by_fours = [&](auto&& unpack) {
#pragma unroll
      for (std::uint32_t i = 0; i < values_in_words; i += 4) {
        std::uint32_t values[4];
        unpack(block.miniblock, i * block.width, block.width, values);
#pragma unroll
        for (std::uint32_t j = 0; j < 4; ++j) {
          rows |= static_cast<std::uint32_t>(has_key(block.reference + values[j])) << (i + j);
        }
      }
    };
    if (__all_sync(every_lane, block.width <= 16)) {
      join_by_fours(unpack_up_to_16);
    } else {
      join_by_fours(unpack_any);
    }
  };
  if (bits.exist) {
    for_values([&](std::uint32_t key) { return bits.has_key(table, key); });
  } else {
    for_values([&](std::uint32_t key) { return entry_of_key(table, key) != 0; });
  }
  return rows;
}

// Those of `rows` whose keys the table has. Several keys are looked up at once: each look waits for memory.
__device__ inline std::uint32_t keep_rows_with_entries(std::uint32_t rows, const LaneBlock<4>& block,
                                                       const KeyTable& table) {
  constexpr std::uint32_t looks = 4;
  std::uint32_t kept = 0;
#pragma unroll 1
  while (rows != 0) {
    std::uint32_t bits[looks];
    std::uint32_t entries[looks];
#pragma unroll
    for (std::uint32_t i = 0; i < looks; ++i) {
      // Where no row is left, the last one is looked up, for nothing: a branch would part the looks.
      bits[i] = rows & (0 - rows);
      entries[i] = entry_of_key(table, value_of_row(block, lowest_row(rows | 1U << 31)));
      rows &= rows - 1;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < looks; ++i) {
      if (entries[i] != 0) kept |= bits[i];
    }
  }
  return kept;
}

}  // namespace
}  // namespace gsst::tile_integer
