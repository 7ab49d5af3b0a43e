#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/format/gsst/tiles.hpp"
#include "common/format/gsst/tiles_header_writer.hpp"
#include "stages/gsst/10_wide_encoder/chunks.cuh"
#include "stages/gsst/shared/frame_writer.cuh"

// What the kernels share that make a frame of format tiles (FORMAT.md, section 9) of encoded segments. A
// block is encoded as for format splits, its segments in the place of splits; a segment's codes follow those
// of the one before, and are cut into strips of a fixed number of codes.
namespace {

using gsst::format::TileShape;

// Bytes of a segment. A symbol does not cross its end, which costs half a code for a thousand.
constexpr std::uint32_t segment_bytes = 4096;
// Codes of a strip, but for shapes of which no number of tiles has as many.
constexpr std::uint32_t strip_codes = 2048;
constexpr std::uint32_t most_tile_codes = 1u << 12;

// A table with length classes, as a kernel needs it.
struct StoredTileTable {
  std::uint32_t escape_free;
  // Of the symbols that a block stores, and behind them zeros.
  std::uint32_t symbol_bytes;
  // Four bits for each class.
  std::uint64_t class_lengths;
  std::uint8_t stored_class_lengths[gsst::format::length_class_count];
  std::uint8_t symbols[std::size_t{most_tile_codes} * gsst::format::max_symbol_length];
};

// What is found out about a block before it has a place in the frame.
struct TileBlock {
  // Before codes without output are put between.
  std::uint32_t encoded_codes;
  std::uint32_t code_count;
  // 0 for a block that is stored as it is.
  std::uint32_t strip_count;
  std::uint32_t dictionary_id;
};

// A frame of tiles as a kernel receives it. All pointers are in the executor's memory.
struct TileJob {
  // Splits are segments; the sizes of their codes are in bytes.
  FrameParts parts;
  const StoredTileTable* table;
  TileShape shape;
  std::uint32_t tiles_per_strip;
  // Bytes of a code before it is written to its tile: 1, or 2 for 10 and 12 bits.
  std::uint32_t code_bytes;
  // The codes of each block, one behind the other, which start where `code_places` says.
  std::uint8_t* codes;
  std::uint64_t block_code_bytes;
  BlockPlace* code_places;
  TileBlock* blocks;
  // Most that a block has.
  std::uint32_t strips_per_block;
  // For each strip of each block the number of encoded codes before it; one more entry a block.
  std::uint32_t* strip_begins;
  // For each strip of each block the bytes that it decodes to, then where these start.
  std::uint32_t* strip_outputs;

  GSST_HOST_DEVICE std::uint32_t codes_per_strip() const { return tiles_per_strip * shape.codes(); }
  __device__ std::uint32_t* begins_of(std::uint32_t block) const {
    return strip_begins + std::uint64_t{block} * (strips_per_block + 1);
  }
  __device__ std::uint32_t* outputs_of(std::uint32_t block) const {
    return strip_outputs + std::uint64_t{block} * strips_per_block;
  }
  __device__ const std::uint8_t* codes_of(std::uint32_t block) const {
    return codes + block * block_code_bytes;
  }
  __device__ bool has_halves() const { return table->escape_free == 0; }
};

inline std::uint32_t tiles_of_strip(const TileShape& shape) {
  return strip_codes / shape.codes();
}

// Bytes of a block's payload before its symbols.
GSST_HOST_DEVICE inline std::uint64_t bytes_before_symbols(const TileJob& job, std::uint64_t code_count) {
  using gsst::format::part_size;
  const std::uint64_t tiles = part_size(code_count, job.shape.codes());
  return gsst::format::tiles_header_bytes + tiles * job.shape.bytes() +
         4 * part_size(tiles, job.tiles_per_strip);
}

__device__ inline std::uint64_t raw_tile_bytes(const TileJob& job, std::uint32_t block) {
  return gsst::format::padded_tiles_payload_bytes(job.parts.cut.block(block).size);
}

// Eight codes of a block from code `index` on. What stands behind the block's last code means nothing.
__device__ inline void load_eight_codes(const TileJob& job, const std::uint8_t* block_codes,
                                        std::uint32_t index, std::uint32_t (&codes)[8]) {
  if (job.code_bytes == 1) {
    const auto* const words = reinterpret_cast<const std::uint32_t*>(block_codes) + index / 4;
    const std::uint32_t bits = index % 4 * 8;
    const std::uint32_t middle = words[1];
    const std::uint32_t low = word_at(words[0], middle, bits);
    const std::uint32_t high = word_at(middle, words[2], bits);
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
      codes[i] = low >> (8 * i) & 0xff;
      codes[4 + i] = high >> (8 * i) & 0xff;
    }
  } else {
    // Without halves, strips start at multiples of eight codes.
    const Unit unit = *reinterpret_cast<const Unit*>(block_codes + std::size_t{index} * 2);
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) codes[i] = unit.words[i / 2] >> (16 * (i % 2)) & 0xffff;
  }
}

// The lowest lane of a ballot, or 32 if there is none. nvcc 13.0 makes 32 of std::countr_zero(), whatever the
// ballot.
__device__ inline std::uint32_t first_lane_of(std::uint32_t ballot) {
  return static_cast<std::uint32_t>(std::popcount((ballot & (~ballot + 1)) - 1));
}

// A warp's strip.
struct Strip {
  std::uint32_t block;
  std::uint32_t number;
  // Of the block's encoded codes.
  std::uint32_t first_code;
  std::uint32_t codes;
  bool exists;
};

// Thread blocks for a warp for each strip, `warps` in each.
inline std::uint64_t strip_thread_blocks(const TileJob& job, unsigned warps) {
  return job.parts.cut.block_count * gsst::format::part_size(job.strips_per_block, warps);
}

__device__ inline Strip strip_of_warp(const TileJob& job) {
  const std::uint32_t warps = blockDim.x / 32;
  const std::uint32_t groups = (job.strips_per_block + warps - 1) / warps;
  const std::uint32_t block = blockIdx.x / groups;
  const std::uint32_t number = blockIdx.x % groups * warps + threadIdx.x / 32;
  if (number >= job.blocks[block].strip_count)
    return {.block = 0, .number = 0, .first_code = 0, .codes = 0, .exists = false};
  const std::uint32_t* const begins = job.begins_of(block) + number;
  return {.block = block,
          .number = number,
          .first_code = begins[0],
          .codes = begins[1] - begins[0],
          .exists = true};
}

}  // namespace
