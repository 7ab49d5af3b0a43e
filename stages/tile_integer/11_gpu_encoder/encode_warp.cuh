#pragma once

#include <cstdint>

#include "stages/tile_integer/11_gpu_encoder/encode_job.cuh"

// What the lanes of a warp find out together.
namespace gsst::tile_integer::encoder {
namespace {

// All lanes: the smallest of their values.
__device__ inline std::uint32_t smallest_of_warp(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  return __reduce_min_sync(every_lane, value);
#else
  for (unsigned distance = lanes_of_warp / 2; distance > 0; distance /= 2) {
    const std::uint32_t other = __shfl_xor_sync(every_lane, value, static_cast<int>(distance));
    value = other < value ? other : value;
  }
  return value;
#endif
}

__device__ inline std::uint64_t smallest_of_warp(std::uint64_t value) {
  const auto high = static_cast<std::uint32_t>(value >> 32);
  const std::uint32_t smallest_high = smallest_of_warp(high);
  const std::uint32_t low = high == smallest_high ? static_cast<std::uint32_t>(value) : every_lane;
  return std::uint64_t{smallest_high} << 32 | smallest_of_warp(low);
}

// All lanes: the largest of their values.
__device__ inline std::uint32_t largest_of_warp(std::uint32_t value) {
  return ~smallest_of_warp(~value);
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

// All lanes: lanes 8 m to 8 m + 7 have bits of miniblock m of four packed blocks. The result is a word of
// widths, as the format has it, of packed block `lane` % 4.
//
// Four times three exchanges would find the bits of each packed block. Here a lane passes on what it is not
// going to need: two exchanges for two packed blocks each, one for one, and one among lanes that need the
// same.
template <typename Number>
__device__ std::uint32_t widths_of_own_block(const Number (&bits)[packed_blocks_of_chain]) {
  const unsigned lane = threadIdx.x % lanes_of_warp;
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
