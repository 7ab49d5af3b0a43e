#pragma once

#include <bit>
#include <cstdint>

#include "common/stage/launch.hpp"

// What the kernels that decode a tile a warp take from the hardware by name. Each function has a body for the
// GPU and a plain one for the CPU executor; both do the same.
namespace gsst::tile_integer {
namespace {

// 16 bytes that are stored at once.
struct alignas(16) Words4 {
  std::uint32_t words[4];
};

// Stores 16 bytes in global memory that nobody reads soon: the cache may drop them first.
__device__ inline void store_streaming(std::uint8_t* address, const Words4& value) {
#if defined(__CUDACC__)
  __stcs(reinterpret_cast<uint4*>(address),
         make_uint4(value.words[0], value.words[1], value.words[2], value.words[3]));
#else
  *reinterpret_cast<Words4*>(address) = value;
#endif
}

// The 32 bits of `high` and `low` from bit `shift` on; `high` for a shift above 31. One instruction, SHF.
__device__ inline std::uint32_t shift_pair_clamped(std::uint32_t low, std::uint32_t high,
                                                   std::uint32_t shift) {
#if defined(__CUDACC__)
  return __funnelshift_rc(low, high, shift);
#else
  return shift > 31 ? high : __funnelshift_r(low, high, shift);
#endif
}

// A word of `width` ones, the lowest bits; 32 of them for a width above 31. One instruction, BMSK: in C++ a
// shift by 32 is not defined.
__device__ inline std::uint32_t lowest_ones(std::uint32_t width) {
#if defined(__CUDACC__)
  std::uint32_t ones;
  asm("bmsk.clamp.b32 %0, 0, %1;" : "=r"(ones) : "r"(width));
  return ones;
#else
  return width > 31 ? 0xffffffffU : (1U << width) - 1;
#endif
}

// How many bits of a word are 1. One instruction, POPC.
__device__ inline std::uint32_t count_ones(std::uint32_t word) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__popc(word));
#else
  return static_cast<std::uint32_t>(std::popcount(word));
#endif
}

// Byte `byte` of `bytes`, for the selector 0x4440 + `byte`, which callers compute once. One instruction,
// PRMT.
constexpr std::uint32_t selector_of_first_byte = 0x4440;
__device__ inline std::uint32_t byte_of(std::uint32_t bytes, std::uint32_t selector) {
  return __byte_perm(bytes, 0, selector);
}

}  // namespace
}  // namespace gsst::tile_integer
