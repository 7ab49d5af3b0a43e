#pragma once

#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/launch.hpp"

// What the kernels of an encoding share: how the input is cut, and what is kept of its parts. A tile is what
// a thread block encodes: part of one block of the frame, a few chains of 512 values for each warp.
namespace gsst::tile_integer::encoder {
namespace {

using format::tile_integer::chain_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;
using format::tile_integer::packed_blocks_of_chain;
using format::tile_integer::Packing;
using format::tile_integer::run_block_values;
using format::tile_integer::word_bytes;

constexpr unsigned lanes_of_warp = 32;
constexpr std::uint32_t every_lane = 0xffffffff;
constexpr unsigned most_threads = 512;
constexpr unsigned values_of_lane = packed_block_values / lanes_of_warp;
// The number of the calling thread in its thread block, and of its warp and in it: asked for anew each time.
// What follows from threadIdx.x, the compiler computes once for all tiles of a thread block, and has no
// registers to keep it in: to read two such words from local memory took warps a fifth of their time on an
// H200.
__device__ inline unsigned thread_number() {
#if defined(__CUDA_ARCH__)
  unsigned number;
  asm volatile("mov.u32 %0, %%tid.x;" : "=r"(number));
  return number;
#else
  return threadIdx.x;
#endif
}
__device__ inline unsigned warp_number() {
  return thread_number() / lanes_of_warp;
}
__device__ inline unsigned lane_number() {
#if defined(__CUDA_ARCH__)
  unsigned number;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(number));
  return number;
#else
  return threadIdx.x % lanes_of_warp;
#endif
}

constexpr std::uint32_t header_words = format::tile_integer::header_bytes / word_bytes;

// Bytes that a payload of `bytes` bytes takes: the next one, after its record, starts at a multiple of 16.
GSST_HOST_DEVICE inline std::uint32_t padded_bytes(std::uint32_t bytes) {
  constexpr std::uint32_t alignment = format::tile_integer::payload_alignment;
  constexpr std::uint32_t record = format::record_header_bytes;
  return (bytes + record + alignment - 1) / alignment * alignment - record;
}

// A block of the frame, as values.
struct BlockOfValues {
  // From the input's first byte.
  std::uint64_t begin;
  std::uint32_t bytes;
  std::uint32_t values;
  // What has a start: packed blocks, in format rfor run blocks.
  std::uint32_t units;
  // That are no whole value.
  std::uint32_t rest_bytes;

  // From the payload's first word to the first unit.
  GSST_HOST_DEVICE std::uint32_t first_start() const { return header_words + units + 1; }
  // Of a payload whose units have so many words together, without padding.
  GSST_HOST_DEVICE std::uint32_t payload_bytes(std::uint32_t words) const {
    return (first_start() + words) * word_bytes + rest_bytes;
  }
};

// A block in the frame.
struct BlockPlace {
  // From the frame's first byte.
  std::uint64_t payload_offset;
  // With padding.
  std::uint32_t payload_bytes;
  format::BlockLayout layout;
};

// All pointers are in the executor's memory.
struct EncodeJob {
  const std::uint8_t* input;
  std::uint64_t input_bytes;
  std::uint64_t block_bytes;
  std::uint32_t block_count;
  std::uint32_t tiles_per_block;
  std::uint32_t tile_count;
  // That a thread block takes at most, if it takes several.
  std::uint32_t most_tiles_of_thread_block;
  std::uint32_t chains_per_warp;
  std::uint32_t tile_values;
  format::tile_integer::Type type;
  std::uint32_t value_bytes;
  // value_bytes is 2 to the power of it: a GPU has no instruction that divides.
  std::uint32_t value_shift;
  // A unit has 2 to the power of it values.
  std::uint32_t unit_shift;
  bool is_signed;
  std::uint8_t* output;
  // Tiles that have begun.
  unsigned* ticket;
  // Look-back states of each tile: words of units, anew with each block of the frame.
  std::uint64_t* tile_states;
  // Look-back states of each block of the frame: bytes of its record and its payload.
  std::uint64_t* block_states;
  // What is known of each block of the frame as soon as its tiles are encoded: the sum of their words and,
  // from bit 32 on, how many they are.
  unsigned long long* block_sums;
  // What the tiles of each block write, a BlockWriting: the first of them that is copied decides.
  unsigned* writings;
  // Words of each block's largest unit.
  unsigned* largest;
  BlockPlace* places;
  std::uint32_t* status;
  std::uint64_t* file_bytes;

  GSST_HOST_DEVICE BlockOfValues block(std::uint32_t number) const {
    BlockOfValues block;
    block.begin = number * block_bytes;
    const std::uint64_t left = input_bytes - block.begin;
    block.bytes = static_cast<std::uint32_t>(left < block_bytes ? left : block_bytes);
    block.values = block.bytes >> value_shift;
    block.units = (block.values + (1U << unit_shift) - 1) >> unit_shift;
    block.rest_bytes = block.bytes & (value_bytes - 1);
    return block;
  }
  // The number of the first tile after those of a block.
  GSST_HOST_DEVICE std::uint32_t end_of_tiles(std::uint32_t block) const {
    return block + 1 < block_count ? (block + 1) * tiles_per_block : tile_count;
  }
  // How many tiles a block has.
  GSST_HOST_DEVICE std::uint32_t tiles_of(std::uint32_t block) const {
    return end_of_tiles(block) - block * tiles_per_block;
  }
};

// What the tiles of a block of the frame write. All do the same, so that none writes over what another one
// does.
enum BlockWriting : unsigned {
  undecided,
  // Units. If the block turns out to be raw, its bytes are written over them later.
  units_first,
  // The bytes of the block, which is known to be raw.
  raw_bytes
};

// In EncodeJob::block_sums tiles are counted above the bits of words.
constexpr unsigned bits_of_words = 32;

// How a block is stored whose units have `words` words together. Where it goes is not set.
GSST_HOST_DEVICE inline BlockPlace stored_block(const BlockOfValues& block, std::uint32_t words) {
  const std::uint32_t packed = padded_bytes(block.payload_bytes(words));
  const std::uint32_t raw = padded_bytes(block.bytes);
  if (packed >= raw) return {.payload_offset = 0, .payload_bytes = raw, .layout = format::BlockLayout::raw};
  return {.payload_offset = 0, .payload_bytes = packed, .layout = format::tile_integer::packed_layout};
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
