#pragma once

#include <cstdint>

#include "common/device/look_back.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_tile.cuh"

// Where a tile's words go. Sums of two kinds are looked up, at the same time by two warps: the words of the
// tiles before it in its block, and the bytes of the blocks before its block. What a block takes in the frame
// is no sum of its tiles: it is padded, and it may be stored raw. Its last tile knows all sums of its tiles
// as soon as they are published, without anybody's look-back, and publishes the block's bytes. So no block
// waits for the places of earlier ones.
namespace gsst::tile_integer::encoder {
namespace {

// All lanes of a warp, once, as soon as they know their words: the last warp of the thread block to do so
// tells later tiles of the words of this one.
__device__ inline void publish_words(const EncodeJob& job, TileShared& shared, std::uint32_t words) {
  if (threadIdx.x % lanes_of_warp != 0) return;
  shared.warp_words[threadIdx.x / lanes_of_warp] = words;
  const unsigned arrivals = atomicAdd(&shared.arrivals, arrival + words) + arrival + words;
  if (arrivals / arrival != blockDim.x / lanes_of_warp) return;
  std::uint64_t* const state = &job.tile_states[shared.tile];
  if (shared.is_first_of_block) {
    device::publish_sum_from_start(state, arrivals % arrival);
  } else {
    device::publish_sum_of_tile(state, arrivals % arrival);
  }
}

__device__ inline std::uint64_t bytes_with_record(const BlockPlace& place) {
  return format::record_header_bytes + std::uint64_t{place.payload_bytes};
}

// The first warp: shared.words_before. The last tile of a block, whose words are there, publishes the block's
// bytes.
__device__ inline void look_back_over_tiles(const EncodeJob& job, TileShared& shared) {
  const std::uint64_t before =
      shared.is_first_of_block ? 0 : device::sum_before_tile(job.tile_states, shared.tile);
  if (threadIdx.x % lanes_of_warp != 0) return;
  shared.words_before = static_cast<std::uint32_t>(before);
  if (!shared.is_last_of_block) return;
  const BlockPlace place = stored_block(shared.block, shared.words_before + words_of_tile(shared));
  device::publish_sum_of_tile(&job.block_states[shared.block_number], bytes_with_record(place));
}

// One warp: shared.bytes_before_block.
__device__ inline void look_back_over_blocks(const EncodeJob& job, TileShared& shared) {
  const std::uint64_t before = device::sum_before_tile(job.block_states, shared.block_number);
  if (threadIdx.x % lanes_of_warp == 0) shared.bytes_before_block = before;
}

// One thread: what is known of the tile's end and, in the last tile of a block, of the block's.
__device__ inline void publish_places(const EncodeJob& job, const TileShared& shared) {
  const std::uint32_t words = shared.words_before + words_of_tile(shared);
  if (!shared.is_first_of_block) device::publish_sum_from_start(&job.tile_states[shared.tile], words);
  if (!shared.is_last_of_block) return;
  BlockPlace place = stored_block(shared.block, words);
  device::publish_sum_from_start(&job.block_states[shared.block_number],
                                 shared.bytes_before_block + bytes_with_record(place));
  place.payload_offset = format::frame_header_bytes + shared.bytes_before_block + format::record_header_bytes;
  job.places[shared.block_number] = place;
}

// All threads of the block, whose warps have published their words: the places of the tile and of its block,
// and the words of all warps.
__device__ inline void look_back(const EncodeJob& job, TileShared& shared) {
  if (shared.is_last_of_block) __syncthreads();
  const unsigned warp = threadIdx.x / lanes_of_warp;
  if (warp == 0) look_back_over_tiles(job, shared);
  if (warp == 1) look_back_over_blocks(job, shared);
  __syncthreads();
  if (threadIdx.x == 0) publish_places(job, shared);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
