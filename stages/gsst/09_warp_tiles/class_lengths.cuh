#pragma once

#include <cstdint>

#include "stages/gsst/09_warp_tiles/tile_codes.cuh"

/// The lengths of codes from their classes, four at a time and without memory.
namespace {

/// Lengths of the classes in bits, four in each word.
struct ClassLengths {
  std::uint32_t words[4];

  __device__ explicit ClassLengths(const TilesHeader& header) {
#pragma unroll
    for (std::uint32_t word = 0; word < 4; ++word) {
      words[word] = 0;
#pragma unroll
      for (std::uint32_t i = 0; i < 4; ++i) words[word] |= header.class_length(4 * word + i) * 8 << (8 * i);
    }
  }

  /// Of the four codes whose classes are the nibbles of `classes`.
  __device__ __forceinline__ std::uint32_t of(std::uint32_t classes) const {
    return permute_bytes(words[0], words[1], classes) | permute_bytes(words[2], words[3], classes ^ 0x8888);
  }
};

/// The lengths of a lane's codes in bits.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
struct LaneLengths {
  std::uint32_t words[CodesPerLane / 4];
  std::uint32_t sum;

  /// Bit 8 i + 6 says whether code 4 `word` + i has more than 4 bytes: 40 bits or more, and 64 with 24.
  __device__ __forceinline__ std::uint32_t longer_than_four_bytes(std::uint32_t word) const {
    return words[word] + 0x18181818;
  }

  /// Only the first `count` codes have a length.
  __device__ __forceinline__ LaneLengths(const LaneCodes<CodeBits, CodesPerLane>& codes,
                                         const ClassLengths& lengths, std::int32_t count) {
    sum = 0;
    if (count >= static_cast<std::int32_t>(CodesPerLane)) {
#pragma unroll
      for (std::uint32_t i = 0; i < CodesPerLane / 4; ++i) {
        words[i] = lengths.of(codes.classes(i));
        sum = add_byte_products(words[i], 0x01010101, sum);
      }
      return;
    }
#pragma unroll
    for (std::uint32_t i = 0; i < CodesPerLane / 4; ++i) {
      const std::int32_t here = count - static_cast<std::int32_t>(4 * i);
      const std::uint32_t used = here >= 4 ? ~0u : here <= 0 ? 0 : (1u << (8 * here)) - 1;
      words[i] = lengths.of(codes.classes(i)) & used;
      sum = add_byte_products(words[i], 0x01010101, sum);
    }
  }
};

}  // namespace
