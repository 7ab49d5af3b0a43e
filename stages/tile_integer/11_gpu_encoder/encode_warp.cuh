#pragma once

#include <cstdint>
#include <type_traits>

#include "stages/tile_integer/11_gpu_encoder/encode_job.cuh"

// What the lanes of a warp find out together.
namespace gsst::tile_integer::encoder {
namespace {

// All lanes: the smallest of their values, signed or unsigned ones of 32 or 64 bits.
template <typename Value>
__device__ Value smallest_of_warp(Value value) {
  if constexpr (sizeof(Value) == sizeof(std::uint64_t)) {
    // The upper half has the value's sign.
    using Half = std::conditional_t<std::is_signed_v<Value>, std::int32_t, std::uint32_t>;
    const auto high = static_cast<Half>(value >> 32);
    const Half smallest_high = smallest_of_warp(high);
    const std::uint32_t low = high == smallest_high ? static_cast<std::uint32_t>(value) : every_lane;
    const std::uint64_t high_bits = static_cast<std::uint32_t>(smallest_high);
    return static_cast<Value>(high_bits << 32 | smallest_of_warp(low));
  } else {
#if defined(__CUDA_ARCH__)
    return __reduce_min_sync(every_lane, value);
#else
    for (unsigned distance = lanes_of_warp / 2; distance > 0; distance /= 2) {
      const Value other = __shfl_xor_sync(every_lane, value, static_cast<int>(distance));
      value = other < value ? other : value;
    }
    return value;
#endif
  }
}

// All lanes: the sum of their values.
__device__ inline std::uint32_t sum_of_warp(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_add_sync(every_lane, value);
#else
  for (unsigned distance = lanes_of_warp / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(every_lane, value, static_cast<int>(distance));
  }
  return value;
#endif
}

// One lane: adds to a word of shared memory; the result is the sum. CUDA's function is for any lanes, and its
// code finds out which these are.
__device__ inline unsigned added_by_one_lane(unsigned* word, unsigned number) {
#if defined(__CUDA_ARCH__)
  unsigned before;
  asm volatile("atom.shared.add.u32 %0, [%1], %2;"
               : "=r"(before)
               : "r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))), "r"(number)
               : "memory");
  return before + number;
#else
  return atomicAdd(word, number) + number;
#endif
}

// A few lanes: a word of shared memory becomes their largest number, if it is not larger. CUDA's function
// finds the largest one of all lanes first.
__device__ inline void keep_largest_of_lanes(unsigned* word, unsigned number) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "red.shared.max.u32 [%0], %1;" ::"r"(static_cast<std::uint32_t>(__cvta_generic_to_shared(word))),
      "r"(number)
      : "memory");
#else
  atomicMax(word, number);
#endif
}

// Bits of a number up to its highest 1.
__device__ inline std::uint32_t bits_of(std::uint32_t number) {
#if defined(__CUDA_ARCH__)
  return 32 - static_cast<std::uint32_t>(__clz(static_cast<int>(number)));
#else
  return number == 0 ? 0 : 32 - static_cast<std::uint32_t>(__builtin_clz(number));
#endif
}

__device__ inline std::uint32_t bits_of(std::uint64_t number) {
  const auto high = static_cast<std::uint32_t>(number >> 32);
  return high != 0 ? 32 + bits_of(high) : bits_of(static_cast<std::uint32_t>(number));
}

// The sum of a word's four bytes.
__device__ inline std::uint32_t sum_of_bytes(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return __dp4a(word, 0x01010101U, 0U);
#else
  return (word & 0xff) + (word >> 8 & 0xff) + (word >> 16 & 0xff) + (word >> 24);
#endif
}

constexpr unsigned lanes_of_miniblock = lanes_of_warp / miniblocks_of_packed_block;

// Where a lane finds a miniblock, in a word that lanes pass on: its width in the lowest byte, and above it
// the bits before it.
__device__ inline std::uint32_t width_at(std::uint32_t place) {
  return place & 0xff;
}
__device__ inline std::uint32_t bits_before(std::uint32_t place) {
  return place >> 8;
}

// All lanes: the place of miniblock `lane` / 8 of the packed block with these widths, which has `before`
// words before its miniblocks.
__device__ inline std::uint32_t place_of_miniblock(std::uint32_t widths, std::uint32_t before) {
  const unsigned shift_of_byte = lane_number() / lanes_of_miniblock * 8;
  const std::uint32_t width = widths >> shift_of_byte & 0xff;
  // The sums of the widths before each; the last one's byte has no more than 192.
  const std::uint32_t widths_before = widths * 0x01010100U >> shift_of_byte & 0xff;
  return (before + widths_before) * 32 << 8 | width;
}

// All lanes, which have the places of all miniblocks of a kind: whether none is wider than `limit`.
__device__ inline bool are_at_most(std::uint32_t place, std::uint32_t limit) {
  return __any_sync(every_lane, width_at(place) > limit) == 0;
}

// The same: whether each width is a power of two, or 0.
__device__ inline bool are_powers_of_two(std::uint32_t place) {
  const std::uint32_t width = width_at(place);
  return __any_sync(every_lane, (width & (width - 1)) != 0) == 0;
}

// All lanes: lanes 8 m to 8 m + 7 have bits of miniblock m of four packed blocks. The result is a word of
// widths, as the format has it, of packed block `lane` % 4.
//
// Four times three exchanges would find the bits of each packed block. Here a lane passes on what it is not
// going to need: two exchanges for two packed blocks each, one for one, and one among lanes that need the
// same.
template <typename Number>
__device__ std::uint32_t widths_of_own_block(const Number (&bits)[packed_blocks_of_chain]) {
  const unsigned lane = lane_number();
  const bool is_odd = (lane & 1) != 0;
  Number low = is_odd ? bits[1] : bits[0];
  Number high = is_odd ? bits[3] : bits[2];
  low |= __shfl_xor_sync(every_lane, is_odd ? bits[0] : bits[1], 1);
  high |= __shfl_xor_sync(every_lane, is_odd ? bits[2] : bits[3], 1);
  const bool is_upper = (lane & 2) != 0;
  Number own = is_upper ? high : low;
  own |= __shfl_xor_sync(every_lane, is_upper ? low : high, 2);
  own |= __shfl_xor_sync(every_lane, own, 4);
  std::uint32_t widths = bits_of(own) << (lane & 24);
  widths |= __shfl_xor_sync(every_lane, widths, 8);
  widths |= __shfl_xor_sync(every_lane, widths, 16);
  return widths;
}

}  // namespace
}  // namespace gsst::tile_integer::encoder
