#pragma once

#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/gsst/tiles_header.hpp"

// The codes of a tile in registers (FORMAT.md, section 9): lane l has codes l K to l K + K - 1.
namespace gsst::search::kernels {
namespace {

// Four bytes of the eight in `low` and `high`: nibble i of the lowest 16 bits of `selector` chooses byte i of
// the result by its lowest three bits. If the nibble's highest bit is set, byte i is the chosen byte's sign
// eight times: 0 for a byte below 128. One instruction, PRMT.
__device__ __forceinline__ std::uint32_t permute_bytes(std::uint32_t low, std::uint32_t high,
                                                       std::uint32_t selector) {
#if defined(__CUDACC__)
  std::uint32_t result;
  asm("prmt.b32 %0, %1, %2, %3;" : "=r"(result) : "r"(low), "r"(high), "r"(selector));
  return result;
#else
  const std::uint64_t bytes = std::uint64_t{high} << 32 | low;
  std::uint32_t result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t nibble = selector >> (4 * i) & 0xf;
    const auto byte = static_cast<std::uint32_t>(bytes >> (8 * (nibble & 7)) & 0xff);
    const std::uint32_t sign = byte >= 128 ? 0xff : 0;
    result |= (nibble >= 8 ? sign : byte) << (8 * i);
  }
  return result;
#endif
}

// `sum` plus the four bytes of `values`. One instruction, DP4A.
__device__ __forceinline__ std::uint32_t add_bytes(std::uint32_t values, std::uint32_t sum) {
#if defined(__CUDACC__)
  return __dp4a(values, 0x01010101u, sum);
#else
  for (unsigned i = 0; i < 4; ++i) sum += values >> (8 * i) & 0xff;
  return sum;
#endif
}

// Starts to load `Count` words, 1, 2 or 4, at a multiple of their size in memory that no thread writes, where
// the call is in the source: the compiler would move loads for the next tile past the search of this one.
template <std::uint32_t Count>
__device__ __forceinline__ void load_words(const std::uint8_t* address, std::uint32_t* words) {
#if defined(__CUDACC__)
  if constexpr (Count == 4) {
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3])
                 : "l"(address));
  } else if constexpr (Count == 2) {
    asm volatile("ld.global.nc.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "l"(address));
  } else {
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(words[0]) : "l"(address));
  }
#else
  const auto* const from = reinterpret_cast<const std::uint32_t*>(address);
  for (std::uint32_t i = 0; i < Count; ++i) words[i] = from[i];
#endif
}

// The codes of one lane. Their number is fixed, so that all of them stay in registers.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
class LaneCodes {
public:
  __device__ __host__ static constexpr format::TileShape shape() {
    return {.code_bits = CodeBits, .codes_per_lane = CodesPerLane};
  }

  // `tile` points to a tile, at a multiple of 16 if `Aligned`.
  template <bool Aligned>
  __device__ __forceinline__ void load(const std::uint8_t* tile, std::uint32_t lane) {
    load_parts<Aligned>(tile + lane * CodesPerLane, tile + shape().codes() + lane * rest_bytes);
  }

  // From where a tile has the codes' lowest 8 bits, of 10 bits the upper ones, and what else they have.
  template <bool Aligned>
  __device__ __forceinline__ void load_parts(const std::uint8_t* bytes, const std::uint8_t* rest) {
    load_bytes<Aligned, CodesPerLane>(bytes, bytes_);
    if constexpr (rest_bytes != 0) load_bytes<Aligned, rest_bytes>(rest, rest_);
  }

  // Code `index`, a constant wherever the loop over codes is unrolled.
  __device__ __forceinline__ std::uint32_t code(std::uint32_t index) const {
    const std::uint32_t byte = bytes_[index / 4] >> (8 * (index % 4)) & 0xff;
    if constexpr (CodeBits == 8) {
      return byte;
    } else if constexpr (CodeBits == 10) {
      const std::uint32_t bit = index % 16 / 8 * 16 + index % 2 * 8 + index % 8 / 2 * 2;
      return byte << 2 | (rest_[index / 16] >> bit & 3);
    } else {
      return byte | (rest_[index / 8] >> (4 * (index % 8)) & 0xf) << 8;
    }
  }

  // The lowest 8 bits of four codes, of 10 bits the upper ones, and what else the codes have, as a tile has
  // them.
  __device__ __forceinline__ std::uint32_t bytes(std::uint32_t word) const { return bytes_[word]; }
  __device__ __forceinline__ std::uint32_t rest(std::uint32_t word) const { return rest_[word]; }

  // The classes of codes 4 `word` to 4 `word` + 3, a nibble each.
  __device__ __forceinline__ std::uint32_t classes(std::uint32_t word) const {
    if constexpr (CodeBits == 12) {
      return rest_[word / 2] >> (16 * (word % 2));
    } else {
      // Each nibble once more four bits to the left: those of codes 0 and 1 are in byte 1 then, the others in
      // byte 3.
      return permute_bytes((bytes_[word] & 0xf0f0f0f0) * 17, 0, 0x4431);
    }
  }

private:
  static constexpr std::uint32_t rest_bytes = CodesPerLane / 8 * (CodeBits - 8);

  template <bool Aligned, std::uint32_t Bytes>
  __device__ __forceinline__ static void load_bytes(const std::uint8_t* address, std::uint32_t* words) {
    // 6 bytes, of 24 codes of 10 bits, are at multiples of 2.
    constexpr std::uint32_t unit = Bytes % 16 == 0 ? 16 : Bytes % 8 == 0 ? 8 : Bytes % 4 == 0 ? 4 : 0;
    if constexpr (Aligned && unit != 0) {
#pragma unroll
      for (std::uint32_t i = 0; i < Bytes / unit; ++i) {
        load_words<unit / 4>(address + unit * i, words + unit / 4 * i);
      }
    } else {
#pragma unroll
      for (std::uint32_t i = 0; i < Bytes / 2; ++i) {
        const auto value = static_cast<std::uint32_t>(format::load_little_endian<2>(address + 2 * i));
        words[i / 2] = i % 2 == 0 ? value : words[i / 2] | value << 16;
      }
    }
  }

  std::uint32_t bytes_[CodesPerLane / 4];
  std::uint32_t rest_[CodeBits == 8 ? 1 : (rest_bytes + 3) / 4];
};

}  // namespace
}  // namespace gsst::search::kernels
