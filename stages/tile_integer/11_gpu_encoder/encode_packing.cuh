#pragma once

#include <cstdint>

#include "stages/tile_integer/11_gpu_encoder/encode_chain.cuh"

// The words of packed blocks, put together in shared memory that is 0 at first. A word can have bits of
// several lanes, so they are added by atomic operations.
namespace gsst::tile_integer::encoder {
namespace {

// Adds the bits of `bits` to a word of shared memory. A GPU adds none, too: of a predicate its compiler makes
// a branch, which is four instructions more, and to add nothing changes no word, whosever it is. There is
// memory of the warp's after its words.
__device__ inline void add_to_word(std::uint32_t* word, std::uint32_t bits) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "red.shared.or.b32 [%0], %1;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))),
      "r"(bits)
      : "memory");
#else
  if (bits != 0) atomicOr(word, bits);
#endif
}

// 2 to the power of `exponent`, below 32. A compiler that knows what it is shifts in place of multiplying by
// it.
__device__ inline std::uint32_t power_of_two(std::uint32_t exponent) {
#if defined(__CUDA_ARCH__)
  std::uint32_t power;
  asm("shl.b32 %0, 1, %1;" : "=r"(power) : "r"(exponent));
  return power;
#else
  return 1U << exponent;
#endif
}

// The upper half of `high` and `low`, shifted to the left by `bit` % 32. One instruction, SHF.
__device__ inline std::uint32_t shifted_pair(std::uint32_t low, std::uint32_t high, std::uint32_t bit) {
#if defined(__CUDA_ARCH__)
  return __funnelshift_l(low, high, bit);
#else
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) << bit % 32 >> 32);
#endif
}

// The bits of a number at bit `bit` of the words. If it is not `Cut`, none of it is in the word after those
// it would take from a word's first bit on.
template <bool Cut>
__device__ void add_bits(std::uint32_t* words, std::uint32_t bit, std::uint32_t number) {
  std::uint32_t* const word = words + bit / 32;
  add_to_word(word, shifted_pair(0, number, bit));
  if constexpr (Cut) add_to_word(word + 1, shifted_pair(number, 0, bit));
}

template <bool Cut>
__device__ void add_bits(std::uint32_t* words, std::uint32_t bit, std::uint64_t number) {
  const auto low = static_cast<std::uint32_t>(number);
  const auto high = static_cast<std::uint32_t>(number >> 32);
  std::uint32_t* const word = words + bit / 32;
  add_to_word(word, shifted_pair(0, low, bit));
  add_to_word(word + 1, shifted_pair(low, high, bit));
  if constexpr (Cut) add_to_word(word + 2, shifted_pair(high, 0, bit));
}

// All lanes: their four differences to a miniblock each, of at most `Limit` bits, in the words from `words`
// on. Where four have few bits together they are shifted once.
template <unsigned Limit, bool Cut, typename Number>
__device__ void pack_miniblock(std::uint32_t* words, std::uint32_t place,
                               const Number (&differences)[values_of_lane]) {
  const std::uint32_t width = width_at(place);
  const std::uint32_t bit = bits_before(place) + lane_number() % lanes_of_miniblock * values_of_lane * width;
  if constexpr (Limit <= 16) {
    // Multiplied and added by one instruction, where there are two that shift and combine.
    const std::uint32_t step = power_of_two(width);
    const std::uint32_t low =
        static_cast<std::uint32_t>(differences[1]) * step + static_cast<std::uint32_t>(differences[0]);
    const std::uint32_t high =
        static_cast<std::uint32_t>(differences[3]) * step + static_cast<std::uint32_t>(differences[2]);
    if constexpr (Limit <= 8) {
      add_bits<Cut>(words, bit, high * (step * step) + low);
    } else {
      add_bits<Cut>(words, bit, std::uint64_t{high} << 2 * width | low);
    }
  } else {
#pragma unroll
    for (unsigned i = 0; i < values_of_lane; ++i) {
      if constexpr (Limit <= 32) {
        add_bits<Cut>(words, bit + i * width, static_cast<std::uint32_t>(differences[i]));
      } else {
        add_bits<Cut>(words, bit + i * width, differences[i]);
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

// All lanes: `place` as the lane has it of its miniblock of packed block `block`, whose place is in the lanes
// whose number modulo 4 is `block`.
__device__ inline std::uint32_t place_in_block(std::uint32_t place, unsigned block) {
  return __shfl_sync(every_lane, place, static_cast<int>(block), lanes_of_miniblock);
}

// All lanes of a warp: the first `count` differences, of at most `Limit` bits.
template <unsigned Limit, bool Cut, typename Number>
__device__ void pack_differences(std::uint32_t* words, std::uint32_t place, std::uint32_t count,
                                 const ChainOfLane<Number>& differences) {
#pragma unroll
  for (unsigned block = 0; block < packed_blocks_of_chain; ++block) {
    if (block * packed_block_values >= count) return;
    pack_miniblock<Limit, Cut>(words, place_in_block(place, block), differences[block]);
  }
}

// The same, with code for the widest of them. All lanes take the same way.
template <bool Cut, typename Number>
__device__ void pack_differences(std::uint32_t* words, std::uint32_t place, std::uint32_t count,
                                 const ChainOfLane<Number>& differences) {
  if (are_at_most(place, 8)) {
    pack_differences<8, Cut>(words, place, count, differences);
  } else if (are_at_most(place, 16)) {
    pack_differences<16, Cut>(words, place, count, differences);
  } else if (sizeof(Number) == 4 || are_at_most(place, 32)) {
    pack_differences<32, Cut>(words, place, count, differences);
  } else {
    pack_differences<64, Cut>(words, place, count, differences);
  }
}

// The same, with code of its own for widths of which no number is cut by a word's end.
template <typename Number>
__device__ void pack_differences(std::uint32_t* words, std::uint32_t place, std::uint32_t count,
                                 const ChainOfLane<Number>& differences) {
  if (are_powers_of_two(place)) {
    pack_differences<false>(words, place, count, differences);
  } else {
    pack_differences<true>(words, place, count, differences);
  }
}

// All lanes of a warp: the packed blocks of a chain, from `words` on.
template <typename Number, Packing Packed>
__device__ void pack_chain(const CodedChain<Number>& chain, std::uint32_t* words) {
  constexpr std::uint32_t reference_words = sizeof(Number) / word_bytes;
  constexpr std::uint32_t base_words = Packed == Packing::chains ? reference_words : 0;
  const unsigned lane = lane_number();
  // From the chain's first word to the reference.
  std::uint32_t own_reference = chain.start;
  if (lane % packed_blocks_of_chain == 0) own_reference += base_words;
  if (lane < packed_blocks_of_chain && chain.block_words != 0) {
    if (base_words != 0 && lane == 0) store_number(words, chain.base);
    store_number(words + own_reference, chain.reference);
    words[own_reference + reference_words] = chain.widths;
  }
  // Adding no bits to a word that was just stored is an access too.
  __syncwarp();
  // Lanes would add nothing to one word, and the hardware takes one lane after the other.
  if (are_at_most(chain.place, 0)) return;
  // Of packed blocks that do not exist there are no bits.
  pack_differences(words, chain.place, chain_values, chain.differences);
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
