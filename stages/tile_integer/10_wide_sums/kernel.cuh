#pragma once

#include <bit>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/copy_ring.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/lane_values.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_words.cuh"
#include "stages/tile_integer/shared/sum_words.cuh"
#include "stages/tile_integer/shared/warp_sums.cuh"
#include "stages/tile_integer/shared/warp_tile.cuh"
#include "stages/tile_integer/shared/width_classes.cuh"

// Values of 4 bytes are decoded into a sum, and never written. Nothing hides what a warp waits for but its
// own next tile: warps stay, and each has two tiles under way.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;

struct SumShape {
  // Of a tile: a power of two, up to 16, so that lanes have a start each.
  std::uint32_t log2_packed_blocks;
  // Of the room for a tile's words, a multiple of 16.
  std::uint32_t slot_bytes;
};

// Packed blocks of a block of the frame; no values where there is nothing to sum.
struct SumTile {
  const std::uint8_t* payload;
  std::uint32_t first_packed_block;
  std::uint32_t values;

  __device__ std::uint32_t packed_blocks() const {
    return (values + packed_block_values - 1) / packed_block_values;
  }
  // All lanes: lane l gets where packed block l of the tile starts, or, after the last one, where that ends,
  // in words of the payload.
  template <bool IsAligned>
  __device__ std::uint32_t load_start() const {
    const std::uint32_t blocks = packed_blocks();
    if (blocks == 0 || lane_number() > blocks) return 0;
    constexpr auto header_words =
        static_cast<std::uint32_t>(format::tile_integer::header_bytes / format::tile_integer::word_bytes);
    return load_payload_word<IsAligned>(payload, header_words + first_packed_block + lane_number());
  }
};

// The tiles of a warp, one after the other: every n-th one of all, for n warps.
template <bool IsAligned>
class SumTiles {
public:
  __device__ SumTiles(const stage::FrameOnDevice& frame, std::uint32_t* statuses,
                      std::uint32_t log2_packed_blocks)
      : frame_(frame), statuses_(statuses), log2_packed_blocks_(log2_packed_blocks) {
    // No block is larger than the first. One without a value has a tile too, which sets its status.
    const std::uint32_t most_values = values_of(load(0));
    const std::uint32_t tile_values = packed_block_values << log2_packed_blocks_;
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
  __device__ SumTile next() {
    SumTile tile{};
    if (block_ < frame_.block_count) {
      const stage::BlockOnDevice block = load(block_);
      if (tile_ == 0 && lane_number() == 0) statuses_[block_] = 0;
      const std::uint32_t values = block.layout == format::BlockLayout::raw ? 0 : values_of(block);
      const std::uint32_t tile_values = packed_block_values << log2_packed_blocks_;
      const std::uint32_t first = tile_ * tile_values;
      tile.payload = block.payload;
      tile.first_packed_block = tile_ << log2_packed_blocks_;
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
  std::uint32_t log2_packed_blocks_;
  std::uint32_t tiles_of_block_;
  std::uint32_t count_;
  std::uint32_t block_;
  std::uint32_t tile_;
  std::uint32_t blocks_to_next_;
  std::uint32_t tiles_to_next_;
};

// The sum of the lane's miniblock, four values at a time. `unpack` is one of the functions that unpack four.
template <typename Unpack>
__device__ inline std::uint32_t sum_by_fours(const LaneBlock<4>& block, Unpack&& unpack) {
  std::uint32_t sum = 0;
#pragma unroll
  for (std::uint32_t i = 0; i < miniblock_values; i += 4) {
    std::uint32_t values[4];
    unpack(block.miniblock, i * block.width, block.width, values);
#pragma unroll
    for (const std::uint32_t value : values) sum += block.reference + value;
  }
  return sum;
}

// All lanes: the sum of the lane's miniblock. Lanes vote once for how all of them unpack theirs.
__device__ inline std::uint32_t sum_miniblock(const LaneBlock<4>& block) {
  const std::uint32_t width = __shfl_sync(every_lane, block.width, 0);
  if (__all_sync(every_lane, block.width == width)) {
    return sum_words<1>(width, block.miniblock, block.reference);
  }
  if (__all_sync(every_lane, block.width <= 8)) return sum_by_fours(block, unpack_up_to_8);
  if (__all_sync(every_lane, block.width <= 16)) return sum_by_fours(block, unpack_up_to_16);
  if (__all_sync(every_lane, block.width > 16)) return sum_by_fours(block, unpack_above_16);
  return sum_by_fours(block, unpack_any);
}

// All lanes: the lane's part of the sum of packed blocks `first` to `end` - 1 of a tile of `values` values.
// Lane l has where block l starts, in `words`. A lane takes a miniblock, the warp eight packed blocks.
__device__ inline std::uint32_t sum_blocks(const std::uint32_t* words, std::uint32_t lane_offset,
                                           std::uint32_t first, std::uint32_t end, std::uint32_t values) {
  constexpr std::uint32_t blocks_of_step = lanes_of_warp / miniblocks_of_packed_block;
  const std::uint32_t whole_blocks = values / packed_block_values;
  const std::uint32_t whole_end = end < whole_blocks ? end : whole_blocks;
  const std::uint32_t index = lane_number() % miniblocks_of_packed_block * miniblock_values;
  std::uint32_t sum = 0;
#pragma unroll 1
  for (; first < whole_end; first += blocks_of_step) {
    const std::uint32_t own = first + lane_number() / miniblocks_of_packed_block;
    // A lane without a packed block reads the first one.
    const bool exists = own < whole_end;
    const std::uint32_t offset = __shfl_sync(every_lane, lane_offset, static_cast<int>(exists ? own : first));
    const std::uint32_t of_miniblock = sum_miniblock(LaneBlock<4>(words + offset, index));
    if (exists) sum += of_miniblock;
  }
  // Of the frame block's last packed block there may be a part, and what follows it is not to be summed.
  if (end > whole_blocks) {
    const std::uint32_t offset = __shfl_sync(every_lane, lane_offset, static_cast<int>(whole_blocks));
    for (std::uint32_t i = lane_number(); i < values % packed_block_values; i += lanes_of_warp) {
      sum += static_cast<std::uint32_t>(decode_value(StagedWords(words, 0), offset, i, 1));
    }
  }
  return sum;
}

// A tile, where its packed blocks start, and whether a bulk copy brings its words.
struct StartedTile {
  SumTile tile;
  // load_start().
  std::uint32_t lane_start;
  bool is_copied;

  __device__ std::uint32_t start(std::uint32_t packed_block) const {
    return __shfl_sync(every_lane, lane_start, static_cast<int>(packed_block));
  }
};

constexpr std::uint32_t words_of_piece = piece_bytes / format::tile_integer::word_bytes;
// Words that may be read after a tile's pieces.
constexpr std::uint32_t bytes_after_pieces = words_read_after_tile * format::tile_integer::word_bytes;

// All lanes: starts copy `number`, of the tile's words with what is around them up to multiples of 16 bytes,
// which is the frame's too. Tiles that are too large for a slot, and those of frames that are not aligned,
// are copied by the lanes later.
template <bool IsAligned>
__device__ inline StartedTile start_copy(CopyRing& ring, std::uint32_t number, const SumTile& tile,
                                         std::uint32_t lane_start, std::uint32_t slot_bytes) {
  StartedTile started = {.tile = tile, .lane_start = lane_start, .is_copied = false};
  if constexpr (!IsAligned) return started;
  const std::uint32_t first_piece = started.start(0) / words_of_piece;
  const std::uint32_t end = started.start(tile.packed_blocks());
  const std::uint32_t bytes = ((end + words_of_piece - 1) / words_of_piece - first_piece) * piece_bytes;
  started.is_copied = bytes + bytes_after_pieces <= slot_bytes;
  ring.start(number, tile.payload + std::uint64_t{first_piece} * piece_bytes, started.is_copied ? bytes : 0,
             lane_number());
  return started;
}

// All lanes: the lane's part of the sum of a tile, whose copy has arrived in slot `slot`.
template <bool IsAligned>
__device__ inline std::uint32_t sum_tile(const StartedTile& started, std::uint8_t* slot,
                                         std::uint32_t slot_bytes) {
  auto* const words = reinterpret_cast<std::uint32_t*>(slot);
  const std::uint32_t blocks = started.tile.packed_blocks();
  std::uint32_t sum = 0;
  for (std::uint32_t first = 0; first < blocks;) {
    const std::uint32_t begin = started.start(first);
    std::uint32_t end = blocks;
    std::uint32_t skipped = begin % words_of_piece;
    if (!IsAligned || !started.is_copied) {
      // As many packed blocks as there is room for, at least one.
      const std::uint32_t room = (slot_bytes - bytes_after_pieces) / format::tile_integer::word_bytes;
      const std::uint32_t lane = lane_number();
      const bool has_room = lane > first && lane <= blocks && started.lane_start - begin <= room;
      end = first + static_cast<std::uint32_t>(std::popcount(__ballot_sync(every_lane, has_room)));
      skipped = 0;
      const ForPayload payload(started.tile.payload);
      const std::uint32_t count = started.start(end) - begin;
      for (std::uint32_t i = lane; i < count; i += lanes_of_warp) words[i] = payload.word(begin + i);
      __syncwarp();
    }
    sum += sum_blocks(words + skipped, started.lane_start - begin, first, end, started.tile.values);
    if (!IsAligned || !started.is_copied) CopyRing::finish_own_writes();
    first = end;
  }
  return sum;
}

constexpr int most_threads_of_sums = 256;

// Adds the sum of all values of packed blocks to `answer`, modulo 2^32.
template <bool IsAligned>
__global__ void __launch_bounds__(most_threads_of_sums)
    sum_tiles(stage::FrameOnDevice frame, std::uint32_t* answer, std::uint32_t* statuses, SumShape shape) {
  GSST_SHARED_MEMORY(memory);
  CopyRing ring(memory + bytes_of_warp_sums + warp_number() * CopyRing::bytes(shape.slot_bytes),
                shape.slot_bytes, lane_number());
  SumTiles<IsAligned> tiles(frame, statuses, shape.log2_packed_blocks);
  // What is known of a tile takes a load each: the index, then the starts, then the words. So the loads of
  // four tiles are under way.
  const SumTile first = tiles.next();
  const SumTile second = tiles.next();
  SumTile third = tiles.next();
  const std::uint32_t first_start = first.load_start<IsAligned>();
  const std::uint32_t second_start = second.load_start<IsAligned>();
  StartedTile current = start_copy<IsAligned>(ring, 0, first, first_start, shape.slot_bytes);
  StartedTile next = start_copy<IsAligned>(ring, 1, second, second_start, shape.slot_bytes);
  std::uint32_t third_start = third.load_start<IsAligned>();
  SumTile fourth = tiles.next();
  std::uint32_t sum = 0;
#pragma unroll 1
  for (std::uint32_t number = 0; number < tiles.count(); ++number) {
    if constexpr (IsAligned) ring.wait(number);
    sum += sum_tile<IsAligned>(current, ring.slot(number), shape.slot_bytes);
    current = next;
    next = start_copy<IsAligned>(ring, number + CopyRing::slots, third, third_start, shape.slot_bytes);
    third = fourth;
    third_start = third.load_start<IsAligned>();
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
