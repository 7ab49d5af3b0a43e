#pragma once

#include <cstddef>
#include <cstdint>

#include "stages/search/shared/search_on_device.hpp"
#include "stages/search/shared/text_walk.cuh"

// The whole pattern over codes, exactly: a bit for each place of the pattern says whether the text so far
// ends with the pattern up to that place. A code shifts these bits by its length and keeps those that its
// symbol agrees with. most_bytes_after more places, where any byte will do, tell where in a symbol a match
// has ended.
namespace gsst::search::kernels {
namespace {

// What a step does, in a word of 64 bits: in the lowest 8 the places up to which the symbol's end alone is
// the pattern, then the length in 4 bits, then the places that the symbol may end at. 0: the code puts
// nothing out or a half of a byte, and there is no step.
constexpr std::uint32_t length_shift = 8;
constexpr std::uint32_t places_shift = 12;
constexpr std::uint64_t places_mask = ~std::uint64_t{0} << places_shift;

template <std::uint32_t CodeBits>
constexpr std::size_t exact_table_bytes = (std::size_t{1} << CodeBits) * sizeof(std::uint64_t);

// The word of a code that puts out `output`, no half of a byte.
__device__ inline std::uint64_t exact_word(const Pattern& pattern, const CodeOutput& output) {
  std::uint64_t alone = 0;
  std::uint64_t after = ~std::uint64_t{0};
  for (std::uint32_t i = 0; i < output.length; ++i) {
    const std::uint64_t places = pattern.places[output.symbol >> (8 * i) & 0xff];
    alone = (alone << 1 | 1) & places;
    after = after << 1 & places;
  }
  return output.length == 0 ? 0 : after << places_shift | output.length << length_shift | alone;
}

__device__ __forceinline__ std::uint32_t exact_length(std::uint64_t word) {
  return static_cast<std::uint32_t>(word) >> length_shift & 0xf;
}

// The places after a code with this word; places are above the lowest places_shift bits.
__device__ __forceinline__ std::uint64_t exact_step(std::uint64_t word, std::uint64_t places) {
  return (places << exact_length(word) & word & places_mask) | (word & 0xff) << places_shift;
}

}  // namespace
}  // namespace gsst::search::kernels
