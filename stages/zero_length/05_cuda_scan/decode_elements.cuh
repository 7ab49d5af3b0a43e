#pragma once

#include <cstdint>

#include "common/format/zero_length/zero_length.hpp"
#include "stages/zero_length/05_cuda_scan/decode_instructions.cuh"
#include "stages/zero_length/05_cuda_scan/decode_payload.cuh"

// What each byte of a compressed vector becomes, four bytes at a time and without a branch: how many bytes of
// output, and which byte. A count is never FF, so a byte FF is a marker, and the byte before says the rest
// (FORMAT.md, section 11.1).
namespace gsst::zero_length::decoder {
namespace {

constexpr std::uint32_t low_seven_bits = 0x7f7f7f7f;
constexpr std::uint32_t highest_bits = 0x80808080;
constexpr std::uint32_t one_in_each_byte = 0x01010101;

// The smallest addend that carries a byte's low seven bits into its highest bit: where they are those of a
// marker, of a length that means nothing, of any byte but 0.
constexpr std::uint32_t carry_of_marker = one_in_each_byte * (0x100 - format::zero_length::marker);
constexpr std::uint32_t carry_of_unused_length = one_in_each_byte * (0xff - format::zero_length::longest_run);
constexpr std::uint32_t carry_of_nonzero = low_seven_bits;

// The elements of a vector, byte by byte: of a marker and its length the length carries all.
struct Elements {
  // Bytes of output: 0 for a marker, the run's for a length.
  std::uint32_t lengths[4];
  // The first byte of output; of a marker it means nothing.
  std::uint32_t bytes[4];

  // Of all bytes.
  __device__ std::uint32_t total() const {
    std::uint32_t sum = 0;
#pragma unroll
    for (unsigned word = 0; word < 4; ++word) sum = add_bytes(lengths[word], one_in_each_byte, sum);
    return sum;
  }

  // Whether a run has 128 bytes or more.
  __device__ bool has_long_run() const {
    return ((lengths[0] | lengths[1] | lengths[2] | lengths[3]) & highest_bits) != 0;
  }

  // Whether a length means nothing.
  __device__ bool has_unused_length() const {
    std::uint32_t carries = 0;
#pragma unroll
    for (unsigned word = 0; word < 4; ++word) {
      carries |= ((lengths[word] & low_seven_bits) + carry_of_unused_length) & lengths[word];
    }
    return (carries & highest_bits) != 0;
  }
};

// 0xFF for each byte of `word` that is a marker.
__device__ inline std::uint32_t markers_of(std::uint32_t word) {
  return bytes_with_highest_bit(((word & low_seven_bits) + carry_of_marker) & word);
}

// The elements of the word `number`. `markers` are markers_of() it, `markers_before` those of the word
// before.
__device__ inline void read_word(std::uint32_t word, std::uint32_t markers, std::uint32_t markers_before,
                                 unsigned number, Elements& elements) {
  const std::uint32_t is_length = __funnelshift_r(markers_before, markers, 24);
  // Highest bits count in these two. A length of 0: the element is one byte, the marker's.
  const std::uint32_t is_literal_marker = ~(((word & low_seven_bits) + carry_of_nonzero) | word) & is_length;
  const std::uint32_t is_one = is_literal_marker | ~(is_length | markers);
  elements.lengths[number] = (word & is_length) | (is_one >> 7 & one_in_each_byte);
  elements.bytes[number] = (word & ~is_length) | bytes_with_highest_bit(is_literal_marker);
}

// Stores the first byte of each element's output, the first of them at `place`. The rest of a run is left as
// it is. A marker's byte goes where its length's goes later, unless another lane has the length.
__device__ inline void place_all(const Elements& elements, SharedByte place) {
#pragma unroll
  for (unsigned word = 0; word < 4; ++word) {
    const std::uint32_t lengths = elements.lengths[word];
    const std::uint32_t bytes = elements.bytes[word];
    place.store(bytes);
    place.after(lengths, 0x000001).store(bytes >> 8);
    place.after(lengths, 0x000101).store(bytes >> 16);
    if (word < 3 || lengths >> 24 != 0) place.after(lengths, 0x010101).store(bytes >> 24);
    place = place.after(lengths, one_in_each_byte);
  }
}

// A part of a block's output in shared memory.
struct Window {
  std::uint8_t* bytes;
  std::uint32_t size;
};

// As place_all() for elements of which some have no output, or none in the window. The first one's is `place`
// bytes after the window's start, modulo 2^32.
__device__ inline void place_some(const Elements& elements, std::uint32_t place, const Window& window) {
#pragma unroll
  for (unsigned word = 0; word < 4; ++word) {
    std::uint32_t lengths = elements.lengths[word];
    std::uint32_t bytes = elements.bytes[word];
    // A loop: unrolled, what it computes would be kept for all windows, in more registers than there are.
#pragma unroll 1
    for (unsigned byte = 0; byte < 4; ++byte) {
      const std::uint32_t length = lengths & 0xff;
      if (length != 0 && place < window.size) window.bytes[place] = static_cast<std::uint8_t>(bytes);
      place += length;
      lengths >>= 8;
      bytes >>= 8;
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length::decoder
