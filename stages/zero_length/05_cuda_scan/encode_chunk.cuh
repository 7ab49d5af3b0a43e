#pragma once

#include <cstdint>

#include "stages/zero_length/05_cuda_scan/encode_bits.cuh"

// How a thread gets the bytes that it encodes.
namespace gsst::zero_length::encoder {
namespace {

// Some of the input, in global memory, and where reading it must end.
struct InputRange {
  const std::uint8_t* begin;
  const std::uint8_t* end;
};

struct Chunk {
  // Bytes after the end are 0.
  std::uint32_t words[words_of_chunk];
  // A bit for each byte that there is.
  std::uint32_t valid;
};

constexpr unsigned vector_bytes = 16;
constexpr unsigned words_of_vector = vector_bytes / bytes_of_word;

// What one access moves.
struct alignas(vector_bytes) Vector {
  std::uint32_t words[words_of_vector];
};

__device__ inline void load_aligned_words(std::uint32_t (&words)[words_of_chunk], const std::uint8_t* from) {
#pragma unroll
  for (unsigned vector = 0; vector < chunk_bytes / vector_bytes; ++vector) {
    const Vector loaded = reinterpret_cast<const Vector*>(from)[vector];
#pragma unroll
    for (unsigned word = 0; word < words_of_vector; ++word) {
      words[vector * words_of_vector + word] = loaded.words[word];
    }
  }
}

// Bytes over an end of a chunk that an aligned word with one of its bytes can reach.
constexpr std::int64_t most_bytes_over = bytes_of_word;

// From words at aligned addresses, of which the first and the last reach over the chunk's ends.
__device__ inline void load_shifted_words(std::uint32_t (&words)[words_of_chunk], const std::uint8_t* from) {
  const auto misaligned = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from) % bytes_of_word);
  const auto* const aligned = reinterpret_cast<const std::uint32_t*>(from - misaligned);
  std::uint32_t word = aligned[0];
#pragma unroll
  for (unsigned i = 0; i < words_of_chunk; ++i) {
    const std::uint32_t next = aligned[i + 1];
    words[i] = __funnelshift_r(word, next, 8 * misaligned);
    word = next;
  }
}

__device__ inline void load_bytes(std::uint32_t (&words)[words_of_chunk], const std::uint8_t* from,
                                  std::uint32_t bytes) {
#pragma unroll
  for (unsigned word = 0; word < words_of_chunk; ++word) {
    words[word] = 0;
#pragma unroll
    for (unsigned byte = 0; byte < bytes_of_word; ++byte) {
      const unsigned number = word * bytes_of_word + byte;
      if (number < bytes) words[word] |= std::uint32_t{from[number]} << (8 * byte);
    }
  }
}

// The chunk at `from`, of which `bytes` bytes are the block's, if not more than a chunk has. `input` is all
// of the input.
__device__ inline Chunk load_chunk(const InputRange& input, const std::uint8_t* from, std::uint32_t bytes) {
  Chunk chunk;
  chunk.valid = every_lane;
  if (bytes < chunk_bytes) {
    chunk.valid = bits_below(bytes);
    load_bytes(chunk.words, from, bytes);
  } else if (reinterpret_cast<std::uintptr_t>(from) % vector_bytes == 0) {
    load_aligned_words(chunk.words, from);
  } else if (from - input.begin >= most_bytes_over && input.end - from >= chunk_bytes + most_bytes_over) {
    load_shifted_words(chunk.words, from);
  } else {
    load_bytes(chunk.words, from, chunk_bytes);
  }
  return chunk;
}

// Bits 0 and 1: which of the two bytes at `from` are 00, of the `bytes` that are the block's.
__device__ inline std::uint32_t two_zero_bits(const std::uint8_t* from, std::uint32_t bytes) {
  std::uint32_t zeros = 0;
  if (bytes > 0 && from[0] == 0) zeros = 1;
  if (bytes > 1 && from[1] == 0) zeros |= 2;
  return zeros;
}

}  // namespace
}  // namespace gsst::zero_length::encoder
