#pragma once

#include <cstdint>
#include <type_traits>

#if !defined(__CUDACC__)
#include "common/simt/cuda_on_cpu.hpp"
#endif

/// Accesses to words of global memory by which the thread blocks of a grid wait for each other: for a GPU the
/// instructions of PTX's memory model (scope gpu), on the CPU executor places where other threads may run. A
/// loop that waits must use them, or CUDA's atomic functions. Each function is for an address in global
/// memory, a multiple of the word's size; a word has 32 or 64 bits.
///
/// A block may only wait for blocks that run already: those that took an earlier ticket (atomicAdd() on a
/// counter), not those of a lower blockIdx.
namespace gsst::device {

template <typename Word>
inline constexpr bool is_word = std::is_same_v<Word, std::uint32_t> || std::is_same_v<Word, std::uint64_t> ||
                                std::is_same_v<Word, unsigned long long>;

#if defined(__CUDACC__)

/// Reads a word; what comes later in the thread stays behind it. If the word is one that a store_release()
/// wrote, the thread sees all that the other saw and did before it.
template <typename Word>
__device__ __forceinline__ Word load_acquire(const Word* address) {
  static_assert(is_word<Word>);
  Word value;
  const auto global = __cvta_generic_to_global(address);
  if constexpr (sizeof(Word) == 4) {
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(global) : "memory");
  } else {
    asm volatile("ld.acquire.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(global) : "memory");
  }
  return value;
}

/// Reads a word and orders nothing. With __threadfence() behind it, it is an acquire.
template <typename Word>
__device__ __forceinline__ Word load_relaxed(const Word* address) {
  static_assert(is_word<Word>);
  Word value;
  const auto global = __cvta_generic_to_global(address);
  if constexpr (sizeof(Word) == 4) {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(global) : "memory");
  } else {
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(value) : "l"(global) : "memory");
  }
  return value;
}

/// Writes a word behind all that the thread saw and did before.
template <typename Word>
__device__ __forceinline__ void store_release(Word* address, std::type_identity_t<Word> value) {
  static_assert(is_word<Word>);
  const auto global = __cvta_generic_to_global(address);
  if constexpr (sizeof(Word) == 4) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(global), "r"(value) : "memory");
  } else {
    asm volatile("st.release.gpu.global.u64 [%0], %1;" ::"l"(global), "l"(value) : "memory");
  }
}

/// Writes a word and orders nothing. With __threadfence() before it, it is a release.
template <typename Word>
__device__ __forceinline__ void store_relaxed(Word* address, std::type_identity_t<Word> value) {
  static_assert(is_word<Word>);
  const auto global = __cvta_generic_to_global(address);
  if constexpr (sizeof(Word) == 4) {
    asm volatile("st.relaxed.gpu.global.u32 [%0], %1;" ::"l"(global), "r"(value) : "memory");
  } else {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(global), "l"(value) : "memory");
  }
}

#else

template <typename Word>
Word load_acquire(const Word* address, simt::Place place = GSST_SIMT_CALLER) {
  static_assert(is_word<Word>);
  simt::begin_atomic_access(address, sizeof(Word), place);
  const Word value = __atomic_load_n(address, __ATOMIC_ACQUIRE);
  simt::after_atomic_read(address, value, place);
  return value;
}

template <typename Word>
Word load_relaxed(const Word* address, simt::Place place = GSST_SIMT_CALLER) {
  static_assert(is_word<Word>);
  simt::begin_atomic_access(address, sizeof(Word), place);
  const Word value = __atomic_load_n(address, __ATOMIC_RELAXED);
  simt::after_atomic_read(address, value, place);
  return value;
}

template <typename Word>
void store_release(Word* address, std::type_identity_t<Word> value, simt::Place place = GSST_SIMT_CALLER) {
  static_assert(is_word<Word>);
  simt::begin_atomic_access(address, sizeof(Word), place);
  const bool changes = simt::word_at(address, sizeof(Word)) != value;
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
  if (changes) simt::after_atomic_change();
}

template <typename Word>
void store_relaxed(Word* address, std::type_identity_t<Word> value, simt::Place place = GSST_SIMT_CALLER) {
  static_assert(is_word<Word>);
  simt::begin_atomic_access(address, sizeof(Word), place);
  const bool changes = simt::word_at(address, sizeof(Word)) != value;
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
  if (changes) simt::after_atomic_change();
}

#endif

}  // namespace gsst::device
