#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// Sums of values that a lane has in words of its own: 32 values of a width have as many words as the width
// has bits, so where the width is known to the compiler, so are all shifts.
namespace gsst::tile_integer {
namespace {

// `word` times 2^`bits`, for fewer than 32 bits. A GPU multiplies in another unit than it shifts in, which is
// idle here.
__device__ inline std::uint32_t shift_left_by_product(std::uint32_t word, std::uint32_t bits) {
#if defined(__CUDACC__)
  std::uint32_t product;
  asm("mul.lo.u32 %0, %1, %2;" : "=r"(product) : "r"(word), "r"(1U << bits));
  return product;
#else
  return word << bits;
#endif
}

// The sum of `reference` and each of 32 values of `Width` bits: word i of them is words[i * Stride].
template <std::uint32_t Width, std::uint32_t Stride>
__device__ inline std::uint32_t sum_words_of(const std::uint32_t* words, std::uint32_t reference) {
  constexpr std::uint32_t values = 32;
  std::uint32_t sum = 0;
  if constexpr (Width == 0) {
    return values * reference;
  } else {
#pragma unroll
    for (std::uint32_t i = 0; i < values; ++i) {
      const std::uint32_t word = i * Width / 32;
      const std::uint32_t shift = i * Width % 32;
      std::uint32_t value = words[word * Stride];
      if (shift + Width > 32) {
        value = __funnelshift_r(value, words[(word + 1) * Stride], shift) & (0xffffffffU >> (32 - Width));
      } else if (shift + Width == 32) {
        value >>= shift;
      } else {
        value = shift_left_by_product(value, 32 - shift - Width) >> (32 - Width);
      }
      sum += reference + value;
    }
    return sum;
  }
}

// The same for a width up to 32, the same in all lanes: they take one of 33 ways together.
template <std::uint32_t Stride>
__device__ inline std::uint32_t sum_words(std::uint32_t width, const std::uint32_t* words,
                                          std::uint32_t reference) {
  switch (width) {
    case 0:
      return sum_words_of<0, Stride>(words, reference);
    case 1:
      return sum_words_of<1, Stride>(words, reference);
    case 2:
      return sum_words_of<2, Stride>(words, reference);
    case 3:
      return sum_words_of<3, Stride>(words, reference);
    case 4:
      return sum_words_of<4, Stride>(words, reference);
    case 5:
      return sum_words_of<5, Stride>(words, reference);
    case 6:
      return sum_words_of<6, Stride>(words, reference);
    case 7:
      return sum_words_of<7, Stride>(words, reference);
    case 8:
      return sum_words_of<8, Stride>(words, reference);
    case 9:
      return sum_words_of<9, Stride>(words, reference);
    case 10:
      return sum_words_of<10, Stride>(words, reference);
    case 11:
      return sum_words_of<11, Stride>(words, reference);
    case 12:
      return sum_words_of<12, Stride>(words, reference);
    case 13:
      return sum_words_of<13, Stride>(words, reference);
    case 14:
      return sum_words_of<14, Stride>(words, reference);
    case 15:
      return sum_words_of<15, Stride>(words, reference);
    case 16:
      return sum_words_of<16, Stride>(words, reference);
    case 17:
      return sum_words_of<17, Stride>(words, reference);
    case 18:
      return sum_words_of<18, Stride>(words, reference);
    case 19:
      return sum_words_of<19, Stride>(words, reference);
    case 20:
      return sum_words_of<20, Stride>(words, reference);
    case 21:
      return sum_words_of<21, Stride>(words, reference);
    case 22:
      return sum_words_of<22, Stride>(words, reference);
    case 23:
      return sum_words_of<23, Stride>(words, reference);
    case 24:
      return sum_words_of<24, Stride>(words, reference);
    case 25:
      return sum_words_of<25, Stride>(words, reference);
    case 26:
      return sum_words_of<26, Stride>(words, reference);
    case 27:
      return sum_words_of<27, Stride>(words, reference);
    case 28:
      return sum_words_of<28, Stride>(words, reference);
    case 29:
      return sum_words_of<29, Stride>(words, reference);
    case 30:
      return sum_words_of<30, Stride>(words, reference);
    case 31:
      return sum_words_of<31, Stride>(words, reference);
    default:
      return sum_words_of<32, Stride>(words, reference);
  }
}

}  // namespace
}  // namespace gsst::tile_integer
