#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_7_transposition.cuh"

// Stream compaction by a warp a tile: lanes take words next to each other, count the codes before theirs, and
// write next to each other (paper 6.2, 6.3). What is padding says a length, not a byte's value.
namespace {
namespace compaction {

// The sum of the values of the lanes before this one.
__device__ inline std::uint32_t sum_before(std::uint32_t value) {
  const std::uint32_t lane = threadIdx.x % 32;
  std::uint32_t inclusive = value;
  for (std::uint32_t delta = 1; delta < 32; delta *= 2) {
    const std::uint32_t other = __shfl_up_sync(all_lanes, inclusive, delta);
    if (lane >= delta) inclusive += other;
  }
  return inclusive - value;
}

// All lanes: copies the codes among `words`, of which `rows` are there, to the tile's place in the frame.
__device__ inline void compact_tile(const EncodeJob& job, const std::uint32_t* words, std::uint32_t rows,
                                    const FramePiece& to) {
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t* const padded_rows = words + transposition::column_words(job.matrix_rows);
  std::uint32_t copied = 0;
  for (std::uint32_t first_row = 0; copied < to.size; first_row += 32) {
    const std::uint32_t row = first_row + lane;
    const bool padded = (padded_rows[first_row / 32] >> lane & 1) != 0;
    const std::uint32_t word = row < rows ? words[row] : 0;
    const std::uint32_t codes = row < rows ? voting_flush::codes_in_word(word, padded) : 0;
    const std::uint32_t before = copied + sum_before(codes);
    for (std::uint32_t byte = 0; byte < codes; ++byte) {
      to.bytes[before + byte] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
    copied = __shfl_sync(all_lanes, before + codes, 31);
  }
}

// A warp copies the codes of the tiles that its threads encoded. Any grid of groups.
__global__ void compact_tiles(EncodeJob job) {
  const Tile own = tile_of_thread(job);
  const std::uint32_t first = threadIdx.x / 32 * 32;
  const std::uint32_t rows = job.rows_of_group[blockIdx.x];
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const FramePiece to = codes_in_frame(job, own.block, own.split - threadIdx.x % 32 + lane);
    compact_tile(job, transposition::words_of_thread(job, first + lane), rows, to);
  }
}

}  // namespace compaction
}  // namespace
