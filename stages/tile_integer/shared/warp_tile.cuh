#pragma once

#include <bit>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/bulk_load.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/load_block.cuh"
#include "stages/tile_integer/shared/raw_parts.cuh"

// A tile of a warp's own: which packed blocks it has, and where their words go in shared memory. In format
// `rfor` run blocks are in their place, and `UnitValues` says so. Kernels are made for each size of a value
// and decode the blocks of the frame that have values of that size. And they are made once for frames at
// multiples of 16 bytes with an index at a multiple of 8, which the host knows, and once for all others.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t lanes_of_warp = 32;
constexpr std::uint32_t every_lane = 0xffffffff;

template <std::uint32_t ValueBytes>
constexpr std::uint32_t reference_words_of = ValueBytes == 8 ? 2 : 1;

// What all warps have in common.
struct WarpTileShape {
  // Of a tile: a power of two, given by its logarithm, since a division takes as long as some values.
  std::uint32_t log2_packed_blocks;
  // Of shared memory, for each warp.
  std::uint32_t warp_bytes;

  __host__ __device__ std::uint32_t packed_blocks() const { return 1U << log2_packed_blocks; }
};

// What a warp decodes.
struct WarpTile {
  // The warp's number in its thread block.
  std::uint32_t warp;
  stage::BlockOnDevice block;
  // Of the tile in its block.
  std::uint32_t first_packed_block;
  std::uint32_t packed_blocks;
  // Fewer than the packed blocks have in the block's last tile.
  std::uint32_t values;
  // Where the tile starts, in words of the payload.
  std::uint32_t begin;
  // Lane l has where packed block l of the tile starts, or, after the last one, where that ends, in words of
  // the tile.
  std::uint32_t lane_offset;

  // The offset of packed block `number` of the tile, or of the end of the last one. All lanes together.
  __device__ std::uint32_t offset(std::uint32_t number) const {
    return __shfl_sync(every_lane, lane_offset, static_cast<int>(number));
  }
  // Where the tile's first value goes.
  template <std::uint32_t ValueBytes, std::uint32_t UnitValues = format::tile_integer::packed_block_values>
  __device__ std::uint8_t* output() const {
    return block.output + std::uint64_t{first_packed_block} * UnitValues * ValueBytes;
  }
};

// The lane's number in its warp.
__device__ inline std::uint32_t lane_number() {
  return threadIdx.x % lanes_of_warp;
}
// The warp's in its thread block. Of what a lane has from another one the compiler knows that it is the same
// in all lanes, which saves a loop over them for each instruction that takes one value for all.
__device__ inline std::uint32_t warp_number() {
  return __shfl_sync(every_lane, threadIdx.x / lanes_of_warp, 0);
}

// Word `number` of a payload.
template <bool IsAligned>
__device__ inline std::uint32_t load_payload_word(const std::uint8_t* payload, std::uint32_t number) {
  if constexpr (!IsAligned) return ForPayload(payload).word(number);
  return reinterpret_cast<const std::uint32_t*>(payload)[number];
}

// Whether values of a block of that type have `ValueBytes` bytes.
template <std::uint32_t ValueBytes>
__device__ inline bool has_size(std::uint32_t type) {
  if constexpr (ValueBytes < 4) return type == ValueBytes - 1;
  return type / 2 == ValueBytes / 4;
}

// All lanes of a warp together: the bytes of a block that are no whole value, and its status. What the
// format's rules accept has nothing in it that could be wrong.
template <std::uint32_t ValueBytes, std::uint32_t UnitValues>
__device__ inline void finish_block(const stage::BlockOnDevice& block, std::uint32_t* status) {
  const std::uint32_t lane = lane_number();
  if (lane == 0) *status = 0;
  if (ValueBytes == 1) return;
  const std::uint32_t values = block.uncompressed_bytes / ValueBytes;
  if (lane >= block.uncompressed_bytes % ValueBytes) return;
  const std::uint32_t units = (values + UnitValues - 1) / UnitValues;
  const std::uint64_t rest =
      std::uint64_t{ForPayload(block.payload).start(units)} * format::tile_integer::word_bytes;
  block.output[values * ValueBytes + lane] = block.payload[rest + lane];
}

// All lanes of a warp: finds its tile, and does what a block's first warp does. Whether there is something to
// decode: some warps are launched and have no tile, and blocks may have other values or be raw, which
// copy_raw_parts() copies.
template <std::uint32_t ValueBytes, bool IsAligned,
          std::uint32_t UnitValues = format::tile_integer::packed_block_values>
__device__ inline bool find_tile(const stage::FrameOnDevice& frame, std::uint8_t* output,
                                 std::uint32_t* status, const WarpTileShape& shape, WarpTile& tile) {
  constexpr std::uint32_t packed = UnitValues;
  const std::uint32_t packed_blocks_of_tile = shape.packed_blocks();
  static_assert(std::has_single_bit(packed));
  constexpr auto log2_packed = static_cast<std::uint32_t>(std::countr_zero(packed));
  const std::uint32_t log2_values = shape.log2_packed_blocks + log2_packed;
  const std::uint32_t lane = lane_number();
  tile.warp = warp_number();
  const std::uint32_t number = blockIdx.x * (blockDim.x / lanes_of_warp) + tile.warp;
  // No block is larger than the first, but one of fewer bytes than a value has a tile too.
  const std::uint32_t most_values = load_block<IsAligned>(frame, 0, output).uncompressed_bytes / ValueBytes;
  const std::uint32_t tiles_of_block = (most_values >> log2_values) + 1;
  const std::uint32_t block_number = number / tiles_of_block;
  if (block_number >= frame.block_count) return false;
  const std::uint32_t tile_number = number % tiles_of_block;
  tile.block = load_block<IsAligned>(frame, block_number, output);
  const std::uint32_t values = tile.block.uncompressed_bytes / ValueBytes;
  const std::uint32_t packed_blocks = (values + packed - 1) / packed;
  tile.first_packed_block = tile_number << shape.log2_packed_blocks;
  // A shorter block has fewer tiles; one without a packed block may have bytes that are no whole value.
  if (tile_number != 0 && tile.first_packed_block >= packed_blocks) return false;
  const std::uint32_t left = packed_blocks - tile.first_packed_block;
  tile.packed_blocks = left < packed_blocks_of_tile ? left : packed_blocks_of_tile;
  // One load for starts and header: the last lane, which has no start, reads the header's first word. A raw
  // block, or one of other values, may have no bytes where starts would be. A check before the load would
  // wait for the index once more.
  constexpr auto header_words =
      static_cast<std::uint32_t>(format::tile_integer::header_bytes / format::tile_integer::word_bytes);
  const std::uint32_t start_number = header_words + tile.first_packed_block + lane;
  const bool has_start = lane <= tile.packed_blocks &&
                         start_number < tile.block.payload_bytes / format::tile_integer::word_bytes;
  const std::uint32_t word_number = has_start ? start_number : 0;
  const std::uint32_t word = load_payload_word<IsAligned>(tile.block.payload, word_number);
  const std::uint32_t header = __shfl_sync(every_lane, word, static_cast<int>(lanes_of_warp - 1));
  if (!has_size<ValueBytes>(header & 0xff) || tile.block.layout == format::BlockLayout::raw) return false;
  tile.begin = __shfl_sync(every_lane, word, 0);
  tile.lane_offset = word - tile.begin;
  if (tile_number == 0) finish_block<ValueBytes, UnitValues>(tile.block, &status[block_number]);
  const std::uint32_t first_value = tile.first_packed_block * packed;
  tile.values =
      tile.packed_blocks * packed < values - first_value ? tile.packed_blocks * packed : values - first_value;
  return tile.packed_blocks != 0;
}

// A warp's part of shared memory: the barrier of its copy, then the pieces.
constexpr std::uint32_t bytes_before_pieces = 16;
static_assert(bytes_before_pieces >= BulkLoad::barrier_bytes && bytes_before_pieces % piece_bytes == 0);

// Words that a kernel may read after the last one of a tile.
constexpr std::uint32_t words_read_after_tile = 5;

// All lanes: sets these words, at `end`, to 0. What they hold does not matter, but a check for memory that
// nobody has written should find mistakes alone. They are written at the caller's next __syncwarp().
__device__ inline void clear_words_after_tile(std::uint32_t* end) {
  if (lane_number() < words_read_after_tile) end[lane_number()] = 0;
}

// All lanes: copies the tile's words to the warp's part of shared memory, neighbours by neighbours.
__device__ inline const std::uint32_t* copy_words(const WarpTile& tile, std::uint8_t* memory) {
  const ForPayload payload(tile.block.payload);
  auto* const words = reinterpret_cast<std::uint32_t*>(memory + bytes_before_pieces);
  const std::uint32_t count = tile.offset(tile.packed_blocks);
  for (std::uint32_t number = lane_number(); number < count; number += lanes_of_warp) {
    words[number] = payload.word(tile.begin + number);
  }
  clear_words_after_tile(words + count);
  __syncwarp();
  return words;
}

// As copy_words(), by one bulk copy where the frame is aligned. What is copied is rounded to pieces of 16
// bytes: what is before and after the tile is the frame's too, since starts precede packed blocks and every
// block is followed by format::min_bytes_after_block bytes.
template <bool IsAligned>
__device__ inline const std::uint32_t* bulk_copy_words(const WarpTile& tile, std::uint8_t* memory) {
  if constexpr (!IsAligned) return copy_words(tile, memory);
  constexpr std::uint32_t piece_words = piece_bytes / format::tile_integer::word_bytes;
  // Payloads are at multiples of 16 bytes, too.
  const std::uint32_t first_piece = tile.begin / piece_words;
  const std::uint32_t skipped_words = tile.begin % piece_words;
  const std::uint32_t pieces =
      (skipped_words + tile.offset(tile.packed_blocks) + piece_words - 1) / piece_words;
  auto* const words = reinterpret_cast<std::uint32_t*>(memory + bytes_before_pieces);
  clear_words_after_tile(words + pieces * piece_words);
  BulkLoad load(memory);
  load.start(memory + bytes_before_pieces, tile.block.payload + std::uint64_t{first_piece} * piece_bytes,
             pieces * piece_bytes, lane_number());
  load.wait();
  return words + skipped_words;
}

}  // namespace
}  // namespace gsst::tile_integer
