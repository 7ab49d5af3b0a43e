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

// Shared memory: lookup tables, chunks, output buffers. Any grid of groups.
template <typename Lookup>
__global__ void encode_tiles(EncodeJob job) {
  GSST_SHARED_MEMORY(shared);
  const Tile tile = tile_of_thread(job);
  const Lookup lookup(job, tile.block, shared);
  Chunk chunk(shared + job.shape.bytes());
  CodeBuffer buffer(shared + job.shape.bytes() + Chunk::shared_bytes(blockDim.x));
  const TileWords words = words_of(job.parts.cut, tile.input);
  Window window(tile.input);
  auto* const codes = reinterpret_cast<std::uint32_t*>(job.regions + tile.thread * job.region_bytes);
  std::uint32_t code_bytes = 0;
  std::uint32_t written_words = 0;
  std::uint32_t left = tile.input.size;
  const std::uint32_t end_word = words_of_warp(job.parts.cut, words);
  for (std::uint32_t first_word = 0; first_word < end_word; first_word += chunk_words) {
    chunk.load(job.parts.cut, words, first_word);
    while (window.slide(chunk, first_word) && left != 0) {
      const Match match = lookup.find(window.low(), window.high(), left < 8 ? left : 8);
      buffer.put(code_bytes++, code_of(match));
      if (code_of(match) == gsst::format::escape_code) buffer.put(code_bytes++, window.low() & 0xff);
      window.advance(length_of(match));
      left -= length_of(match);
      // The next match may start one more word: it must not be one that is still to be written.
      for (; code_bytes / 4 - written_words >= buffer_words - 1; ++written_words) {
        codes[written_words] = buffer.word(written_words);
      }
    }
  }
  for (; written_words * 4 < code_bytes; ++written_words) codes[written_words] = buffer.word(written_words);
  set_code_bytes(job, tile, code_bytes);
}

}  // namespace packed_output
}  // namespace
