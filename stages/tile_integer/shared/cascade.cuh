#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_on_device.hpp"
#include "common/stage/launch.hpp"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/load_value.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// Cascades: kernels that each undo one layer of a format and leave their numbers in global memory for the
// next one (paper, section 3). Here are the layers that `for` and `dfor` have both. A number is as wide as a
// value, and is where its value belongs in the output, or as far into scratch memory of the output's size.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;
using format::tile_integer::packed_blocks_of_chain;

// Of each kernel a part is a tile of 512 values, the paper's D of 4, for packed_block_values threads.
constexpr std::uint32_t blocks_of_cascade_tile = packed_blocks_of_chain;

// A tile whose block is not raw.
struct CascadeTile {
  ForPayload payload;
  TypeOnDevice type;
  // Of the block.
  std::uint32_t values;
  std::uint32_t first_packed_block;
  // 0 where the block ends before the tile.
  std::uint32_t packed_blocks;

  __device__ explicit CascadeTile(const FramePart& part)
      : payload(part.block().payload),
        type(payload.type()),
        values(payload.values()),
        first_packed_block(part.number() * blocks_of_cascade_tile),
        packed_blocks(packed_blocks_of(part.number(), blocks_of_cascade_tile, values)) {}

  // In the block, of this thread's value of packed block `block` of the tile.
  __device__ std::uint64_t index(std::uint32_t block) const {
    return std::uint64_t{first_packed_block + block} * packed_block_values + threadIdx.x;
  }
};

// Words before the reference of packed block `block` of a tile: the base, where `has_bases` and it is the
// first of a chain.
template <bool has_bases>
__device__ inline std::uint32_t base_words(std::uint32_t block, std::uint32_t reference_words) {
  return has_bases && block % packed_blocks_of_chain == 0 ? reference_words : 0;
}

// All threads, with unpack_shared_bytes() of shared memory at `memory`: the bits of the tile's values, to the
// block's place in `numbers`. As stage 04, but without references.
template <bool has_bases>
__device__ inline void unpack_tile(const CascadeTile& all, std::uint8_t* memory, std::uint8_t* numbers) {
  const TypeOnDevice& type = all.type;
  // Of all threads or of none: barriers follow.
  if (all.packed_blocks == 0) return;
  auto* const miniblocks = reinterpret_cast<Miniblock*>(memory);
  auto* const staged =
      reinterpret_cast<std::uint32_t*>(miniblocks + miniblocks_of_packed_block * blocks_of_cascade_tile);
  const StagedTile tile = stage_tile(all.payload, all.first_packed_block, all.packed_blocks, staged);
  __syncthreads();
  if (threadIdx.x < miniblocks_of_packed_block * tile.packed_blocks) {
    const std::uint32_t block = threadIdx.x / miniblocks_of_packed_block;
    const std::uint32_t start = tile.starts[block] + base_words<has_bases>(block, type.reference_words);
    miniblocks[threadIdx.x] =
        Miniblock(tile.words.word(start + type.reference_words), threadIdx.x % miniblocks_of_packed_block);
  }
  __syncthreads();
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    if (all.index(block) >= all.values) return;
    const std::uint32_t start = tile.starts[block] + base_words<has_bases>(block, type.reference_words);
    const Miniblock& miniblock =
        miniblocks[block * miniblocks_of_packed_block + threadIdx.x / miniblock_values];
    store_value(numbers + all.index(block) * type.value_bytes,
                extract_bits(tile.words, start + type.reference_words + 1 + miniblock.offset,
                             threadIdx.x % miniblock_values * miniblock.width, miniblock.width),
                type.value_bytes);
  }
}

// All threads: adds its reference to each of the tile's numbers, from the block's place in `numbers` to its
// place in `sums`. They may be the same.
template <bool has_bases>
__device__ inline void add_references(const CascadeTile& tile, const std::uint8_t* numbers,
                                      std::uint8_t* sums) {
  const TypeOnDevice& type = tile.type;
  for (std::uint32_t block = 0; block < tile.packed_blocks; ++block) {
    if (tile.index(block) >= tile.values) return;
    const std::uint32_t start = tile.payload.start(tile.first_packed_block + block) +
                                base_words<has_bases>(block, type.reference_words);
    const std::uint64_t place = tile.index(block) * type.value_bytes;
    store_value(sums + place,
                load_value(numbers + place, type.value_bytes) +
                    reference_of(tile.payload, start, type.reference_words),
                type.value_bytes);
  }
}

// On the host.

inline std::size_t unpack_shared_bytes(const stage::FrameOnDevice& frame, bool has_bases) {
  const std::size_t base_bytes =
      has_bases ? std::size_t{extreme_shape(frame, false).reference_words} * format::tile_integer::word_bytes
                : 0;
  return std::size_t{blocks_of_cascade_tile} * miniblocks_of_packed_block * sizeof(Miniblock) + base_bytes +
         staged_tile_bytes(frame, blocks_of_cascade_tile);
}

}  // namespace
}  // namespace gsst::tile_integer
