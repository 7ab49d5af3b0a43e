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
// values a unit has (unit_values), how many words at most (most_words), how many units a tile has unless
// these are large (usual_units), and how a warp sums some of them: sum_units(words, lane_offset, first, end,
// values) gives the lane's part of the sum of units `first` to `end` - 1 of a tile of `values` values; lane l
// has where unit l starts, in `words`. All lanes call it.
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

// A tile, where its units start, and how many of them a bulk copy brings.
template <typename Layout>
struct StartedTile {
  SumTile<Layout> tile;
  // load_start().
  std::uint32_t lane_start;
  // The first ones; all of them, unless the tile is too large for a slot.
  std::uint32_t copied_units;

  __device__ std::uint32_t start(std::uint32_t unit) const {
    return __shfl_sync(every_lane, lane_start, static_cast<int>(unit));
  }
};

constexpr std::uint32_t words_of_piece = piece_bytes / format::tile_integer::word_bytes;
// Words that may be read after a tile's pieces.
constexpr std::uint32_t bytes_after_pieces = words_read_after_tile * format::tile_integer::word_bytes;

// The copies of one column.
using SumRing = CopyRing<1>;

// Some of a tile's units: up to unit `end` - 1, in pieces of 16 bytes from piece `first_piece` of the payload
// on. What the pieces have before and after the units is the frame's too.
struct UnitsInSlot {
  std::uint32_t end;
  std::uint32_t first_piece;
  std::uint32_t bytes;
};

// All lanes: of the tile's units from `first` on, as many as a slot has room for. One always fits.
template <typename Layout>
__device__ inline UnitsInSlot units_in_slot(const StartedTile<Layout>& started, std::uint32_t first,
                                            std::uint32_t slot_bytes) {
  const std::uint32_t lane = lane_number();
  const std::uint32_t first_piece = started.start(first) / words_of_piece;
  // Of the units before the lane's start.
  const std::uint32_t bytes =
      ((started.lane_start + words_of_piece - 1) / words_of_piece - first_piece) * piece_bytes;
  const bool has_room =
      lane > first && lane <= started.tile.units() && bytes + bytes_after_pieces <= slot_bytes;
  const std::uint32_t end =
      first + static_cast<std::uint32_t>(std::popcount(__ballot_sync(every_lane, has_room)));
  return {.end = end,
          .first_piece = first_piece,
          .bytes = end == first ? 0 : __shfl_sync(every_lane, bytes, static_cast<int>(end))};
}

// All lanes: starts copy `number`, of as many of the tile's units as there is room for. What does not fit,
// and tiles of frames that are not aligned, lanes copy later.
template <bool IsAligned, typename Layout>
__device__ inline StartedTile<Layout> start_copy(SumRing& ring, std::uint32_t number,
                                                 const SumTile<Layout>& tile, std::uint32_t lane_start,
                                                 std::uint32_t slot_bytes) {
  StartedTile<Layout> started = {.tile = tile, .lane_start = lane_start, .copied_units = 0};
  if constexpr (!IsAligned) return started;
  const UnitsInSlot units = units_in_slot(started, 0, slot_bytes);
  started.copied_units = units.end;
  ring.start(number, tile.payload + std::uint64_t{units.first_piece} * piece_bytes, 0, units.bytes);
  return started;
}

// All lanes: copies of the tile's units from `first` on as many as there is room for, and returns the end of
// these.
template <bool IsAligned, typename Layout>
__device__ inline std::uint32_t copy_units_by_lanes(const StartedTile<Layout>& started, std::uint32_t first,
                                                    std::uint8_t* slot, std::uint32_t slot_bytes) {
  const UnitsInSlot units = units_in_slot(started, first, slot_bytes);
  // No lane reads the units before these any more.
  __syncwarp();
  if constexpr (IsAligned) {
    copy_by_lanes(slot, started.tile.payload + std::uint64_t{units.first_piece} * piece_bytes, units.bytes,
                  lane_number());
  } else {
    auto* const words = reinterpret_cast<std::uint32_t*>(slot);
    const ForPayload payload(started.tile.payload);
    const std::uint32_t first_word = units.first_piece * words_of_piece;
    const std::uint32_t count = units.bytes / format::tile_integer::word_bytes;
    for (std::uint32_t i = lane_number(); i < count; i += lanes_of_warp) {
      words[i] = payload.word(first_word + i);
    }
  }
  __syncwarp();
  return units.end;
}

// All lanes: the lane's part of the sum of a tile, whose copy has arrived in slot `slot`.
template <bool IsAligned, typename Layout>
__device__ inline std::uint32_t sum_tile(const StartedTile<Layout>& started, std::uint8_t* slot,
                                         std::uint32_t slot_bytes) {
  auto* const words = reinterpret_cast<std::uint32_t*>(slot);
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < started.tile.units();) {
    const bool is_copied = IsAligned && first == 0;
    std::uint32_t end = started.copied_units;
    if (!is_copied) end = copy_units_by_lanes<IsAligned>(started, first, slot, slot_bytes);
    const std::uint32_t begin = started.start(first);
    sum += Layout::sum_units(words + begin % words_of_piece, started.lane_start - begin, first, end,
                             started.tile.values);
    if (!is_copied) SumRing::finish_own_writes();
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

// Of a raw block, what a thread block sums at a time: several loads of 16 bytes for each thread, so that they
// are under way together.
constexpr std::uint32_t loads_of_raw_part = 4;
constexpr std::uint32_t raw_part_bytes(std::uint32_t threads) {
  return threads * loads_of_raw_part * static_cast<std::uint32_t>(sizeof(Words4));
}

// All threads of the block: the thread's part of the sum of a part, of which the block of the frame has
// `count` more words, at `words`, a multiple of 16 bytes.
__device__ inline std::uint32_t sum_raw_part(const std::uint32_t* words, std::uint32_t count) {
  const auto* const pieces = reinterpret_cast<const Words4*>(words);
  const auto sum_of = [](const Words4& piece) {
    return piece.words[0] + piece.words[1] + (piece.words[2] + piece.words[3]);
  };
  std::uint32_t sum = 0;
  if (count >= raw_part_bytes(blockDim.x) / sizeof(std::uint32_t)) {
    Words4 read[loads_of_raw_part];
#pragma unroll
    for (std::uint32_t i = 0; i < loads_of_raw_part; ++i) read[i] = pieces[i * blockDim.x + threadIdx.x];
#pragma unroll
    for (const Words4& piece : read) sum += sum_of(piece);
    return sum;
  }
  const std::uint32_t whole = count / words_of_piece;
  for (std::uint32_t i = threadIdx.x; i < whole; i += blockDim.x) sum += sum_of(pieces[i]);
  const std::uint32_t word = whole * words_of_piece + threadIdx.x;
  if (word < count) sum += words[word];
  return sum;
}

// The same for the values of raw blocks, which thread blocks deal out among themselves by parts of
// raw_part_bytes(). Reports them, unless `statuses` is null. For frames that are aligned as for_aligned of
// WarpTileKernel wants it.
__global__ void __launch_bounds__(most_threads_of_sums)
    sum_raw_blocks(stage::FrameOnDevice frame, std::uint32_t* answer, std::uint32_t* statuses) {
  GSST_SHARED_MEMORY(memory);
  // There is no output: what would be its address is not used.
  const auto load = [&](std::uint32_t number) { return load_block<true>(frame, number, memory); };
  const std::uint32_t part_bytes = raw_part_bytes(blockDim.x);
  // No block is larger than the first. One without a value has a part too, which sets its status.
  const std::uint32_t most_bytes = load(0).uncompressed_bytes;
  const std::uint32_t parts_of_block = most_bytes == 0 ? 1 : (most_bytes + part_bytes - 1) / part_bytes;
  std::uint32_t sum = 0;
  for (std::uint32_t i = blockIdx.x; i < frame.block_count * parts_of_block; i += gridDim.x) {
    const std::uint32_t number = i / parts_of_block;
    const std::uint32_t begin = i % parts_of_block * part_bytes;
    const stage::BlockOnDevice block = load(number);
    if (block.layout != format::BlockLayout::raw) continue;
    if (begin == 0 && threadIdx.x == 0 && statuses != nullptr) statuses[number] = 0;
    if (begin >= block.uncompressed_bytes) continue;
    const std::uint32_t left = block.uncompressed_bytes - begin;
    sum += sum_raw_part(reinterpret_cast<const std::uint32_t*>(block.payload + begin),
                        left / static_cast<std::uint32_t>(sizeof(std::uint32_t)));
  }
  add_to_answer(sum, answer, memory);
}

// For any frame: a thread block for each block of the frame, word by word.
__global__ void __launch_bounds__(most_threads_of_sums)
    sum_raw_words(stage::FrameOnDevice frame, std::uint32_t* answer, std::uint32_t* statuses) {
  GSST_SHARED_MEMORY(memory);
  std::uint32_t sum = 0;
  for (std::uint32_t number = blockIdx.x; number < frame.block_count; number += gridDim.x) {
    const stage::BlockOnDevice block = load_block<false>(frame, number, memory);
    if (block.layout != format::BlockLayout::raw) continue;
    if (threadIdx.x == 0 && statuses != nullptr) statuses[number] = 0;
    const ForPayload payload(block.payload);
    const std::uint32_t values = block.uncompressed_bytes / static_cast<std::uint32_t>(sizeof(std::uint32_t));
    for (std::uint32_t i = threadIdx.x; i < values; i += blockDim.x) sum += payload.word(i);
  }
  add_to_answer(sum, answer, memory);
}

}  // namespace
}  // namespace gsst::tile_integer
