#pragma once

#include <cstdint>

#include "common/stage/launch.hpp"

// Instructions for the four bytes of a word, and for a scan over a warp, that C++ has no operator for.
namespace gsst::zero_length::decoder {
namespace {

// 0xFF for each byte of `word` whose highest bit is set, 0x00 for the others.
__device__ inline std::uint32_t bytes_with_highest_bit(std::uint32_t word) {
#if defined(__CUDACC__)
  std::uint32_t bytes;
  // Selectors with their highest bit repeat the sign of the byte that they name.
  asm("prmt.b32 %0, %1, 0, 0xba98;" : "=r"(bytes) : "r"(word));
  return bytes;
#else
  return (word >> 7 & 0x01010101) * 0xff;
#endif
}

// `sum` and the products of the bytes of `bytes` and `weights`.
__device__ inline std::uint32_t add_bytes(std::uint32_t bytes, std::uint32_t weights, std::uint32_t sum) {
#if defined(__CUDACC__)
  return __dp4a(bytes, weights, sum);
#else
  for (unsigned bit = 0; bit < 32; bit += 8) sum += (bytes >> bit & 0xff) * (weights >> bit & 0xff);
  return sum;
#endif
}

// A byte of shared memory. On a GPU its address there: the compiler makes one of a pointer at each store.
class SharedByte {
public:
  __device__ explicit SharedByte(std::uint8_t* byte)
#if defined(__CUDACC__)
      : address_(static_cast<std::uint32_t>(__cvta_generic_to_shared(byte))){}
#else
      : byte_(byte) {
  }
#endif

        // The byte add_bytes(bytes, weights, 0) after this one.
        __device__ SharedByte after(std::uint32_t bytes, std::uint32_t weights) const {
    SharedByte later = *this;
#if defined(__CUDACC__)
    later.address_ = add_bytes(bytes, weights, address_);
#else
    later.byte_ += add_bytes(bytes, weights, 0);
#endif
    return later;
  }

  // Stores the lowest byte of `value`.
  __device__ void store(std::uint32_t value) const {
#if defined(__CUDACC__)
    asm volatile("st.shared.u8 [%0], %1;" ::"r"(address_), "r"(value) : "memory");
#else
    *byte_ = static_cast<std::uint8_t>(value);
#endif
  }

private:
#if defined(__CUDACC__)
  std::uint32_t address_;
#else
  std::uint8_t* byte_;
#endif
};

// The sum of `value` of this lane and all lower ones. All lanes call it.
__device__ inline std::uint32_t inclusive_sum_of_warp(std::uint32_t value) {
#pragma unroll
  for (unsigned delta = 1; delta < 32; delta *= 2) {
#if defined(__CUDACC__)
    // The shuffle itself says whether there is such a lane, which saves a comparison.
    asm volatile(
        "{ .reg .u32 other; .reg .pred has_other;\n"
        "shfl.sync.up.b32 other|has_other, %0, %1, 0, 0xffffffff;\n"
        "@has_other add.u32 %0, %0, other; }"
        : "+r"(value)
        : "r"(delta));
#else
    const std::uint32_t other = __shfl_up_sync(0xffffffff, value, delta);
    if (threadIdx.x % 32 >= delta) value += other;
#endif
  }
  return value;
}

}  // namespace
}  // namespace gsst::zero_length::decoder
