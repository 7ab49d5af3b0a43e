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

// One thread writes what is about all of it, before the barrier that comes before the tile is encoded.
struct alignas(16) TileShared {
  BlockOfValues block;
  // Bytes of the frame's blocks before this one, with their records.
  std::uint64_t bytes_before_block;
  // The tile's first byte.
  const std::uint8_t* input;
  std::uint32_t tile;
  std::uint32_t block_number;
  // The number of the tile's first value in its block.
  std::uint32_t first_value;
  // From the first value on, up to the end of the tile or of the block.
  std::uint32_t values;
  bool is_first_of_block;
  bool is_last_of_block;
  // Whether vectors can be read.
  bool is_aligned;
  // Whether the block's tiles write its bytes. Known after the look-back.
  bool is_raw;
  // Words of the units of the block's earlier tiles.
  std::uint32_t words_before;
  // Warps that have said how many words they have, as `arrival` has it, and these words together.
  unsigned arrivals;
  // Words of the largest unit that is packed so far.
  unsigned largest;
  // Of each warp.
  std::uint32_t warp_words[most_warps];

  // From the block's first byte.
  __device__ std::uint64_t begin(const EncodeJob& job) const {
    return std::uint64_t{first_value} << job.value_shift;
  }
  // With what is no whole value, at the block's end.
  __device__ std::uint32_t bytes(const EncodeJob& job) const {
    const auto before = static_cast<std::uint32_t>(begin(job));
    return is_last_of_block ? block.bytes - before : job.tile_values << job.value_shift;
  }
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

// Each warp has memory for the starts of its units, two chains of them at most, for their words, which begin
// with a whole vector, and for what may be read and changed by nothing after them.
constexpr std::uint32_t most_starts = 2 * packed_blocks_of_chain;
constexpr std::uint32_t words_after_units = 4;

// Words of shared memory that a warp has for a tile.
GSST_HOST_DEVICE inline std::uint32_t memory_words_of_warp(std::uint32_t chains, std::uint32_t value_bytes,
                                                           Packing packing) {
  return most_starts + staging_words_of_warp(chains, value_bytes, packing) + words_after_units;
}

// A number that the compiler takes apart no more: what is at small distances from it needs no register.
__device__ inline std::uint32_t as_one_number(std::uint32_t number) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(number));
#endif
  return number;
}

// The words of the calling warp's units, in the memory after `tiles` tiles and after what all warps have for
// `others` of them.
template <Packing Packed>
__device__ std::uint32_t* words_of_warp(const EncodeJob& job, std::uint8_t* memory, unsigned tiles,
                                        std::uint32_t others = 0) {
  const std::uint32_t words = memory_words_of_warp(job.chains_per_warp, job.value_bytes, Packed);
  auto* const of_warps = reinterpret_cast<std::uint32_t*>(memory + tiles * sizeof(TileShared));
  const std::uint32_t warps_before = others * (blockDim.x / lanes_of_warp) + warp_number();
  return of_warps + as_one_number(warps_before * words + most_starts);
}

// From the first of these to each unit. A distance that is known keeps their address out of registers.
__device__ inline std::uint32_t* starts_of(std::uint32_t* words) {
  return words - most_starts;
}

// Called by one thread: has whole vectors of `bytes` bytes brought to the L2 cache. A hint, without effect on
// what is computed. One instruction does it for a tile, whose loads come later: warps waited 9 % of their
// time for memory on an H200.
__device__ inline void bring_nearer([[maybe_unused]] const std::uint8_t* from,
                                    [[maybe_unused]] std::uint32_t bytes) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  constexpr std::uint32_t vector = 16;
  if (bytes < vector) return;
  asm volatile("cp.async.bulk.prefetch.L2.global [%0], %1;" ::"l"(__cvta_generic_to_global(from)),
               "r"(bytes / vector * vector)
               : "memory");
#endif
}

// Called by one thread: finds out what `tile` is.
__device__ inline void find_tile(const EncodeJob& job, std::uint32_t tile, TileShared& shared) {
  const std::uint32_t block = tile / job.tiles_per_block;
  const std::uint32_t number = tile - block * job.tiles_per_block;
  shared.tile = tile;
  if (tile >= job.tile_count) return;
  shared.block = job.block(block);
  shared.block_number = block;
  shared.first_value = number * job.tile_values;
  const std::uint32_t left = shared.block.values - shared.first_value;
  shared.values = left < job.tile_values ? left : job.tile_values;
  shared.input = job.input + shared.block.begin + shared.begin(job);
  shared.is_first_of_block = number == 0;
  shared.is_last_of_block = tile + 1 == job.end_of_tiles(block);
  shared.is_aligned = reinterpret_cast<std::uintptr_t>(shared.input) % 16 == 0;
  shared.arrivals = 0;
  shared.largest = 0;
  if (shared.is_aligned) bring_nearer(shared.input, shared.values << job.value_shift);
}

// The number of the calling warp's first value, in the tile.
__device__ inline std::uint32_t first_value_of_warp(const EncodeJob& job) {
  return warp_number() * job.chains_per_warp * chain_values;
}

// How many of `count` values of a tile from `first` on there are: none after the block's end.
__device__ inline std::uint32_t values_from(const TileShared& shared, std::uint32_t first,
                                            std::uint32_t count) {
  if (first >= shared.values) return 0;
  const std::uint32_t left = shared.values - first;
  return left < count ? left : count;
}

// All lanes of a warp, after the barrier after which all warps' words are there: those of the first
// `warps`.
__device__ inline std::uint32_t words_of_warps(const TileShared& shared, unsigned warps) {
  const unsigned lane = lane_number();
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
