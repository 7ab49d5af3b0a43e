#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// The two streams of a run block in shared memory, values and lengths of its runs.
namespace gsst::tile_integer::wide_runs {
namespace {

using format::tile_integer::max_length_width;
using format::tile_integer::max_miniblocks_of_stream;
using format::tile_integer::miniblock_values;
using format::tile_integer::run_block_values;

// What a lane knows of a miniblock of values and of that of the same runs' lengths, in one word, so that one
// shuffle passes it on: from bit 0 on the words before the values, then those before the lengths, the width
// of lengths and that of values.
class MiniblockPair {
public:
  __device__ MiniblockPair(std::uint32_t values_before, std::uint32_t lengths_before,
                           std::uint32_t length_width, std::uint32_t value_width)
      : word_(values_before | lengths_before << values_bits | length_width << (values_bits + lengths_bits) |
              value_width << (values_bits + lengths_bits + length_width_bits)) {}

  // That of lane `lane`. All lanes together.
  __device__ MiniblockPair of_lane(std::uint32_t lane) const {
    return MiniblockPair(__shfl_sync(every_lane, word_, static_cast<int>(lane)));
  }

  __device__ std::uint32_t values_before() const { return word_ & lowest_ones(values_bits); }
  __device__ std::uint32_t lengths_before() const { return word_ >> values_bits & lowest_ones(lengths_bits); }
  __device__ std::uint32_t length_width() const {
    return word_ >> (values_bits + lengths_bits) & lowest_ones(length_width_bits);
  }
  __device__ std::uint32_t value_width() const {
    return word_ >> (values_bits + lengths_bits + length_width_bits);
  }

private:
  static constexpr std::uint32_t values_bits = 10;
  static constexpr std::uint32_t lengths_bits = 8;
  static constexpr std::uint32_t length_width_bits = 4;
  static_assert((max_miniblocks_of_stream - 1) * 64 < 1U << values_bits);
  static_assert((max_miniblocks_of_stream - 1) * max_length_width < 1U << lengths_bits);

  __device__ explicit MiniblockPair(std::uint32_t word) : word_(word) {}

  std::uint32_t word_;
};

// Where the streams of a run block are.
template <std::uint32_t ValueBytes>
struct RunStreams {
  NumberOf<ValueBytes> value_reference;
  std::uint32_t length_reference;
  // The first miniblocks.
  const std::uint32_t* values;
  const std::uint32_t* lengths;
  // Of lane l, miniblocks number l; without words where there are none.
  MiniblockPair own_miniblocks;
};

// All lanes: the streams of the run block at `words`, which has `runs` runs.
template <std::uint32_t ValueBytes>
__device__ inline RunStreams<ValueBytes> find_streams(const std::uint32_t* words, std::uint32_t runs) {
  constexpr std::uint32_t reference_words = reference_words_of<ValueBytes>;
  const std::uint32_t lane = lane_number();
  const std::uint32_t miniblocks = (runs + miniblock_values - 1) / miniblock_values;
  const std::uint32_t width_words = format::tile_integer::words_of_widths(miniblocks);
  const bool has_miniblock = lane < miniblocks;
  const auto width_at = [&](const std::uint32_t* widths) -> std::uint32_t {
    return has_miniblock ? reinterpret_cast<const std::uint8_t*>(widths)[lane] : 0;
  };
  NumberOf<ValueBytes> value_reference = words[1];
  if constexpr (ValueBytes == 8) value_reference |= std::uint64_t{words[2]} << 32;
  const std::uint32_t* const value_widths = words + 1 + reference_words;
  const std::uint32_t value_width = width_at(value_widths);
  const std::uint32_t* const values = value_widths + width_words;
  // Lengths follow the last miniblock of values.
  const std::uint32_t* const length_stream = values + warp_sum(value_width);
  const std::uint32_t length_width = width_at(length_stream + 1);
  // Sums of both widths, each in half a word, over the lanes that have any.
  const std::uint32_t widths = value_width | length_width << 16;
  std::uint32_t sums = widths;
#pragma unroll
  for (std::uint32_t distance = 1; distance < max_miniblocks_of_stream; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(every_lane, sums, distance);
    if (lane >= distance) sums += before;
  }
  const std::uint32_t before = has_miniblock ? sums - widths : 0;
  return {.value_reference = value_reference,
          .length_reference = length_stream[0],
          .values = values,
          .lengths = length_stream + 1 + width_words,
          .own_miniblocks = MiniblockPair(before & 0xffff, before >> 16, length_width, value_width)};
}

// `Count` neighbours of a miniblock of values, without their reference, the first one's from bit `bit` of
// `words` on. Neighbours in other lanes may have other widths.
template <std::uint32_t ValueBytes, std::uint32_t Count>
__device__ inline void unpack_neighbours(const std::uint32_t* words, std::uint32_t bit, std::uint32_t width,
                                         NumberOf<ValueBytes>* values) {
  if constexpr (ValueBytes == 8) {
    if (width <= 32) {
#pragma unroll
      for (std::uint32_t i = 0; i < Count; ++i) values[i] = unpack_up_to_32(words, bit + i * width, width);
    } else {
#pragma unroll
      for (std::uint32_t i = 0; i < Count; ++i) values[i] = unpack_long(words, bit + i * width, width);
    }
  } else {
#pragma unroll
    for (std::uint32_t i = 0; i < Count; i += 4) {
      if (ValueBytes == 1 || (ValueBytes == 4 && width <= 8)) {
        unpack_up_to_8(words, bit + i * width, width, values + i);
      } else if (ValueBytes == 2 || width <= 16) {
        unpack_up_to_16(words, bit + i * width, width, values + i);
      } else {
        unpack_any(words, bit + i * width, width, values + i);
      }
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer::wide_runs
