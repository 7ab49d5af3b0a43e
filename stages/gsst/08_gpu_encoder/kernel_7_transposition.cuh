#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_6_voting_flush.cuh"

// The matrix of a group is transposed, so that the codes of a tile lie one after the other (paper 6.2).
namespace {
namespace transposition {

// Words of one tile: its column of the matrix in whole squares, and behind them a bit for each word that is
// padded.
GSST_HOST_DEVICE constexpr std::uint32_t column_words(std::uint32_t matrix_rows) {
  return (matrix_rows + 31) / 32 * 32;
}
GSST_HOST_DEVICE constexpr std::uint32_t words_of_tile(std::uint32_t matrix_rows) {
  return column_words(matrix_rows) + column_words(matrix_rows) / 32;
}

// The words of the tile that thread `thread` of the group encoded.
__device__ inline std::uint32_t* words_of_thread(const EncodeJob& job, std::uint32_t thread) {
  return job.tile_words + (std::uint64_t{blockIdx.x} * blockDim.x + thread) * words_of_tile(job.matrix_rows);
}

// A warp transposes the columns of its own tiles, 32 rows at a time. Shared memory: a square of words and a
// column of padding a warp. Any grid of groups.
__global__ void transpose_matrices(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  const std::uint32_t lane = threadIdx.x % 32;
  const std::uint32_t warp = threadIdx.x / 32;
  // Of a warp all of whose tiles are behind the block's end nobody reads anything.
  if (tile_of_thread(job).split - lane >= job.parts.cut.used_splits()) return;
  auto* const square = reinterpret_cast<std::uint32_t*>(shared) + std::size_t{warp} * 32 * 33;
  const std::uint32_t row_words = voting_flush::row_words();
  const std::uint32_t* const matrix = voting_flush::matrix_of_group(job);
  const std::uint32_t rows = job.rows_of_group[blockIdx.x];
  for (std::uint32_t first_row = 0; first_row < rows; first_row += 32) {
    const std::uint32_t count = rows - first_row < 32 ? rows - first_row : 32;
    const std::uint32_t* const first = matrix + std::uint64_t{first_row} * row_words;
    for (std::uint32_t row = 0; row < count; ++row) {
      square[row * 33 + lane] = first[std::uint64_t{row} * row_words + threadIdx.x];
    }
    // Of row `lane`: a bit a tile.
    const std::uint32_t padded_tiles =
        lane < count ? first[std::uint64_t{lane} * row_words + blockDim.x + warp] : 0;
    __syncwarp();
    for (std::uint32_t tile = 0; tile < 32; ++tile) {
      std::uint32_t* const to = words_of_thread(job, warp * 32 + tile);
      const std::uint32_t padded_rows = __ballot_sync(all_lanes, (padded_tiles >> tile & 1) != 0);
      if (lane < count) to[first_row + lane] = square[lane * 33 + tile];
      if (lane == 0) to[column_words(job.matrix_rows) + first_row / 32] = padded_rows;
    }
    __syncwarp();
  }
}

// A thread copies its tile's codes to their place in the frame.
__global__ void copy_tiles(EncodeJob job) {
  const Tile tile = tile_of_thread(job);
  const FramePiece to = codes_in_frame(job, tile.block, tile.split);
  const std::uint32_t* const words = words_of_thread(job, threadIdx.x);
  const std::uint32_t* const padded_rows = words + column_words(job.matrix_rows);
  std::uint32_t copied = 0;
  for (std::uint32_t row = 0; copied < to.size; ++row) {
    const bool padded = (padded_rows[row / 32] >> (row % 32) & 1) != 0;
    const std::uint32_t codes = voting_flush::codes_in_word(words[row], padded);
    for (std::uint32_t byte = 0; byte < codes; ++byte) {
      to.bytes[copied++] = static_cast<std::uint8_t>(words[row] >> (8 * byte));
    }
  }
}

}  // namespace transposition
}  // namespace
