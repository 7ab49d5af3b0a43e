#pragma once

#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "stages/gsst/09_warp_tiles/device_functions.cuh"

/// The codes of a tile in registers, for each width of codes (FORMAT.md, section 9).
namespace {

using gsst::format::TileShape;
using gsst::format::TilesHeader;

constexpr std::uint32_t all_lanes = 0xffffffff;

/// Copies of a symbol in shared memory, so that lanes read different banks: 32 of the 256 symbols of 8 bits
/// take 64 KiB, 16 of 1024 take 128 KiB. A table of 12 bits takes 32 KiB once.
template <std::uint32_t CodeBits>
constexpr std::uint32_t table_copies = CodeBits == 8    ? 32
                                       : CodeBits == 10 ? 16
                                                        : 1;

template <std::uint32_t CodeBits>
constexpr std::uint32_t table_bytes = (1u << CodeBits) * table_copies<CodeBits> * 8;

/// Loads `Bytes` bytes, a multiple of 4, at `address`, a multiple of the largest power of two up to 16 that
/// divides `Bytes`.
template <std::uint32_t Bytes>
__device__ __forceinline__ void load_aligned_bytes(const std::uint8_t* address, std::uint32_t* words) {
  constexpr std::uint32_t unit = Bytes % 16 == 0 ? 16 : Bytes % 8 == 0 ? 8 : 4;
#pragma unroll
  for (std::uint32_t i = 0; i < Bytes / unit; ++i) {
    load_constant_words<unit / 4>(address + unit * i, words + unit / 4 * i);
  }
}

/// As load_aligned_bytes(), at any address.
template <std::uint32_t Bytes>
__device__ __forceinline__ void load_bytes(const std::uint8_t* address, std::uint32_t* words) {
#pragma unroll
  for (std::uint32_t i = 0; i < Bytes / 2; ++i) {
    const auto value = static_cast<std::uint32_t>(gsst::format::load_little_endian<2>(address + 2 * i));
    words[i / 2] = i % 2 == 0 ? value : words[i / 2] | value << 16;
  }
}

/// The codes of one lane. Their number is fixed, so that all of them stay in registers.
template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
class LaneCodes {
public:
  __device__ __host__ static constexpr TileShape shape() {
    return {.code_bits = CodeBits, .codes_per_lane = CodesPerLane};
  }
  /// Words of four codes' lengths.
  static constexpr std::uint32_t length_words = CodesPerLane / 4;

  /// `tile` points to a tile.
  __device__ __forceinline__ void load(const std::uint8_t* tile, std::uint32_t lane) {
    load_bytes<CodesPerLane>(tile + lane * CodesPerLane, bytes_);
    if constexpr (rest_bytes != 0) load_bytes<rest_bytes>(rest_of(tile, lane), rest_);
  }

  /// As load(), with the widest loads: `tile` is a multiple of 16. settle() has to follow, where the codes
  /// are needed: what looks at them waits for them.
  __device__ __forceinline__ void load_aligned(const std::uint8_t* tile, std::uint32_t lane) {
    load_aligned_bytes<CodesPerLane>(tile + lane * CodesPerLane, bytes_);
    if constexpr (has_half_words) {
      // The two words that the lane's six bytes stand in.
      load_aligned_bytes<4>(rest_of(tile, lane) - lane % 2 * 2, rest_);
      load_aligned_bytes<4>(rest_of(tile, lane) - lane % 2 * 2 + 4, rest_ + 1);
    } else if constexpr (rest_bytes != 0) {
      load_aligned_bytes<rest_bytes>(rest_of(tile, lane), rest_);
    }
  }

  /// Puts what load_aligned() has loaded in its place.
  __device__ __forceinline__ void settle(std::uint32_t lane) {
    if constexpr (has_half_words) {
      const std::uint32_t shift = lane % 2 * 16;
      rest_[0] = shift_words(rest_[0], rest_[1], shift);
      rest_[1] >>= shift;
    }
  }

  /// The classes of codes 4 `word` to 4 `word` + 3, a nibble each.
  __device__ __forceinline__ std::uint32_t classes(std::uint32_t word) const {
    if constexpr (CodeBits == 12) {
      return rest_[word / 2] >> (16 * (word % 2));
    } else {
      // Each nibble once more four bits to the left: in byte 1 stand those of codes 0 and 1, in byte 3 the
      // others.
      const std::uint32_t doubled = (bytes_[word] & 0xf0f0f0f0) * 17;
      return permute_bytes(doubled, 0, 0x4431);
    }
  }

  /// What table_offset() needs of the lane.
  __device__ __forceinline__ static std::uint32_t lane_offset(std::uint32_t lane) {
    return CodeBits == 8 ? lane * 8 : CodeBits == 10 ? (lane & 15) * 4 * 0x0101 : 0;
  }

  /// Bytes from the start of the table to the lane's copy of the symbol of code `index`, a constant wherever
  /// the loop over codes is unrolled.
  __device__ __forceinline__ std::uint32_t table_offset(std::uint32_t index,
                                                        std::uint32_t lane_offset) const {
    const std::uint32_t word = bytes_[index / 4];
    const std::uint32_t byte = index % 4;
    if constexpr (CodeBits == 8) {
      // code << 8 | lane << 3
      return permute_bytes(word, lane_offset, 0x5504 | byte << 4);
    } else if constexpr (CodeBits == 10) {
      // The two low bits of codes 2 p and 2 p + 1 go to the top of bytes 0 and 1, above the lane's copy.
      const std::uint32_t rest = rest_[index / 16];
      const std::uint32_t pair = index % 16 / 2;
      const std::uint32_t bits = (pair < 4 ? rest << (6 - 2 * pair) : rest >> (2 + 2 * pair)) & 0xc0c0;
      return permute_bytes(word, bits | lane_offset, 0x7700 | byte << 4 | (4 + index % 2)) * 2;
    } else {
      const std::uint32_t rest = rest_[index / 8];
      const std::uint32_t high = index % 2 == 0 ? rest : rest >> 4;
      return (permute_bytes(word, high, byte | (4 + index % 8 / 2) << 4) & 0xfff) * 8;
    }
  }

  /// Code `index`.
  __device__ __forceinline__ std::uint32_t code(std::uint32_t index) const {
    return table_offset(index, 0) / (table_copies<CodeBits> * 8);
  }

private:
  // What a lane has beside a byte for each code.
  static constexpr std::uint32_t rest_bytes = CodesPerLane / 8 * (CodeBits - 8);
  // 6 bytes, 10 bits with 24 codes a lane: an odd lane's start in the middle of a word.
  static constexpr bool has_half_words = rest_bytes % 4 != 0;

  __device__ __forceinline__ static const std::uint8_t* rest_of(const std::uint8_t* tile,
                                                                std::uint32_t lane) {
    return tile + shape().codes() + lane * rest_bytes;
  }

  std::uint32_t bytes_[CodesPerLane / 4];
  std::uint32_t rest_[CodeBits == 8 ? 1 : (rest_bytes + 3) / 4];
};

}  // namespace
