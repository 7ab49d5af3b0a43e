#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// What a kernel has to say more exactly than C++ can.
namespace {

// Brings the 128 bytes around `address` of global memory nearer: a hint, without effect on what is computed.
__device__ inline void prefetch([[maybe_unused]] const std::uint8_t* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

// `value`, of which the compiler knows nothing: what is computed from it is computed there and not ahead,
// outside of a loop, to fill registers.
__device__ inline std::uint32_t computed_here(std::uint32_t value) {
#if defined(__CUDA_ARCH__)
  asm volatile("" : "+r"(value));
#endif
  return value;
}

// Bytes `shift` / 8 to `shift` / 8 + 3 of the eight bytes of `low` and `high`; of `shift` the lowest 5 bits
// count.
__device__ inline std::uint32_t word_at(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return __funnelshift_r(low, high, shift);
}

}  // namespace
