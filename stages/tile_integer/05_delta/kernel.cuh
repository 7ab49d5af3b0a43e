#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/frame_on_device.hpp"
#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/shared/block_sum.cuh"
#include "stages/tile_integer/shared/for_payload.cuh"
#include "stages/tile_integer/shared/frame_part.cuh"
#include "stages/tile_integer/shared/packed_value.cuh"
#include "stages/tile_integer/shared/staged_tile.cuh"

// Differences are unpacked into shared memory and summed in the same kernel (paper, section 5.2): GPU-DFOR.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::chain_values;
using format::tile_integer::miniblock_values;
using format::tile_integer::miniblocks_of_packed_block;
using format::tile_integer::packed_block_values;
using format::tile_integer::packed_blocks_of_chain;

constexpr std::uint32_t warps_of_thread_block = packed_block_values / 32;
// Of a chain, those that a thread sums: neighbours. The paper's D.
constexpr std::uint32_t values_of_thread = chain_values / packed_block_values;

// Shared memory of a thread block. Its parts are in this order, those of 8 bytes first, and then comes what
// stage_tile() needs.
template <typename Number>
struct DeltaMemory {
  // One a warp.
  Number* sums;
  // Of a chain: first differences, then values.
  Number* numbers;
  Miniblock* miniblocks;
  std::uint32_t* staged;

  __device__ DeltaMemory(std::uint8_t* memory, std::uint32_t blocks_of_tile)
      : sums(reinterpret_cast<Number*>(memory)),
        numbers(sums + warps_of_thread_block),
        miniblocks(reinterpret_cast<Miniblock*>(numbers + chain_values)),
        staged(reinterpret_cast<std::uint32_t*>(miniblocks + miniblocks_of_packed_block * blocks_of_tile)) {}
};

// Where the reference of packed block `block` of a tile is. A tile begins with a chain.
__device__ inline std::uint32_t reference_start(const StagedTile& tile, std::uint32_t block,
                                                std::uint32_t reference_words) {
  const bool follows_base = block % packed_blocks_of_chain == 0;
  return tile.starts[block] + (follows_base ? reference_words : 0);
}

// All threads: the chain's differences, as far as the tile has packed blocks. The barrier is the caller's.
template <typename Number>
__device__ inline void unpack_chain(const StagedTile& tile, std::uint32_t chain,
                                    const DeltaMemory<Number>& memory, std::uint32_t reference_words) {
  for (std::uint32_t i = 0; i < packed_blocks_of_chain; ++i) {
    const std::uint32_t block = chain * packed_blocks_of_chain + i;
    Number difference = 0;
    if (block < tile.packed_blocks) {
      const std::uint32_t start = reference_start(tile, block, reference_words);
      const Miniblock& miniblock =
          memory.miniblocks[block * miniblocks_of_packed_block + threadIdx.x / miniblock_values];
      const std::uint64_t bits =
          extract_bits(tile.words, start + reference_words + 1 + miniblock.offset,
                       threadIdx.x % miniblock_values * miniblock.width, miniblock.width);
      difference = static_cast<Number>(reference_of(tile.words, start, reference_words) + bits);
    }
    memory.numbers[i * packed_block_values + threadIdx.x] = difference;
  }
}

// All threads, with the tile's words on their way to shared memory.
template <typename Number>
__device__ inline void decode_chains(const StagedTile& tile, const DeltaMemory<Number>& memory,
                                     const TypeOnDevice& type, std::uint32_t values, std::uint8_t* output) {
  __syncthreads();
  if (threadIdx.x < miniblocks_of_packed_block * tile.packed_blocks) {
    const std::uint32_t start =
        reference_start(tile, threadIdx.x / miniblocks_of_packed_block, type.reference_words);
    memory.miniblocks[threadIdx.x] =
        Miniblock(tile.words.word(start + type.reference_words), threadIdx.x % miniblocks_of_packed_block);
  }
  __syncthreads();
  for (std::uint32_t chain = 0; chain * packed_blocks_of_chain < tile.packed_blocks; ++chain) {
    unpack_chain(tile, chain, memory, type.reference_words);
    __syncthreads();
    const std::uint32_t base = tile.starts[chain * packed_blocks_of_chain];
    // Differences become values, each the sum of the base and all differences up to its own.
    sum_in_place<Number, packed_block_values, values_of_thread>(
        memory.numbers, static_cast<Number>(reference_of(tile.words, base, type.reference_words)),
        memory.sums);
    __syncthreads();
    // The next chain's differences need no barrier: each thread replaces those values that it stores itself.
    for (std::uint32_t place = threadIdx.x; place < chain_values; place += packed_block_values) {
      const std::uint64_t index =
          std::uint64_t{tile.first_packed_block} * packed_block_values + chain * chain_values + place;
      if (index < values)
        store_value(output + index * type.value_bytes, memory.numbers[place], type.value_bytes);
    }
  }
}

// Thread blocks of packed_block_values threads, parts_of() of them; a part is a tile of `blocks_of_tile`
// packed blocks, whole chains, with delta_shared_bytes() of shared memory.
__global__ void decode_deltas(stage::FrameOnDevice frame, std::uint8_t* output, std::uint32_t* status,
                              std::uint32_t part_bytes, std::uint32_t blocks_of_tile) {
  GSST_SHARED_MEMORY(memory);
  const FramePart part(frame, output, part_bytes);
  if (!part.begin(status)) return;
  const ForPayload payload(part.block().payload);
  const TypeOnDevice type(payload.type());
  part.copy_rest(payload, type.value_bytes);
  const std::uint32_t values = payload.values();
  const std::uint32_t count = packed_blocks_of(part.number(), blocks_of_tile, values);
  // Of all threads or of none: barriers follow.
  if (count == 0) return;
  const std::uint32_t first = part.number() * blocks_of_tile;
  if (type.value_bytes == 8) {
    const DeltaMemory<std::uint64_t> parts(memory, blocks_of_tile);
    decode_chains(stage_tile(payload, first, count, parts.staged), parts, type, values, part.block().output);
  } else {
    const DeltaMemory<std::uint32_t> parts(memory, blocks_of_tile);
    decode_chains(stage_tile(payload, first, count, parts.staged), parts, type, values, part.block().output);
  }
}

// On the host.

// Bytes of DeltaMemory with the words of a tile.
inline std::size_t delta_shared_bytes(const stage::FrameOnDevice& frame, std::uint32_t blocks_of_tile) {
  const format::tile_integer::TypeShape largest = extreme_shape(frame, false);
  const std::size_t number_bytes = largest.value_bytes == 8 ? 8 : 4;
  const std::size_t base_bytes = std::size_t{largest.reference_words} * format::tile_integer::word_bytes;
  return (warps_of_thread_block + chain_values) * number_bytes +
         std::size_t{blocks_of_tile} * miniblocks_of_packed_block * sizeof(Miniblock) +
         blocks_of_tile / packed_blocks_of_chain * base_bytes + staged_tile_bytes(frame, blocks_of_tile);
}

}  // namespace
}  // namespace gsst::tile_integer
