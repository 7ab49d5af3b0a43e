#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>

#include "common/simt/executor.hpp"

/// CUDA's words for a C++ compiler: with this file a kernel's source compiles unchanged and runs on the CPU
/// (executor.hpp). Only what the kernels of this repository use is here.

#if defined(__SANITIZE_THREAD__)
// All that a kernel calls becomes part of it: of an inline function that several files have, the linker keeps
// one copy, which may be one that nobody instrumented.
#define __global__ [[gnu::flatten]]
#else
#define __global__
#endif
#define __device__
#define __host__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __maxnreg__(...)

#define threadIdx (::gsst::simt::current_thread().thread)
#define blockIdx (::gsst::simt::current_thread().block)
#define blockDim (::gsst::simt::current_thread().block_size)
#define gridDim (::gsst::simt::current_thread().grid_size)

/// The default of a parameter of type Place: where the function is called.
#define GSST_SIMT_CALLER \
  { __builtin_FILE(), __builtin_LINE() }
#define GSST_SIMT_PLACE (::gsst::simt::Place{__FILE__, __LINE__})
#define __syncthreads() ::gsst::simt::sync_threads(GSST_SIMT_PLACE)
#define __threadfence() ::gsst::simt::fence()
#define __syncwarp(...) ::gsst::simt::sync_warp(::gsst::simt::warp_mask(__VA_ARGS__), GSST_SIMT_PLACE)

#define __shfl_sync(...) ::gsst::simt::shuffle_from_lane(GSST_SIMT_PLACE, __VA_ARGS__)
#define __shfl_up_sync(...) ::gsst::simt::shuffle_up(GSST_SIMT_PLACE, __VA_ARGS__)
#define __shfl_down_sync(...) ::gsst::simt::shuffle_down(GSST_SIMT_PLACE, __VA_ARGS__)
#define __shfl_xor_sync(...) ::gsst::simt::shuffle_xor(GSST_SIMT_PLACE, __VA_ARGS__)

#define __ballot_sync(mask, predicate) ::gsst::simt::ballot(mask, (predicate) != 0, GSST_SIMT_PLACE)
#define __any_sync(mask, predicate) static_cast<int>(__ballot_sync(mask, predicate) != 0)
#define __all_sync(mask, predicate) static_cast<int>(__ballot_sync(mask, !(predicate)) == 0)
#define __match_any_sync(mask, value) \
  ::gsst::simt::match_any(mask, ::gsst::simt::bits_of(value), GSST_SIMT_PLACE)

namespace gsst::simt {

/// What __syncwarp() takes: all lanes unless told.
constexpr std::uint32_t warp_mask(std::uint32_t mask = 0xffffffff) {
  return mask;
}

/// The 32 or 64 bits of a number, as the executor passes them between lanes.
template <typename Value>
std::uint64_t bits_of(Value value) {
  static_assert(std::is_arithmetic_v<Value> && (sizeof(Value) == 4 || sizeof(Value) == 8),
                "lanes exchange numbers of 32 or 64 bits");
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

/// Gets `value` of lane `source` of the calling thread's warp.
template <typename Value>
Value exchange(std::uint32_t mask, Value value, unsigned source, Place place) {
  const std::uint64_t bits = shuffle(mask, bits_of(value), source, place);
  if constexpr (sizeof(Value) == 4) {
    return std::bit_cast<Value>(static_cast<std::uint32_t>(bits));
  } else {
    return std::bit_cast<Value>(bits);
  }
}

/// The first lane of the group of `width` lanes that the calling thread is in. Throws KernelError if `width`
/// is not a power of two up to 32.
inline unsigned first_lane_of_group(int width, Place place) {
  if (width < 1 || width > 32 || !std::has_single_bit(static_cast<unsigned>(width))) {
    throw KernelError("shuffle at " + std::string(place.file) + ":" + std::to_string(place.line) +
                      ": width is " + std::to_string(width) + ", it must be a power of two up to 32");
  }
  return current_lane() & ~(static_cast<unsigned>(width) - 1);
}

/// CUDA's four shuffles. Each group of `width` lanes, a power of two, is a warp of its own; a lane whose
/// source is outside of its group gets its own value back, but for shuffle_xor(), which also reads earlier
/// groups.
template <typename Value>
Value shuffle_from_lane(Place place, std::uint32_t mask, Value value, int source, int width = 32) {
  const unsigned first = first_lane_of_group(width, place);
  return exchange(mask, value, first + (static_cast<unsigned>(source) & (static_cast<unsigned>(width) - 1)),
                  place);
}

template <typename Value>
Value shuffle_up(Place place, std::uint32_t mask, Value value, unsigned delta, int width = 32) {
  const unsigned lane = current_lane();
  const bool inside = delta <= lane - first_lane_of_group(width, place);
  return exchange(mask, value, inside ? lane - delta : lane, place);
}

template <typename Value>
Value shuffle_down(Place place, std::uint32_t mask, Value value, unsigned delta, int width = 32) {
  const unsigned lane = current_lane();
  const unsigned lanes_to_end = first_lane_of_group(width, place) + static_cast<unsigned>(width) - lane;
  return exchange(mask, value, delta < lanes_to_end ? lane + delta : lane, place);
}

template <typename Value>
Value shuffle_xor(Place place, std::uint32_t mask, Value value, int lane_mask, int width = 32) {
  const unsigned source = current_lane() ^ static_cast<unsigned>(lane_mask);
  const unsigned group_end = first_lane_of_group(width, place) + static_cast<unsigned>(width);
  return exchange(mask, value, source < group_end ? source : current_lane(), place);
}

/// Replaces the number at `address` by `change` of it and returns the one before. Nothing comes between:
/// threads take turns only where they wait and around atomic accesses. The built-in functions tell the race
/// detector that the access is atomic.
template <typename Value, typename Change>
Value change_atomically(Value* address, Change&& change, Place place) {
  begin_atomic_access(address, sizeof(Value), place);
  const Value old = __atomic_load_n(address, __ATOMIC_RELAXED);
  const auto changed = static_cast<Value>(change(old));
  __atomic_exchange_n(address, changed, __ATOMIC_RELAXED);
  if (changed == old) {
    after_atomic_read(address, bits_of(old), place);
  } else {
    after_atomic_change();
  }
  return old;
}

}  // namespace gsst::simt

/// As CUDA's functions of these names.
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
inline std::uint32_t __funnelshift_r(std::uint32_t low, std::uint32_t high, std::uint32_t shift) {
  return static_cast<std::uint32_t>((std::uint64_t{high} << 32 | low) >> (shift % 32));
}
/// Without the selectors' highest bits, which ask for sign bits.
inline std::uint32_t __byte_perm(std::uint32_t low, std::uint32_t high, std::uint32_t selectors) {
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  std::uint32_t result = 0;
  for (unsigned byte = 0; byte < 4; ++byte) {
    const std::uint32_t selector = selectors >> (4 * byte) & 7;
    result |= static_cast<std::uint32_t>(bytes >> (8 * selector) & 0xff) << (8 * byte);
  }
  return result;
}
inline unsigned atomicAdd(unsigned* address, unsigned value, gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned old) { return old + value; }, place);
}
inline unsigned long long atomicAdd(unsigned long long* address, unsigned long long value,
                                    gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned long long old) { return old + value; }, place);
}
/// One that fails writes nothing.
inline unsigned atomicCAS(unsigned* address, unsigned expected, unsigned value,
                          gsst::simt::Place place = GSST_SIMT_CALLER) {
  gsst::simt::begin_atomic_access(address, sizeof *address, place);
  const unsigned old = __atomic_load_n(address, __ATOMIC_RELAXED);
  if (old == expected) __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
  if (old == expected && old != value) {
    gsst::simt::after_atomic_change();
  } else {
    gsst::simt::after_atomic_read(address, old, place);
  }
  return old;
}
inline unsigned atomicMax(unsigned* address, unsigned value, gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned old) { return std::max(old, value); }, place);
}
inline unsigned long long atomicMax(unsigned long long* address, unsigned long long value,
                                    gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned long long old) { return std::max(old, value); }, place);
}
inline unsigned atomicOr(unsigned* address, unsigned value, gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned old) { return old | value; }, place);
}
inline unsigned long long atomicOr(unsigned long long* address, unsigned long long value,
                                   gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned long long old) { return old | value; }, place);
}
inline unsigned atomicExch(unsigned* address, unsigned value, gsst::simt::Place place = GSST_SIMT_CALLER) {
  return gsst::simt::change_atomically(
      address, [value](unsigned) { return value; }, place);
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
