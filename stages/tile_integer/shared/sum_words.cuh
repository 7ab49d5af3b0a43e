#pragma once

#include <cstdint>
#include <type_traits>

#include "common/stage/launch.hpp"

// Values that a lane has in words of its own: 32 values of a width have as many words as the width has bits,
// so where the width is known to the compiler, so are all shifts.
namespace gsst::tile_integer {
namespace {

constexpr std::uint32_t values_in_words = 32;

// Calls `with` with `width`, up to 32 and the same in all lanes, as a number that the compiler knows: lanes
// take one of 33 ways together.
template <typename With>
__device__ inline auto at_width(std::uint32_t width, With&& with) {
  switch (width) {
    case 0:
      return with(std::integral_constant<std::uint32_t, 0>());
    case 1:
      return with(std::integral_constant<std::uint32_t, 1>());
    case 2:
      return with(std::integral_constant<std::uint32_t, 2>());
    case 3:
      return with(std::integral_constant<std::uint32_t, 3>());
    case 4:
      return with(std::integral_constant<std::uint32_t, 4>());
    case 5:
      return with(std::integral_constant<std::uint32_t, 5>());
    case 6:
      return with(std::integral_constant<std::uint32_t, 6>());
    case 7:
      return with(std::integral_constant<std::uint32_t, 7>());
    case 8:
      return with(std::integral_constant<std::uint32_t, 8>());
    case 9:
      return with(std::integral_constant<std::uint32_t, 9>());
    case 10:
      return with(std::integral_constant<std::uint32_t, 10>());
    case 11:
      return with(std::integral_constant<std::uint32_t, 11>());
    case 12:
      return with(std::integral_constant<std::uint32_t, 12>());
    case 13:
      return with(std::integral_constant<std::uint32_t, 13>());
    case 14:
      return with(std::integral_constant<std::uint32_t, 14>());
    case 15:
      return with(std::integral_constant<std::uint32_t, 15>());
    case 16:
      return with(std::integral_constant<std::uint32_t, 16>());
    case 17:
      return with(std::integral_constant<std::uint32_t, 17>());
    case 18:
      return with(std::integral_constant<std::uint32_t, 18>());
    case 19:
      return with(std::integral_constant<std::uint32_t, 19>());
    case 20:
      return with(std::integral_constant<std::uint32_t, 20>());
    case 21:
      return with(std::integral_constant<std::uint32_t, 21>());
    case 22:
      return with(std::integral_constant<std::uint32_t, 22>());
    case 23:
      return with(std::integral_constant<std::uint32_t, 23>());
    case 24:
      return with(std::integral_constant<std::uint32_t, 24>());
    case 25:
      return with(std::integral_constant<std::uint32_t, 25>());
    case 26:
      return with(std::integral_constant<std::uint32_t, 26>());
    case 27:
      return with(std::integral_constant<std::uint32_t, 27>());
    case 28:
      return with(std::integral_constant<std::uint32_t, 28>());
    case 29:
      return with(std::integral_constant<std::uint32_t, 29>());
    case 30:
      return with(std::integral_constant<std::uint32_t, 30>());
    case 31:
      return with(std::integral_constant<std::uint32_t, 31>());
    default:
      return with(std::integral_constant<std::uint32_t, 32>());
  }
}

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

// Value `i` of `Width` bits, for an `i` that the compiler knows once loops are unrolled: word j of the values
// is words[j * Stride].
template <std::uint32_t Width, std::uint32_t Stride>
__device__ inline std::uint32_t value_in_words(const std::uint32_t* words, std::uint32_t i) {
  if constexpr (Width == 0) {
    return 0;
  } else {
    const std::uint32_t* const own = words + i * Width / 32 * Stride;
    const std::uint32_t shift = i * Width % 32;
    if (shift + Width > 32) {
      return __funnelshift_r(own[0], own[Stride], shift) & (0xffffffffU >> (32 - Width));
    }
    if (shift + Width == 32) return own[0] >> shift;
    return shift_left_by_product(own[0], 32 - shift - Width) >> (32 - Width);
  }
}

// The sum of `reference` and each of the lane's 32 values of `width` bits.
template <std::uint32_t Stride>
__device__ inline std::uint32_t sum_words(std::uint32_t width, const std::uint32_t* words,
                                          std::uint32_t reference) {
  return at_width(width, [&](auto known) {
    // Two, so that a value does not wait for the one before it.
    std::uint32_t sums[2] = {0, 0};
#pragma unroll
    for (std::uint32_t i = 0; i < values_in_words; ++i) {
      sums[i % 2] += reference + value_in_words<decltype(known)::value, Stride>(words, i);
    }
    return sums[0] + sums[1];
  });
}

}  // namespace
}  // namespace gsst::tile_integer
