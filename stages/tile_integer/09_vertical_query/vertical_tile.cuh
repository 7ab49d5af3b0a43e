#pragma once

#include <cstdint>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/strided_words.cuh"

// The load of a tile of a column of format `vfor`, in place of those of stage 09: thread t of a thread block
// has lane t.
namespace gsst::tile_integer::vertical {
namespace {

using format::tile_integer::vertical_block_values;
using format::tile_integer::vertical_lane_values;
using format::tile_integer::vertical_lanes;

// Where a tile of a column is: `Values` neighbours of each lane of a vertical block. Tiles are numbered
// through the frame's blocks, and a block's last ones may have fewer values or none.
template <std::uint32_t Values>
class VerticalTile {
public:
  static_assert(vertical_lane_values % Values == 0);
  static constexpr std::uint32_t tile_values = Values * vertical_lanes;

  // One that does not exist where the frame has no block for it.
  __device__ VerticalTile(const stage::FrameOnDevice& column, std::uint32_t number) {
    // No block is larger than the first.
    const std::uint32_t most_values = values_of(find(column, 0));
    const std::uint32_t tiles_of_block = most_values == 0 ? 1 : (most_values + tile_values - 1) / tile_values;
    block_ = number / tiles_of_block;
    exists_ = block_ < column.block_count;
    if (!exists_) return;
    const stage::BlockOnDevice own = find(column, block_);
    payload_ = own.payload;
    block_bytes_ = own.uncompressed_bytes;
    is_raw_ = own.layout == format::BlockLayout::raw;
    number_ = number % tiles_of_block;
    const std::uint32_t first = number_ * tile_values;
    if (first >= values_of(own)) return;
    const std::uint32_t left = values_of(own) - first;
    values_ = left < tile_values ? left : tile_values;
  }

  __device__ bool exists() const { return exists_; }
  __device__ std::uint32_t values() const { return values_; }
  // Of the frame's block, and of the tile in it.
  __device__ std::uint32_t block() const { return block_; }
  __device__ std::uint32_t number() const { return number_; }
  __device__ std::uint32_t block_bytes() const { return block_bytes_; }
  __device__ ForPayload payload() const { return ForPayload(payload_); }
  __device__ bool is_raw() const { return is_raw_; }
  // Value `i` of the calling thread, as a place in the tile.
  __device__ static std::uint32_t place(std::uint32_t i) {
    return format::tile_integer::vertical_place(threadIdx.x, i);
  }

private:
  __device__ static stage::BlockOnDevice find(const stage::FrameOnDevice& column, std::uint32_t number) {
    return has_aligned_index(column) ? load_block<true>(column, number, nullptr)
                                     : load_block<false>(column, number, nullptr);
  }
  __device__ static std::uint32_t values_of(const stage::BlockOnDevice& block) {
    return block.uncompressed_bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
  }

  const std::uint8_t* payload_ = nullptr;
  std::uint32_t block_ = 0;
  std::uint32_t number_ = 0;
  std::uint32_t values_ = 0;
  std::uint32_t block_bytes_ = 0;
  bool is_raw_ = true;
  bool exists_ = false;
};

// The words of the thread's lane, where they are in the payload.
class WordsOfLane {
public:
  // `first`: of the lane, by its number in the payload.
  __device__ WordsOfLane(const ForPayload& payload, std::uint32_t first) : payload_(payload), first_(first) {}

  __device__ std::uint32_t word(std::uint32_t number) const {
    return payload_.word(first_ + number * vertical_lanes);
  }

private:
  ForPayload payload_;
  std::uint32_t first_;
};

// Loads `Values` values a thread. With `IsStaged` the tile's words are brought to shared memory first, as the
// paper's loads do.
template <std::uint32_t Values, bool IsStaged>
struct LoadVertical {
  using Tile = VerticalTile<Values>;
  static constexpr std::uint32_t values_of_thread = Values;
  // Of a tile of any width, up to 32: values that begin and end within a word have a part in one more.
  static constexpr std::size_t shared_bytes =
      IsStaged ? std::size_t{Values + (Values < vertical_lane_values ? 1 : 0)} * vertical_lanes *
                     format::tile_integer::word_bytes
               : 0;

  // All threads: the values of the tile; 0 in place of those that it does not have. `memory` has
  // shared_bytes, and may hold what an earlier load has left there.
  __device__ static void load(const Tile& tile, std::uint8_t* memory, std::uint32_t (&values)[Values]) {
    if (tile.values() == 0 || tile.is_raw()) {
      const std::uint32_t first = tile.number() * Tile::tile_values;
#pragma unroll
      for (std::uint32_t i = 0; i < Values; ++i) {
        values[i] = tile.place(i) < tile.values() ? tile.payload().word(first + tile.place(i)) : 0;
      }
      return;
    }
    constexpr std::uint32_t tiles_of_vertical_block = vertical_lane_values / Values;
    const ForPayload payload = tile.payload();
    const std::uint32_t number = tile.number() / tiles_of_vertical_block;
    const std::uint32_t start = payload.start(number);
    const std::uint32_t first_word = start + 1;
    const std::uint32_t width = (payload.start(number + 1) - first_word) / vertical_lanes;
    const std::uint32_t reference = payload.word(start);
    const std::uint32_t bit = tile.number() % tiles_of_vertical_block * Values * width;
    if constexpr (IsStaged) {
      auto* const staged = reinterpret_cast<std::uint32_t*>(memory);
      // Of each lane.
      const std::uint32_t words_before = bit / 32;
      const std::uint32_t words_end = (bit + Values * width + 31) / 32;
      // Whoever still reads what was in this memory.
      __syncthreads();
      stage_words(payload, first_word + words_before * vertical_lanes,
                  first_word + words_end * vertical_lanes, staged);
      __syncthreads();
      unpack(StridedWords<vertical_lanes>(staged + threadIdx.x), bit % 32, width, reference, values);
    } else {
      unpack(WordsOfLane(payload, first_word + threadIdx.x), bit, width, reference, values);
    }
#pragma unroll
    for (std::uint32_t i = 0; i < Values; ++i) {
      if (tile.place(i) >= tile.values()) values[i] = 0;
    }
  }

private:
  template <typename Words>
  __device__ static void unpack(const Words& words, std::uint32_t bit, std::uint32_t width,
                                std::uint32_t reference, std::uint32_t (&values)[Values]) {
#pragma unroll
    for (std::uint32_t i = 0; i < Values; ++i) {
      values[i] = reference + static_cast<std::uint32_t>(extract_bits(words, 0, bit + i * width, width));
    }
  }
};

}  // namespace
}  // namespace gsst::tile_integer::vertical
