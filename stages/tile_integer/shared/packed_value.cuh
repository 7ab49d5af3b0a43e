#pragma once

#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/launch.hpp"

// Values of a packed block, from words that lie anywhere: `Words` has word(number).
namespace gsst::tile_integer {
namespace {

// Bits `bit` to `bit + width - 1` of the words from number `first` on, at most 64 of them.
template <typename Words>
__device__ inline std::uint64_t extract_bits(const Words& words, std::uint32_t first, std::uint32_t bit,
                                             std::uint32_t width) {
  const std::uint32_t shift = bit % 32;
  std::uint32_t next = first + bit / 32;
  std::uint64_t value = 0;
  // A word that holds none of the bits is not read: it may be the last one that there is.
  for (std::uint32_t found = 0; found < width; ++next) {
    const std::uint32_t skipped = found == 0 ? shift : 0;
    value |= std::uint64_t{words.word(next)} >> skipped << found;
    found += 32 - skipped;
  }
  // A shift by 64 is not defined.
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

// The reference of the packed block that starts at word `start`.
template <typename Words>
__device__ inline std::uint64_t reference_of(const Words& words, std::uint32_t start,
                                             std::uint32_t reference_words) {
  const std::uint64_t low = words.word(start);
  return reference_words == 1 ? low : low | std::uint64_t{words.word(start + 1)} << 32;
}

// Where a miniblock is in its packed block, and how wide its values are.
struct Miniblock {
  // Words after the word of widths.
  std::uint32_t offset;
  std::uint32_t width;

  // Number `miniblock` of four whose widths are the bytes of `widths`.
  __device__ Miniblock(std::uint32_t widths, std::uint32_t miniblock) : offset(0) {
    for (std::uint32_t before = 0; before < miniblock; ++before) offset += widths >> 8 * before & 0xff;
    width = widths >> 8 * miniblock & 0xff;
  }
};

// Value `index` of the packed block that starts at word `start`, as the low bits of the result.
template <typename Words>
__device__ inline std::uint64_t decode_value(const Words& words, std::uint32_t start, std::uint32_t index,
                                             std::uint32_t reference_words) {
  const std::uint32_t widths = start + reference_words;
  const Miniblock miniblock(words.word(widths), index / format::tile_integer::miniblock_values);
  return reference_of(words, start, reference_words) +
         extract_bits(words, widths + 1 + miniblock.offset,
                      index % format::tile_integer::miniblock_values * miniblock.width, miniblock.width);
}

}  // namespace
}  // namespace gsst::tile_integer
