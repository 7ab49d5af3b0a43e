#pragma once

#include <cstdint>
#include <cstring>

#include "common/stage/launch.hpp"

// What a kernel has to say more exactly than C++ can.
namespace {

// Brings the 128 bytes around `address` of global memory nearer: a hint, without effect on what is computed.
__device__ inline void prefetch([[maybe_unused]] const std::uint8_t* address) {
#if defined(__CUDA_ARCH__)
  asm volatile("prefetch.global.L2 [%0];" ::"l"(address));
#endif
}

// Copies 16 bytes from global to shared memory, past registers and the L1 cache: all units of a chunk are on
// their way at once. Both addresses are multiples of 16. They are there for the thread after
// wait_for_copies().
__device__ inline void copy_asynchronously(void* to, const std::uint8_t* from) {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(
                   static_cast<std::uint32_t>(__cvta_generic_to_shared(to))),
               "l"(from)
               : "memory");
#elif !defined(__CUDACC__)
  gsst::simt::require_multiple(reinterpret_cast<std::uintptr_t>(to), 16,
                               "an asynchronous copy's destination");
  gsst::simt::require_multiple(reinterpret_cast<std::uintptr_t>(from), 16, "an asynchronous copy's source");
  std::memcpy(to, from, 16);
#endif
}

__device__ inline void wait_for_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_all;" ::: "memory");
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

// A code that advances by `bits` is counted, if `at` is before `stop`: two predicated additions, where the
// compiler selects and adds.
__device__ inline void advance(std::uint32_t& at, std::uint32_t& codes, std::uint32_t bits,
                               std::uint32_t stop) {
#if defined(__CUDA_ARCH__)
  asm volatile(
      "{ .reg .pred goes_on;\n"
      "  setp.lt.u32 goes_on, %0, %3;\n"
      "  @goes_on add.u32 %0, %0, %2;\n"
      "  @goes_on add.u32 %1, %1, 1; }"
      : "+r"(at), "+r"(codes)
      : "r"(bits), "r"(stop));
#else
  if (at >= stop) return;
  at += bits;
  ++codes;
#endif
}

// `value` / (2^32 / `factor`), for a power of two that the compiler does not know: a shift goes to the
// arithmetic units that comparisons and selections need, and which are the busiest; a product does not.
__device__ inline std::uint32_t shifted_by_product(std::uint32_t value, std::uint32_t factor) {
#if defined(__CUDA_ARCH__)
  return __umulhi(value, factor);
#else
  return static_cast<std::uint32_t>(std::uint64_t{value} * factor >> 32);
#endif
}

// Bytes `shift` / 8 to `shift` / 8 + 3 of the eight bytes of `low` and `high`; of `shift` the lowest 5 bits
// count.
__device__ inline std::uint32_t word_at(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return __funnelshift_r(low, high, shift);
}

}  // namespace
