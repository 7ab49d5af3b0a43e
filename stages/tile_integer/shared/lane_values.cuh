#pragma once

#include <cstdint>
#include <type_traits>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/warp_instructions.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// A lane takes neighbours, 16 bytes of them at a time, so that a warp stores 512 bytes in a row in one
// instruction. For values of 4 bytes these are a packed block.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t bytes_of_step = lanes_of_warp * sizeof(Words4);

// Sums and values of types up to 4 bytes have 32 bits.
template <std::uint32_t ValueBytes>
using NumberOf = std::conditional_t<ValueBytes == 8, std::uint64_t, std::uint32_t>;

template <std::uint32_t ValueBytes>
constexpr std::uint32_t values_of_lane = sizeof(Words4) / ValueBytes;
template <std::uint32_t ValueBytes>
constexpr std::uint32_t values_of_step = lanes_of_warp* values_of_lane<ValueBytes>;

// The neighbours of a lane.
template <std::uint32_t ValueBytes>
struct LaneValues {
  NumberOf<ValueBytes> values[values_of_lane<ValueBytes>];
};

// What of the packed block at `words` a lane reads whose first value has number `index` in it.
template <std::uint32_t ValueBytes>
struct LaneBlock {
  NumberOf<ValueBytes> reference;
  // Of the four miniblocks, a byte each.
  std::uint32_t widths;
  // Of the lane's.
  std::uint32_t width;
  const std::uint32_t* miniblock;
  // From the miniblock's first bit to that of the lane's first value.
  std::uint32_t bit;

  __device__ LaneBlock(const std::uint32_t* words, std::uint32_t index) {
    using format::tile_integer::miniblock_values;
    constexpr std::uint32_t reference_words = reference_words_of<ValueBytes>;
    reference = words[0];
    if constexpr (ValueBytes == 8) reference |= std::uint64_t{words[1]} << 32;
    widths = words[reference_words];
    // Byte i of the product is the sum of the widths before miniblock i: it is below 256.
    const std::uint32_t offsets = widths * 0x01010100U;
    const std::uint32_t selector = selector_of_first_byte + index / miniblock_values;
    width = byte_of(widths, selector);
    miniblock = words + reference_words + 1 + byte_of(offsets, selector);
    bit = index % miniblock_values * width;
  }
};

// Four neighbours of up to 32 bits, the first one's from bit `bit` of `words` on. Up to five words are read
// from the first one's, whatever the width: see words_read_after_tile.
__device__ inline void unpack_any(const std::uint32_t* words, std::uint32_t bit, std::uint32_t width,
                                  std::uint32_t* values) {
  const std::uint32_t* const own = words + bit / 32;
  // 128 bits that begin with the first value.
  std::uint32_t bits[4];
#pragma unroll
  for (std::uint32_t i = 0; i < 4; ++i) bits[i] = __funnelshift_r(own[i], own[i + 1], bit);
  const std::uint32_t ones = lowest_ones(width);
  const std::uint32_t second = 2 * width;
  const std::uint32_t third = 3 * width;
  values[0] = bits[0] & ones;
  values[1] = shift_pair_clamped(bits[0], bits[1], width) & ones;
  values[2] = shift_pair_clamped(second < 32 ? bits[0] : bits[1], second < 32 ? bits[1] : bits[2],
                                 second < 32 ? second : second - 32) &
              ones;
  const std::uint32_t low = third < 32 ? bits[0] : third < 64 ? bits[1] : bits[2];
  const std::uint32_t high = third < 32 ? bits[1] : third < 64 ? bits[2] : bits[3];
  values[3] = shift_pair_clamped(low, high, third < 32 ? third : third < 64 ? third - 32 : third - 64) & ones;
}

// A value of up to 64 bits, from bit `bit` of `words` on. Three words are read.
__device__ inline std::uint64_t unpack_long(const std::uint32_t* words, std::uint32_t bit,
                                            std::uint32_t width) {
  const std::uint32_t* const own = words + bit / 32;
  const std::uint32_t low = __funnelshift_r(own[0], own[1], bit);
  const std::uint32_t high = __funnelshift_r(own[1], own[2], bit);
  return std::uint64_t{high & lowest_ones(width < 32 ? 0 : width - 32)} << 32 | (low & lowest_ones(width));
}

// The lane's 16 bytes.
template <std::uint32_t ValueBytes>
__device__ inline Words4 pack_values(const LaneValues<ValueBytes>& lane) {
  Words4 packed;
#pragma unroll
  for (std::uint32_t word = 0; word < 4; ++word) {
    if constexpr (ValueBytes == 1) {
      const auto* const values = lane.values + 4 * word;
      packed.words[word] = __byte_perm(__byte_perm(values[0], values[1], 0x0040),
                                       __byte_perm(values[2], values[3], 0x0040), 0x5410);
    } else if constexpr (ValueBytes == 2) {
      packed.words[word] = __byte_perm(lane.values[2 * word], lane.values[2 * word + 1], 0x5410);
    } else if constexpr (ValueBytes == 4) {
      packed.words[word] = lane.values[word];
    } else {
      packed.words[word] = static_cast<std::uint32_t>(lane.values[word / 2] >> 32 * (word % 2));
    }
  }
  return packed;
}

// Stores the lane's values, of which `count` exist, at `output`.
template <std::uint32_t ValueBytes>
__device__ inline void store_some_values(std::uint8_t* output, const LaneValues<ValueBytes>& lane,
                                         std::uint32_t count) {
#pragma unroll
  for (std::uint32_t i = 0; i < values_of_lane<ValueBytes>; ++i) {
    if (i < count) store_value(output + std::uint64_t{i} * ValueBytes, lane.values[i], ValueBytes);
  }
}

// Where a lane's values of a step are. Lanes of a step may have different packed blocks, or steps of a packed
// block several.
template <std::uint32_t ValueBytes>
struct LanePlace {
  std::uint32_t packed_block;
  // Of the lane's first value in it.
  std::uint32_t index;

  __device__ explicit LanePlace(std::uint32_t step) {
    constexpr std::uint32_t packed = format::tile_integer::packed_block_values;
    constexpr std::uint32_t values = values_of_step<ValueBytes>;
    const std::uint32_t of_lane = lane_number() * values_of_lane<ValueBytes>;
    // What is the same in all lanes is computed without the lane's number.
    if constexpr (values >= packed) {
      packed_block = step * (values / packed) + of_lane / packed;
      index = of_lane % packed;
    } else {
      packed_block = step / (packed / values);
      index = step % (packed / values) * values + of_lane;
    }
  }
};

// Where a lane stores its values.
template <std::uint32_t ValueBytes>
class TileOutput {
public:
  __device__ explicit TileOutput(const WarpTile& tile) : TileOutput(tile.output<ValueBytes>(), tile.values) {}
  // Of `values` values at `output`.
  __device__ TileOutput(std::uint8_t* output, std::uint32_t values)
      : output_(output), values_(values), lane_(lane_number()) {}

  __device__ std::uint32_t steps() const {
    return (values_ + values_of_step<ValueBytes> - 1) / values_of_step<ValueBytes>;
  }
  // Whether every lane can store 16 bytes in every step, and steps come in groups of `steps`: then
  // store_whole() does.
  __device__ bool has_whole_groups(std::uint32_t steps) const {
    return reinterpret_cast<std::uintptr_t>(output_) % sizeof(Words4) == 0 &&
           values_ % (steps * values_of_step<ValueBytes>) == 0;
  }
  __device__ void store_whole(std::uint32_t step, const LaneValues<ValueBytes>& values) const {
    store_streaming(output_ + (std::uint64_t{step} * lanes_of_warp + lane_) * sizeof(Words4),
                    pack_values(values));
  }
  __device__ void store(std::uint32_t step, const LaneValues<ValueBytes>& values) const {
    const std::uint32_t first = step * values_of_step<ValueBytes> + lane_ * values_of_lane<ValueBytes>;
    if (first >= values_) return;
    std::uint8_t* const output = output_ + std::uint64_t{first} * ValueBytes;
    if (reinterpret_cast<std::uintptr_t>(output) % sizeof(Words4) == 0 &&
        values_ - first >= values_of_lane<ValueBytes>) {
      store_streaming(output, pack_values(values));
    } else {
      store_some_values(output, values, values_ - first);
    }
  }

private:
  std::uint8_t* output_;
  std::uint32_t values_;
  std::uint32_t lane_;
};

// All lanes: decodes and stores the tile whose words are at `words`. `unpack` makes the LaneValues of a
// LaneBlock, without the reference.
template <std::uint32_t ValueBytes, typename Unpack>
__device__ inline void decode_steps(const WarpTile& tile, const std::uint32_t* words, Unpack&& unpack) {
  const TileOutput<ValueBytes> output(tile);
  const auto decode_step = [&](std::uint32_t step, bool is_whole) {
    const LanePlace<ValueBytes> place(step);
    // A lane without a packed block reads the last one.
    const bool exists = is_whole || place.packed_block < tile.packed_blocks;
    const std::uint32_t offset = tile.offset(exists ? place.packed_block : tile.packed_blocks - 1);
    const LaneBlock<ValueBytes> block(words + offset, place.index);
    LaneValues<ValueBytes> lane = unpack(block);
#pragma unroll
    for (NumberOf<ValueBytes>& value : lane.values) value += block.reference;
    return lane;
  };
  constexpr std::uint32_t steps_of_group = 4;
  if (output.has_whole_groups(steps_of_group)) {
    for (std::uint32_t first = 0; first < output.steps(); first += steps_of_group) {
#pragma unroll
      for (std::uint32_t i = 0; i < steps_of_group; ++i) {
        output.store_whole(first + i, decode_step(first + i, true));
      }
    }
  } else {
    for (std::uint32_t step = 0; step < output.steps(); ++step) output.store(step, decode_step(step, false));
  }
}

}  // namespace
}  // namespace gsst::tile_integer
