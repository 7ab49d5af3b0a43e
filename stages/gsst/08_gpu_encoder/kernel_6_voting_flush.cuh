#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_5_packed_output.cuh"

// The lanes of a warp write the same row of the group's output matrix at the same time: one coalesced
// transaction. They vote on when (paper 5.5, Fig 5).
namespace {
namespace voting_flush {

// Words of a row of a group's matrix: one for each thread, and for each warp a bit for each lane that says
// that its word is padded. The highest byte of a padded word says how many of its bytes are codes.
__device__ inline std::uint32_t row_words() {
  return blockDim.x + blockDim.x / 32;
}

__device__ inline std::uint32_t* matrix_of_group(const EncodeJob& job) {
  return job.matrices + std::uint64_t{blockIdx.x} * job.matrix_rows * row_words();
}

// How many of the word's bytes are codes.
__device__ inline std::uint32_t codes_in_word(std::uint32_t word, bool padded) {
  return padded ? word >> 24 : 4;
}

// A thread's codes on their way through its buffer to its column of the matrix. `head` counts bytes of the
// column: codes and padding.
class Column {
public:
  __device__ Column(std::uint8_t* shared_buffer, std::uint32_t* matrix)
      : buffer_(shared_buffer), matrix_(matrix) {}

  __device__ void put(std::uint32_t code) { buffer_.put(head_++, code); }

  // Rows that the warp has written.
  __device__ std::uint32_t rows() const { return rows_; }

  // All lanes: writes a row if every lane has filled its word of it or is through with its tile, or if some
  // lane's buffer has no room for the two bytes of another escape.
  __device__ void vote(bool finished) {
    const bool filled = finished || head_ >= 4 * (rows_ + 1);
    const bool full = head_ + 2 > 4 * (rows_ + buffer_words);
    const bool all_filled = __all_sync(all_lanes, filled) != 0;
    if (all_filled || __any_sync(all_lanes, full) != 0) flush();
  }

  // All lanes: writes what is left of the longest.
  __device__ void drain() {
    while (__any_sync(all_lanes, head_ > 4 * rows_) != 0) flush();
  }

  // All lanes: writes the next row.
  __device__ void flush() {
    const std::uint32_t begin = 4 * rows_;
    const std::uint32_t codes = head_ > begin ? head_ - begin : 0;
    const bool padded = codes < 4;
    std::uint32_t word = codes == 0 ? 0 : buffer_.word(rows_);
    if (padded) {
      word |= codes << 24;
      head_ = begin + 4;
    }
    const std::uint32_t padded_lanes = __ballot_sync(all_lanes, padded);
    std::uint32_t* const row = matrix_ + std::uint64_t{rows_} * row_words();
    row[threadIdx.x] = word;
    if (threadIdx.x % 32 == 0) row[blockDim.x + threadIdx.x / 32] = padded_lanes;
    ++rows_;
  }

private:
  CodeBuffer buffer_;
  std::uint32_t* matrix_;
  std::uint32_t head_ = 0;
  std::uint32_t rows_ = 0;
};

// All warps write as many rows as the one with the most, so that the matrix has no holes. Shared memory: a
// word a warp. Returns that number.
__device__ inline std::uint32_t fill_matrix(Column& column, std::uint32_t* rows_of_warp) {
  column.drain();
  if (threadIdx.x % 32 == 0) rows_of_warp[threadIdx.x / 32] = column.rows();
  __syncthreads();
  std::uint32_t rows = 0;
  for (unsigned warp = 0; warp < blockDim.x / 32; ++warp) {
    if (rows_of_warp[warp] > rows) rows = rows_of_warp[warp];
  }
  while (column.rows() < rows) column.flush();
  return rows;
}

// Shared memory: lookup tables, chunks, output buffers, a word a warp. Any grid of groups.
template <typename Lookup>
__global__ void encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  const Tile tile = tile_of_thread(job);
  const Lookup lookup(job, tile.block, shared);
  std::uint8_t* const chunks = shared + job.shape.bytes();
  std::uint8_t* const buffers = chunks + Chunk::shared_bytes(blockDim.x);
  auto* const rows_of_warp = reinterpret_cast<std::uint32_t*>(buffers + CodeBuffer::shared_bytes(blockDim.x));
  Chunk chunk(chunks);
  Column column(buffers, matrix_of_group(job));
  const TileWords words = words_of(job.parts.cut, tile.input);
  Window window(tile.input);
  std::uint32_t code_bytes = 0;
  std::uint32_t left = tile.input.size;
  const std::uint32_t end_word = words_of_warp(job.parts.cut, words);
  for (std::uint32_t first_word = 0; first_word < end_word; first_word += chunk_words) {
    chunk.load(job.parts.cut, words, first_word);
    while (true) {
      const bool encodes = window.slide(chunk, first_word) && left != 0;
      if (__any_sync(all_lanes, encodes) == 0) break;
      if (encodes) {
        const Match match = lookup.find(window.low(), window.high(), left < 8 ? left : 8);
        column.put(code_of(match));
        ++code_bytes;
        if (code_of(match) == gsst::format::escape_code) {
          column.put(window.low() & 0xff);
          ++code_bytes;
        }
        window.advance(length_of(match));
        left -= length_of(match);
      }
      column.vote(left == 0);
    }
  }
  set_code_bytes(job, tile, code_bytes);
  const std::uint32_t rows = fill_matrix(column, rows_of_warp);
  if (threadIdx.x == 0) job.rows_of_group[blockIdx.x] = rows;
}

// A thread copies its tile's codes from its column to their place in the frame.
__global__ void copy_columns(EncodeJob job) {
  const Tile tile = tile_of_thread(job);
  const FramePiece to = codes_in_frame(job, tile.block, tile.split);
  const std::uint32_t* row = matrix_of_group(job);
  for (std::uint32_t copied = 0; copied < to.size; row += row_words()) {
    const std::uint32_t word = row[threadIdx.x];
    const bool padded = (row[blockDim.x + threadIdx.x / 32] >> (threadIdx.x % 32) & 1) != 0;
    const std::uint32_t codes = codes_in_word(word, padded);
    for (std::uint32_t byte = 0; byte < codes; ++byte) {
      to.bytes[copied++] = static_cast<std::uint8_t>(word >> (8 * byte));
    }
  }
}

}  // namespace voting_flush

// Rows that a group's matrix has at most, with tiles of up to `bytes` bytes. A match takes a lane at most one
// turn for each of its bytes, and from chunk to chunk lanes drift apart by less than four words. A row is
// written only if it has a full word of some lane, which takes two turns of escapes; the last ones empty the
// buffers.
constexpr std::uint32_t most_rows(std::uint32_t bytes) {
  const std::uint64_t chunks = (most_words(bytes) + chunk_words - 1) / chunk_words;
  return static_cast<std::uint32_t>((bytes + chunks * 16) / 2 + buffer_words + 2);
}

}  // namespace
