#pragma once

#include <bit>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/copy_ring.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"

// Kernels that decode values of 4 bytes into a sum, and write nothing else. Nothing hides what a warp waits
// for but its own next tile: warps stay, and each has two tiles under way.
//
// What a payload's starts point to is a unit: a packed block or an interleaved block. A Layout says how many
// values a unit has (unit_values), how many words at most (most_words), and how a warp sums some of them:
// sum_units(words, lane_offset, first, end, values) gives the lane's part of the sum of units `first` to
// `end` - 1 of a tile of `values` values; lane l has where unit l starts, in `words`. All lanes call it.
namespace gsst::tile_integer {
namespace {

struct SumShape {
  // Of a tile: a power of two, up to 16, so that lanes have a start each.
  std::uint32_t log2_units;
  // Of the room for a tile's words, a multiple of 16.
  std::uint32_t slot_bytes;
};

// Units of a block of the frame; no values where there is nothing to sum.
template <typename Layout>
struct SumTile {
  const std::uint8_t* payload;
  std::uint32_t first_unit;
  std::uint32_t values;

  __device__ std::uint32_t units() const { return (values + Layout::unit_values - 1) / Layout::unit_values; }
  // All lanes: lane l gets where unit l of the tile starts, or, after the last one, where that ends, in words
  // of the payload.
  template <bool IsAligned>
  __device__ std::uint32_t load_start() const {
    if (values == 0 || lane_number() > units()) return 0;
    constexpr auto header_words =
        static_cast<std::uint32_t>(format::tile_integer::header_bytes / format::tile_integer::word_bytes);
    return load_payload_word<IsAligned>(payload, header_words + first_unit + lane_number());
  }
};

// The tiles of a warp, one after the other: every n-th one of all, for n warps.
template <typename Layout, bool IsAligned>
class SumTiles {
public:
  __device__ SumTiles(const stage::FrameOnDevice& frame, std::uint32_t* statuses, std::uint32_t log2_units)
      : frame_(frame), statuses_(statuses), log2_units_(log2_units) {
    // No block is larger than the first. One without a value has a tile too, which sets its status.
    const std::uint32_t most_values = values_of(load(0));
    const std::uint32_t tile_values = Layout::unit_values << log2_units_;
    tiles_of_block_ = most_values == 0 ? 1 : (most_values + tile_values - 1) / tile_values;
    const std::uint32_t warps = blockDim.x / lanes_of_warp;
    const std::uint32_t all_warps = gridDim.x * warps;
    const std::uint32_t first = blockIdx.x * warps + warp_number();
    const std::uint32_t tiles = frame.block_count * tiles_of_block_;
    count_ = first < tiles ? (tiles - first - 1) / all_warps + 1 : 0;
    block_ = first / tiles_of_block_;
    tile_ = first % tiles_of_block_;
    blocks_to_next_ = all_warps / tiles_of_block_;
    tiles_to_next_ = all_warps % tiles_of_block_;
  }

  // How many times next() gives one of them.
  __device__ std::uint32_t count() const { return count_; }

  // One without values after the last one. The first tile of a block sets the block's status: what the
  // format's rules accept has nothing in it that could be wrong.
  __device__ SumTile<Layout> next() {
    SumTile<Layout> tile{};
    if (block_ < frame_.block_count) {
      const stage::BlockOnDevice block = load(block_);
      if (tile_ == 0 && lane_number() == 0) statuses_[block_] = 0;
      const std::uint32_t values = block.layout == format::BlockLayout::raw ? 0 : values_of(block);
      const std::uint32_t tile_values = Layout::unit_values << log2_units_;
      const std::uint32_t first = tile_ * tile_values;
      tile.payload = block.payload;
      tile.first_unit = tile_ << log2_units_;
      if (first < values) tile.values = values - first < tile_values ? values - first : tile_values;
    }
    // Without a division, which takes as long as some values.
    block_ += blocks_to_next_;
    tile_ += tiles_to_next_;
    if (tile_ >= tiles_of_block_) {
      tile_ -= tiles_of_block_;
      ++block_;
    }
    return tile;
  }

private:
  __device__ stage::BlockOnDevice load(std::uint32_t number) const {
    // There is no output: what would be its address is not used.
    return load_block<IsAligned>(frame_, number, reinterpret_cast<std::uint8_t*>(statuses_));
  }
  __device__ static std::uint32_t values_of(const stage::BlockOnDevice& block) {
    return block.uncompressed_bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
  }

  const stage::FrameOnDevice& frame_;
  std::uint32_t* statuses_;
  std::uint32_t log2_units_;
  std::uint32_t tiles_of_block_;
  std::uint32_t count_;
  std::uint32_t block_;
  std::uint32_t tile_;
  std::uint32_t blocks_to_next_;
  std::uint32_t tiles_to_next_;
};

// A tile, where its units start, and whether a bulk copy brings its words.
template <typename Layout>
struct StartedTile {
  SumTile<Layout> tile;
  // load_start().
  std::uint32_t lane_start;
  bool is_copied;

  __device__ std::uint32_t start(std::uint32_t unit) const {
    return __shfl_sync(every_lane, lane_start, static_cast<int>(unit));
  }
};

constexpr std::uint32_t words_of_piece = piece_bytes / format::tile_integer::word_bytes;
// Words that may be read after a tile's pieces.
constexpr std::uint32_t bytes_after_pieces = words_read_after_tile * format::tile_integer::word_bytes;

// The copies of one column.
using SumRing = CopyRing<1>;

// All lanes: starts copy `number`, of the tile's words with what is around them up to multiples of 16 bytes,
// which is the frame's too. Tiles that are too large for a slot, and those of frames that are not aligned,
// are copied by the lanes later.
template <bool IsAligned, typename Layout>
__device__ inline StartedTile<Layout> start_copy(SumRing& ring, std::uint32_t number,
                                                 const SumTile<Layout>& tile, std::uint32_t lane_start,
                                                 std::uint32_t slot_bytes) {
  StartedTile<Layout> started = {.tile = tile, .lane_start = lane_start, .is_copied = false};
  if constexpr (!IsAligned) return started;
  const std::uint32_t first_piece = started.start(0) / words_of_piece;
  const std::uint32_t end = started.start(tile.units());
  const std::uint32_t bytes = ((end + words_of_piece - 1) / words_of_piece - first_piece) * piece_bytes;
  started.is_copied = bytes + bytes_after_pieces <= slot_bytes;
  ring.start(number, tile.payload + std::uint64_t{first_piece} * piece_bytes, 0,
             started.is_copied ? bytes : 0);
  return started;
}

// All lanes: the lane's part of the sum of a tile, whose copy has arrived in slot `slot`.
template <bool IsAligned, typename Layout>
__device__ inline std::uint32_t sum_tile(const StartedTile<Layout>& started, std::uint8_t* slot,
                                         std::uint32_t slot_bytes) {
  auto* const words = reinterpret_cast<std::uint32_t*>(slot);
  const std::uint32_t units = started.tile.units();
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < units;) {
    const std::uint32_t begin = started.start(first);
    std::uint32_t end = units;
    std::uint32_t skipped = begin % words_of_piece;
    if (!IsAligned || !started.is_copied) {
      // As many units as there is room for, at least one.
      const std::uint32_t room = (slot_bytes - bytes_after_pieces) / format::tile_integer::word_bytes;
      const std::uint32_t lane = lane_number();
      const bool has_room = lane > first && lane <= units && started.lane_start - begin <= room;
      end = first + static_cast<std::uint32_t>(std::popcount(__ballot_sync(every_lane, has_room)));
      skipped = 0;
      const ForPayload payload(started.tile.payload);
      const std::uint32_t count = started.start(end) - begin;
      for (std::uint32_t i = lane; i < count; i += lanes_of_warp) words[i] = payload.word(begin + i);
      __syncwarp();
    }
    sum += Layout::sum_units(words + skipped, started.lane_start - begin, first, end, started.tile.values);
    if (!IsAligned || !started.is_copied) SumRing::finish_own_writes();
    first = end;
  }
  return sum;
}

constexpr int most_threads_of_sums = 256;

// Adds the sum of all values of units to `answer`, modulo 2^32.
template <typename Layout, bool IsAligned>
__global__ void __launch_bounds__(most_threads_of_sums)
    sum_tiles(stage::FrameOnDevice frame, std::uint32_t* answer, std::uint32_t* statuses, SumShape shape) {
  GSST_SHARED_MEMORY(memory);
  SumRing ring(memory + bytes_of_warp_sums + warp_number() * SumRing::bytes(shape.slot_bytes),
               shape.slot_bytes);
  SumTiles<Layout, IsAligned> tiles(frame, statuses, shape.log2_units);
  // What is known of a tile takes a load each: the index, then the starts, then the words. So the loads of
  // four tiles are under way.
  const SumTile<Layout> first = tiles.next();
  const SumTile<Layout> second = tiles.next();
  SumTile<Layout> third = tiles.next();
  const std::uint32_t first_start = first.template load_start<IsAligned>();
  const std::uint32_t second_start = second.template load_start<IsAligned>();
  StartedTile<Layout> current = start_copy<IsAligned>(ring, 0, first, first_start, shape.slot_bytes);
  StartedTile<Layout> next = start_copy<IsAligned>(ring, 1, second, second_start, shape.slot_bytes);
  std::uint32_t third_start = third.template load_start<IsAligned>();
  SumTile<Layout> fourth = tiles.next();
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::uint32_t number = 0; number < tiles.count(); ++number) {
    if constexpr (IsAligned) ring.wait(number);
    sum += sum_tile<IsAligned>(current, ring.slot(number), shape.slot_bytes);
    current = next;
    next = start_copy<IsAligned>(ring, number + SumRing::slots, third, third_start, shape.slot_bytes);
    third = fourth;
    third_start = third.template load_start<IsAligned>();
    fourth = tiles.next();
  }
  add_to_answer(sum, answer, memory);
}

// The same for the values of raw blocks.
__global__ void __launch_bounds__(most_threads_of_sums)
    sum_raw_blocks(stage::FrameOnDevice frame, std::uint32_t* answer) {
  GSST_SHARED_MEMORY(memory);
  std::uint32_t sum = 0;
  for (std::uint32_t number = blockIdx.x; number < frame.block_count; number += gridDim.x) {
    const stage::BlockOnDevice block = load_block<false>(frame, number, memory);
    if (block.layout != format::BlockLayout::raw) continue;
    const ForPayload payload(block.payload);
    const std::uint32_t values = block.uncompressed_bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
    for (std::uint32_t i = threadIdx.x; i < values; i += blockDim.x) sum += payload.word(i);
  }
  add_to_answer(sum, answer, memory);
}

}  // namespace
}  // namespace gsst::tile_integer
