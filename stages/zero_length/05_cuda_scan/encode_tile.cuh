#pragma once

#include <cstdint>

#include "common/device/look_back.cuh"
#include "common/stage/shared_memory.hpp"
#include "stages/zero_length/05_cuda_scan/encode_job.cuh"
#include "stages/zero_length/05_cuda_scan/encode_staging.cuh"

// A thread block's tile: what it is, and its bytes.
namespace gsst::zero_length::encoder {
namespace {

constexpr unsigned most_warps = 16;

// What a thread block keeps for its tile, without the elements. The first thread writes what is about all of
// it.
struct alignas(vector_bytes) TileShared {
  PickTables tables;
  std::uint64_t sum_before;
  // From the input's first byte.
  std::uint64_t begin;
  std::uint32_t tile;
  std::uint32_t block;
  // Bytes of the tile and, from its begin on, of its block.
  std::uint32_t bytes;
  std::uint32_t bytes_of_block;
  std::uint32_t is_first_of_block;
  std::uint32_t zeros_before;
  unsigned ticket;
  // Bytes of the elements of all threads.
  std::uint32_t element_bytes;
  // Of each warp: zeros at its end, the two lowest bits of its zeros, and the bytes of its elements, which
  // those of the warps before it replace.
  std::uint32_t warp_zeros[most_warps];
  std::uint32_t warp_first_zeros[most_warps];
  std::uint32_t warp_bytes[most_warps];
};

// Bytes of the elements' part of shared memory: the elements of a tile, and up to 15 before them.
GSST_HOST_DEVICE inline std::size_t staging_bytes(std::uint32_t tile_bytes) {
  return format::zero_length::max_elements_bytes(tile_bytes) + vector_bytes;
}

GSST_HOST_DEVICE inline std::size_t shared_bytes(std::uint32_t tile_bytes) {
  return sizeof(TileShared) + staging_bytes(tile_bytes);
}

// All threads of the block: finds out what `tile` is.
__device__ inline void find_tile(const EncodeJob& job, std::uint32_t tile, TileShared& shared) {
  if (threadIdx.x == 0) {
    const std::uint32_t block = tile / job.tiles_per_block;
    const std::uint32_t number = tile - block * job.tiles_per_block;
    const std::uint32_t offset = number * job.tile_bytes;
    const std::uint32_t left = job.bytes_of_block(block) - offset;
    shared.begin = job.block_begin(block) + offset;
    shared.tile = tile;
    shared.block = block;
    shared.bytes = left < job.tile_bytes ? left : job.tile_bytes;
    shared.bytes_of_block = left;
    shared.is_first_of_block = number == 0 ? 1 : 0;
    shared.zeros_before = 0;
  }
  copy_pick_tables(shared.tables);
  __syncthreads();
}

// What a thread encodes, and what of it is known.
struct ThreadInput {
  Chunk chunks[chunks_of_thread];
  ByteBits bits[chunks_of_thread];
  // Zeros at the end.
  std::uint32_t zeros;
};

// Where the thread's bytes start in the tile. The last threads of a tile may have none.
__device__ inline std::uint32_t thread_offset() {
  return threadIdx.x * thread_bytes;
}

__device__ inline ThreadInput load_input(const EncodeJob& job, const TileShared& shared) {
  ThreadInput input;
  input.zeros = 0;
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    const std::uint32_t offset = thread_offset() + number * chunk_bytes;
    Chunk& chunk = input.chunks[number];
    chunk = load_chunk(job.input_range(), job.input + shared.begin + offset,
                       offset < shared.bytes ? shared.bytes - offset : 0);
  }
#pragma unroll
  for (unsigned number = 0; number < chunks_of_thread; ++number) {
    ByteBits& bits = input.bits[number];
    bits = bits_of_words(input.chunks[number].words);
    bits.zeros &= input.chunks[number].valid;
    const std::uint32_t at_end = zeros_at_end(bits.zeros);
    input.zeros = at_end == chunk_bytes ? input.zeros + chunk_bytes : at_end;
  }
  return input;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
