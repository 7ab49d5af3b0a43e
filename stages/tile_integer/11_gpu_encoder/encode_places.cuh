#pragma once

#include <cstdint>

#include "common/device/look_back.cuh"
#include "stages/tile_integer/11_gpu_encoder/encode_tile.cuh"

// Where a tile's words go. Sums of two kinds are looked up, at the same time by two warps: the words of the
// tiles before it in its block, and the bytes of the blocks before its block. What a block takes in the frame
// is no sum of its tiles: it is padded, and it may be stored raw. Its tiles add their words to one sum. The
// first one that finds all of them there when it looks back publishes the block's bytes. So no block waits
// for the places of earlier ones, nor for the look-back of their last tiles: for that, warps waited a third
// of their time on an H200.
namespace gsst::tile_integer::encoder {
namespace {

// All lanes of a warp, once, as soon as they know their words: the last warp of the thread block to do so
// tells later tiles of the words of this one.
__device__ inline void publish_words(const EncodeJob& job, TileShared& shared, std::uint32_t words) {
  if (lane_number() != 0) return;
  shared.warp_words[warp_number()] = words;
  const unsigned arrivals = added_by_one_lane(&shared.arrivals, arrival + words);
  if (arrivals / arrival != blockDim.x / lanes_of_warp) return;
  const std::uint32_t words_of_all = arrivals % arrival;
  std::uint64_t* const state = &job.tile_states[shared.tile];
  if (shared.is_first_of_block) {
    device::publish_sum_from_start(state, words_of_all);
  } else {
    device::publish_sum_of_tile(state, words_of_all);
  }
  // Nobody waits for the answer.
  atomicAdd(&job.block_sums[shared.block_number], 1ULL << bits_of_words | words_of_all);
}

// Whether `sum` has the words of all tiles of a block.
__device__ inline bool is_of_whole_block(const EncodeJob& job, std::uint32_t block, unsigned long long sum) {
  return sum >> bits_of_words == job.tiles_of(block);
}

__device__ inline std::uint64_t bytes_with_record(const BlockPlace& place) {
  return format::record_header_bytes + std::uint64_t{place.payload_bytes};
}

// One warp: shared.words_before.
__device__ inline void look_back_over_tiles(const EncodeJob& job, TileShared& shared) {
  const std::uint64_t before =
      shared.is_first_of_block ? 0 : device::sum_before_tile(job.tile_states, shared.tile);
  if (lane_number() == 0) shared.words_before = static_cast<std::uint32_t>(before);
}

// One lane: publishes the bytes of the tile's block if all of its words are known. The last tile to be
// encoded finds all words. The result is whether the block is known to be raw.
__device__ inline bool publish_block(const EncodeJob& job, const TileShared& shared) {
  const std::uint32_t block = shared.block_number;
  std::uint64_t* const state = &job.block_states[block];
  const unsigned long long sum = device::load_relaxed(&job.block_sums[block]);
  const bool is_published = device::load_relaxed(state) != 0;
  if (sum >> bits_of_words != job.tiles_of(block)) return false;
  const BlockPlace place = stored_block(shared.block, static_cast<std::uint32_t>(sum));
  // Two tiles may do so at the same time. It is the same, or what the block's last tile publishes, which says
  // more, is replaced by what does as well.
  if (!is_published) device::publish_sum_of_tile(state, bytes_with_record(place));
  return place.layout == format::BlockLayout::raw;
}

// One lane: whether the tiles of the tile's block write its bytes. The first one that asks decides, by
// whether the block `is_raw` as far as it knows: most often it does, since a block's tiles are encoded at
// about the same time. `decided` is what was read of it.
__device__ inline bool writes_raw_bytes(const EncodeJob& job, const TileShared& shared, unsigned decided,
                                        bool is_raw) {
  if (decided == undecided) {
    const auto own = static_cast<unsigned>(is_raw ? raw_bytes : units_first);
    decided = atomicCAS(&job.writings[shared.block_number], unsigned{undecided}, own);
    if (decided == undecided) decided = own;
  }
  return decided == raw_bytes;
}

// One warp: shared.bytes_before_block and, where tiles are copied in the same kernel, shared.is_raw.
template <bool Copies>
__device__ void look_back_over_blocks(const EncodeJob& job, TileShared& shared) {
  const bool is_first_lane = lane_number() == 0;
  if (is_first_lane) {
    [[maybe_unused]] unsigned decided = undecided;
    if constexpr (Copies) decided = device::load_relaxed(&job.writings[shared.block_number]);
    [[maybe_unused]] const bool is_raw = publish_block(job, shared);
    if constexpr (Copies) shared.is_raw = writes_raw_bytes(job, shared, decided, is_raw);
  }
  __syncwarp();
  const std::uint64_t before = device::sum_before_tile(job.block_states, shared.block_number);
  if (is_first_lane) shared.bytes_before_block = before;
}

// All threads of the block, between two barriers: the places of the tile and of its block. Before the first
// one all warps have published their words: else nobody might find those of the whole block.
template <bool Copies>
__device__ void look_back(const EncodeJob& job, TileShared& shared) {
  const unsigned warp = warp_number();
  if (warp == 0) look_back_over_tiles(job, shared);
  if (warp == 1) look_back_over_blocks<Copies>(job, shared);
}

// One thread, after the barrier: what is known of the tile's end and, in the last tile of a block, of the
// block's.
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

}  // namespace
}  // namespace gsst::tile_integer::encoder
