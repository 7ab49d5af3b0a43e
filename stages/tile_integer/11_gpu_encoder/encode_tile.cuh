#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stage/shared_memory.hpp"
#include "stages/tile_integer/11_gpu_encoder/encode_job.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_warp.cuh"

// What a thread block keeps for its tile.
namespace gsst::tile_integer::encoder {
namespace {

constexpr unsigned most_warps = most_threads / lanes_of_warp;

// The first thread writes what is about all of it.
struct alignas(16) TileShared {
  BlockOfValues block;
  // Bytes of the frame's blocks before this one, with their records.
  std::uint64_t bytes_before_block;
  std::uint32_t tile;
  std::uint32_t block_number;
  // The number of the tile's first value in its block.
  std::uint32_t first_value;
  bool is_first_of_block;
  bool is_last_of_block;
  // Words of the units of the block's earlier tiles.
  std::uint32_t words_before;
  // Warps that have said how many words they have, as `arrival` has it, and these words together.
  unsigned arrivals;
  // Of each warp.
  std::uint32_t warp_words[most_warps];
};

// How many units the 512 values of a chain are.
template <Packing Packed>
constexpr unsigned units_of_chain = Packed == Packing::runs ? 1 : packed_blocks_of_chain;

// Words of shared memory for the run blocks of a warp, and for the values and starts of a run block's runs
// after those before it. There is one start more than there are runs.
GSST_HOST_DEVICE inline std::uint32_t staging_words_of_runs(std::uint32_t run_blocks,
                                                            std::uint32_t value_bytes) {
  using namespace format::tile_integer;
  const std::uint32_t reference_words = value_bytes == 8 ? 2 : 1;
  const std::uint32_t run_block = 1 + reference_words + length_reference_words +
                                  2 * words_of_widths(max_miniblocks_of_stream) +
                                  max_miniblocks_of_stream * (8 * value_bytes + max_length_width);
  const std::uint32_t scratch = run_block_values * reference_words + run_block_values / 2 + 1;
  // Scratch memory begins with a whole vector.
  const std::uint32_t with_scratch = (run_blocks - 1) * run_block + 3 + scratch;
  const std::uint32_t all = run_blocks * run_block;
  return ((all < with_scratch ? with_scratch : all) + 3) / 4 * 4;
}

// Words of shared memory for the units of a warp: whole vectors.
GSST_HOST_DEVICE inline std::uint32_t staging_words_of_warp(std::uint32_t chains, std::uint32_t value_bytes,
                                                            Packing packing) {
  if (packing == Packing::runs) return staging_words_of_runs(chains, value_bytes);
  const std::uint32_t reference_words = value_bytes == 8 ? 2 : 1;
  const std::uint32_t packed_block = reference_words + 1 + miniblocks_of_packed_block * 8 * value_bytes;
  const std::uint32_t base = packing == Packing::chains ? reference_words : 0;
  return (chains * (packed_blocks_of_chain * packed_block + base) + 3) / 4 * 4;
}

// What a warp keeps of a tile.
struct WarpMemory {
  // Of its units.
  std::uint32_t* words;
  // From the first of these to each unit.
  std::uint32_t* starts;
};

// Words of shared memory that a warp has for a tile.
GSST_HOST_DEVICE inline std::uint32_t memory_words_of_warp(std::uint32_t chains, std::uint32_t value_bytes,
                                                           Packing packing) {
  return staging_words_of_warp(chains, value_bytes, packing) + chains * packed_blocks_of_chain;
}

// The calling warp's memory, in what warps have after `tiles` tiles.
template <Packing Packed>
__device__ WarpMemory memory_of_warp(const EncodeJob& job, std::uint8_t* memory, unsigned tiles) {
  const std::uint32_t words = memory_words_of_warp(job.chains_per_warp, job.value_bytes, Packed);
  auto* const of_warps = reinterpret_cast<std::uint32_t*>(memory + tiles * sizeof(TileShared));
  std::uint32_t* const own = of_warps + threadIdx.x / lanes_of_warp * words;
  return {.words = own, .starts = own + words - job.chains_per_warp * packed_blocks_of_chain};
}

// Called by the first thread: finds out what `tile` is.
__device__ inline void find_tile(const EncodeJob& job, std::uint32_t tile, TileShared& shared) {
  const std::uint32_t block = tile / job.tiles_per_block;
  const std::uint32_t number = tile - block * job.tiles_per_block;
  shared.block = job.block(block);
  shared.tile = tile;
  shared.block_number = block;
  shared.first_value = number * job.tile_values;
  shared.is_first_of_block = number == 0;
  shared.is_last_of_block = tile + 1 == job.end_of_tiles(block);
  shared.arrivals = 0;
}

// The number of the first value of chain `chain` of the calling warp, in the block.
__device__ inline std::uint32_t first_value_of_chain(const EncodeJob& job, const TileShared& shared,
                                                     std::uint32_t chain) {
  return shared.first_value + (threadIdx.x / lanes_of_warp * job.chains_per_warp + chain) * chain_values;
}

// How many of `count` values from `first_value` on there are: none after the block's end.
__device__ inline std::uint32_t values_from(const TileShared& shared, std::uint32_t first_value,
                                            std::uint32_t count) {
  if (first_value >= shared.block.values) return 0;
  const std::uint32_t left = shared.block.values - first_value;
  return left < count ? left : count;
}

// All lanes of a warp, after the barrier after which all warps' words are there: those of the first
// `warps`.
__device__ inline std::uint32_t words_of_warps(const TileShared& shared, unsigned warps) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
  return sum_of_warp(lane < warps ? shared.warp_words[lane] : 0);
}

// In TileShared::arrivals warps are counted above the bits of words: 64 chains have fewer.
constexpr unsigned arrival = 1U << 24;

// After the barrier after which all warps have arrived.
__device__ inline std::uint32_t words_of_tile(const TileShared& shared) {
  return shared.arrivals % arrival;
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
