#pragma once

#include <cstdint>

#include "stages/gsst/08_gpu_encoder/kernel_4_sliding_window.cuh"

// Codes are put together in words in shared memory before they are written (paper 5.4, Listing 3).
namespace {

// Words of a thread's output buffer.
constexpr std::uint32_t buffer_words = 8;

// The threads' circular output buffers, a column of words each.
class CodeBuffer {
public:
  GSST_HOST_DEVICE static std::uint32_t shared_bytes(unsigned threads) { return buffer_words * threads * 4; }

  __device__ explicit CodeBuffer(std::uint8_t* shared) : words_(reinterpret_cast<std::uint32_t*>(shared)) {}

  // Word `word` of the thread's codes, of which the buffer keeps the last buffer_words.
  __device__ std::uint32_t& word(std::uint32_t word) {
    return words_[word % buffer_words * blockDim.x + threadIdx.x];
  }

  // Sets byte `position` of the thread's codes. The first byte of a word clears the others.
  __device__ void put(std::uint32_t position, std::uint32_t code) {
    std::uint32_t& to = word(position / 4);
    const std::uint32_t shift = position % 4 * 8;
    to = shift == 0 ? code : to | code << shift;
  }

private:
  std::uint32_t* words_;
};

namespace packed_output {

// Writes whole words as the thread's buffer fills.
class Output {
public:
  // `region` is where the tile's codes go, aligned to 4.
  __device__ Output(std::uint8_t* region, const CodeBuffer& buffer)
      : region_(reinterpret_cast<std::uint32_t*>(region)), buffer_(buffer) {}

  __device__ void put(std::uint32_t code) { buffer_.put(code_bytes_++, code); }

  // The next match may start one more word: it must not be one that is still to be written.
  __device__ void after_match() {
    while (code_bytes_ / 4 - written_words_ >= buffer_words - 1) write_word();
  }

  // Writes what is left in the buffer.
  __device__ void finish() {
    while (written_words_ * 4 < code_bytes_) write_word();
  }

  __device__ std::uint32_t code_bytes() const { return code_bytes_; }

private:
  __device__ void write_word() {
    region_[written_words_] = buffer_.word(written_words_);
    ++written_words_;
  }

  std::uint32_t* region_;
  CodeBuffer buffer_;
  std::uint32_t code_bytes_ = 0;
  std::uint32_t written_words_ = 0;
};

// Shared memory: lookup tables, chunks, output buffers. Any grid of groups.
template <typename Lookup>
__global__ void encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  const Tile tile = tile_of_thread(job);
  const Lookup lookup(job, tile.block, shared);
  Output output(job.regions + tile.thread * job.region_bytes,
                CodeBuffer(shared + job.shape.bytes() + Chunk::shared_bytes(blockDim.x)));
  encode_tile(job, tile, lookup, Chunk(shared + job.shape.bytes()), output);
  output.finish();
  set_code_bytes(job, tile, output.code_bytes());
}

}  // namespace packed_output
}  // namespace
