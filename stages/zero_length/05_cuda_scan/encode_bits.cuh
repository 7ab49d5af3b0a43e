#pragma once

#include <bit>
#include <cstdint>

#include "common/stage/launch.hpp"

// What is known of the bytes of a chunk, as one bit a byte, the first byte's lowest.
namespace gsst::zero_length::encoder {
namespace {

constexpr unsigned bytes_of_word = 4;
// As many bytes as a word has bits.
constexpr unsigned chunk_bytes = 32;
// What a thread encodes. More would cost registers, and less leaves more work that each thread has whatever
// it encodes.
constexpr unsigned chunks_of_thread = 2;
constexpr unsigned thread_bytes = chunks_of_thread * chunk_bytes;
constexpr unsigned words_of_chunk = chunk_bytes / bytes_of_word;
constexpr unsigned lanes_of_warp = 32;
constexpr std::uint32_t every_lane = 0xffffffff;

__device__ inline std::uint32_t count_ones(std::uint32_t bits) {
#if defined(__CUDACC__)
  return static_cast<std::uint32_t>(__popc(bits));
#else
  return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

// Zeros above the highest one; 32 if there is no one.
__device__ inline std::uint32_t leading_zeros(std::uint32_t bits) {
#if defined(__CUDACC__)
  return static_cast<std::uint32_t>(__clz(static_cast<int>(bits)));
#else
  return static_cast<std::uint32_t>(std::countl_zero(bits));
#endif
}

// The upper half of `high` and `low` in a row, after they are moved up by `shift` bits, 0 to 31.
__device__ inline std::uint32_t upper_of_shifted(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
#if defined(__CUDACC__)
  return __funnelshift_l(low, high, shift);
#else
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) << shift >> 32);
#endif
}

// `sum` and the products of the bytes of `bytes` and `weights`.
__device__ inline std::uint32_t add_products(std::uint32_t bytes, std::uint32_t weights, std::uint32_t sum) {
#if defined(__CUDACC__)
  return __dp4a(bytes, weights, sum);
#else
  for (unsigned shift = 0; shift < 32; shift += 8) sum += (bytes >> shift & 0xff) * (weights >> shift & 0xff);
  return sum;
#endif
}

// Four bytes of `low` and `high`, each by a selector of four bits. __byte_perm() would clear the rest of
// `selectors` first, which the instruction does not look at.
__device__ inline std::uint32_t pick_bytes(std::uint32_t low, std::uint32_t high, std::uint32_t selectors) {
#if defined(__CUDACC__)
  std::uint32_t picked;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(picked) : "r"(low), "r"(high), "r"(selectors));
  return picked;
#else
  return __byte_perm(low, high, selectors);
#endif
}

// Bits below bit `bit`, 0 to 31.
__device__ inline std::uint32_t bits_below(std::uint32_t bit) {
  return (std::uint32_t{1} << bit) - 1;
}

struct ByteBits {
  // Bytes 00.
  std::uint32_t zeros;
  // Bytes FF.
  std::uint32_t markers;
};

constexpr std::uint32_t low_bits_of_bytes = 0x7f7f7f7f;
constexpr std::uint32_t ones_of_bytes = 0x01010101;

// 80 in each byte of `word` that is 00, and 0 in the others. No carry leaves a byte.
__device__ inline std::uint32_t zero_bytes(std::uint32_t word) {
  const std::uint32_t sum = (word & low_bits_of_bytes) + low_bits_of_bytes;
  return ~(sum | word | low_bits_of_bytes);
}

// 80 in each byte of `word` that is FF, and 0 in the others.
__device__ inline std::uint32_t marker_bytes(std::uint32_t word) {
  const std::uint32_t sum = (word & low_bits_of_bytes) + ones_of_bytes;
  return sum & word & ~low_bits_of_bytes;
}

// Bits of bytes that are 80 or 0: a product with 1, 2, 4 to 128 for each of eight bytes, which the bytes move
// up by 7 bits.
template <typename BytesOfWord>
__device__ std::uint32_t bits_of_bytes(const BytesOfWord& bytes_of_word_number) {
  constexpr std::uint32_t weights_of_even_words = 0x08040201;
  constexpr std::uint32_t weights_of_odd_words = 0x80402010;
  std::uint32_t sums[words_of_chunk / 2];
#pragma unroll
  for (unsigned pair = 0; pair < words_of_chunk / 2; ++pair) {
    const std::uint32_t even = add_products(bytes_of_word_number(2 * pair), weights_of_even_words, 0);
    sums[pair] = add_products(bytes_of_word_number(2 * pair + 1), weights_of_odd_words, even);
  }
  return (sums[0] >> 7) + (sums[1] << 1) + (sums[2] << 9) + (sums[3] << 17);
}

__device__ inline ByteBits bits_of_words(const std::uint32_t (&words)[words_of_chunk]) {
  return {.zeros = bits_of_bytes([&](unsigned word) { return zero_bytes(words[word]); }),
          .markers = bits_of_bytes([&](unsigned word) { return marker_bytes(words[word]); })};
}

}  // namespace
}  // namespace gsst::zero_length::encoder
