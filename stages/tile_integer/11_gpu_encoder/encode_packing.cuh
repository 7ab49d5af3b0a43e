#pragma once

#include <cstdint>

#include "stages/tile_integer/11_gpu_encoder/encode_chain.cuh"

// The words of packed blocks, put together in shared memory that is 0 at first. A word can have bits of
// several lanes, so they are added by atomic operations; bits that are 0 are not, and so nobody touches words
// of which it has none.
namespace gsst::tile_integer::encoder {
namespace {

// Adds the bits of `bits` to a word of shared memory, if it has any. For a GPU without a branch.
__device__ inline void add_to_word(std::uint32_t* word, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "{ .reg .pred has_bits;\n"
      "  setp.ne.u32 has_bits, %1, 0;\n"
      "  @has_bits red.shared.or.b32 [%0], %1; }" ::"r"(
          static_cast<std::uint32_t>(__cvta_generic_to_shared(word))),
      "r"(bits)
      : "memory");
#else
  if (bits != 0) atomicOr(word, bits);
#endif
}

// The bits of a number at bit `bit` of the words.
__device__ inline void add_bits(std::uint32_t* words, std::uint32_t bit, std::uint32_t number) {
  const std::uint64_t shifted = std::uint64_t{number} << bit % 32;
  std::uint32_t* const word = words + bit / 32;
  add_to_word(word, static_cast<std::uint32_t>(shifted));
  add_to_word(word + 1, static_cast<std::uint32_t>(shifted >> 32));
}

__device__ inline void add_bits(std::uint32_t* words, std::uint32_t bit, std::uint64_t number) {
  const std::uint64_t low = (number & 0xffffffff) << bit % 32;
  const std::uint64_t high = (number >> 32) << bit % 32;
  std::uint32_t* const word = words + bit / 32;
  add_to_word(word, static_cast<std::uint32_t>(low));
  add_to_word(word + 1, static_cast<std::uint32_t>(low >> 32) | static_cast<std::uint32_t>(high));
  add_to_word(word + 2, static_cast<std::uint32_t>(high >> 32));
}

// Whether none of the four bytes of a word is above `limit`, 127 at most. The bytes are 128 at most.
__device__ inline bool are_at_most(std::uint32_t widths, std::uint32_t limit) {
  return ((widths + 0x01010101U * (0x7f - limit)) & 0x80808080U) == 0;
}

// All lanes: their four differences to their miniblocks, which start at `words`. Lanes whose numbers have few
// bits together shift them once.
template <typename Number>
__device__ void pack_miniblocks(std::uint32_t* words, std::uint32_t widths,
                                const Number (&differences)[values_of_lane]) {
  constexpr unsigned lanes_of_miniblock = lanes_of_warp / miniblocks_of_packed_block;
  const unsigned lane = threadIdx.x % lanes_of_warp;
  const unsigned shift_of_byte = lane / lanes_of_miniblock * 8;
  const std::uint32_t width = widths >> shift_of_byte & 0xff;
  // The sums of the widths before each; the last one's byte has no more than 192.
  std::uint32_t* const miniblock = words + (widths * 0x01010100U >> shift_of_byte & 0xff);
  const std::uint32_t bit = lane % lanes_of_miniblock * values_of_lane * width;
  // All lanes take the same way.
  if (are_at_most(widths, 16)) {
    const std::uint32_t low =
        static_cast<std::uint32_t>(differences[0]) | static_cast<std::uint32_t>(differences[1]) << width;
    const std::uint32_t high =
        static_cast<std::uint32_t>(differences[2]) | static_cast<std::uint32_t>(differences[3]) << width;
    if (are_at_most(widths, 8)) {
      add_bits(miniblock, bit, low | high << 2 * width);
    } else {
      add_bits(miniblock, bit, std::uint64_t{high} << 2 * width | low);
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) {
      if (sizeof(Number) == 8 && are_at_most(widths, 32)) {
        add_bits(miniblock, bit + i * width, static_cast<std::uint32_t>(differences[i]));
      } else {
        add_bits(miniblock, bit + i * width, differences[i]);
      }
    }
  }
}

template <typename Number>
__device__ void store_number(std::uint32_t* words, Number number) {
#pragma unroll
  for (unsigned word = 0; word < sizeof(Number) / word_bytes; ++word) {
    words[word] = static_cast<std::uint32_t>(std::uint64_t{number} >> 32 * word);
  }
}

// All lanes of a warp whose chain has `count` values: its packed blocks, from `words` on.
template <typename Number, Packing Packed>
__device__ void pack_chain(const CodedChain<Number>& chain, std::uint32_t count, std::uint32_t* words) {
  constexpr std::uint32_t reference_words = sizeof(Number) / word_bytes;
  constexpr std::uint32_t base_words = Packed == Packing::chains ? reference_words : 0;
  const unsigned lane = threadIdx.x % lanes_of_warp;
  // From the chain's first word to the reference.
  std::uint32_t own_reference = chain.start;
  if (lane % packed_blocks_of_chain == 0) own_reference += base_words;
  if (lane < packed_blocks_of_chain && chain.block_words != 0) {
    if (base_words != 0 && lane == 0) store_number(words, chain.base);
    store_number(words + own_reference, chain.reference);
    words[own_reference + reference_words] = chain.widths;
  }
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    if (block * packed_block_values >= count) return;
    const std::uint32_t widths = __shfl_sync(every_lane, chain.widths, static_cast<int>(block));
    const std::uint32_t reference = __shfl_sync(every_lane, own_reference, static_cast<int>(block));
    pack_miniblocks(words + reference + reference_words + 1, widths, chain.differences[block]);
  }
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
