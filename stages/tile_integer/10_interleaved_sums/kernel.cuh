#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/strided_words.cuh"
#include "stages/tile_integer/shared/sum_tiles.cuh"
#include "stages/tile_integer/shared/sum_words.cuh"

// How a warp sums interleaved blocks, in the kernels of shared/sum_tiles.cuh.
namespace gsst::tile_integer {
namespace {

// The layout of format `ifor` (shared/sum_tiles.cuh). All values of an interleaved block have one width, and
// each lane has 32 of them in words of its own.
struct InterleavedSums {
  static constexpr std::uint32_t unit_values = format::tile_integer::interleaved_block_values;
  static constexpr std::uint32_t most_words = 1 + format::tile_integer::interleaved_lanes * 32;
  static constexpr std::uint32_t usual_units = 4;

  __device__ static std::uint32_t sum_units(const std::uint32_t* words, std::uint32_t lane_offset,
                                            std::uint32_t first, std::uint32_t end, std::uint32_t values) {
    constexpr std::uint32_t lanes = format::tile_integer::interleaved_lanes;
    static_assert(lanes == lanes_of_warp && format::tile_integer::interleaved_lane_values == values_in_words);
    std::uint32_t sum = 0;
#pragma unroll 1
    for (; first < end; ++first) {
      const std::uint32_t begin = __shfl_sync(every_lane, lane_offset, static_cast<int>(first));
      const std::uint32_t next = __shfl_sync(every_lane, lane_offset, static_cast<int>(first + 1));
      const std::uint32_t width = (next - begin - 1) / lanes;
      const std::uint32_t reference = words[begin];
      const std::uint32_t* const own = words + begin + 1 + lane_number();
      const std::uint32_t left = values - first * unit_values;
      if (left >= unit_values) {
        sum += sum_words<lanes>(width, own, reference);
        continue;
      }
      // Of the last interleaved block there may be a part, and what follows it is not to be summed.
      for (std::uint32_t item = 0; item < values_in_words; ++item) {
        if (format::tile_integer::interleaved_place(lane_number(), item) >= left) continue;
        sum += reference +
               static_cast<std::uint32_t>(extract_bits(StridedWords<lanes>(own), 0, item * width, width));
      }
    }
    return sum;
  }
};

}  // namespace
}  // namespace gsst::tile_integer
