#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/zero_length/zero_length.hpp"

/// Zero-length coding whose blocks say which bytes their elements start with (FORMAT.md, section 11.4; thesis
/// 5.6.1 and 5.6.2).
namespace gsst::format::zero_length {

/// Payloads of a frame: two bytes that say the markers, then elements.
inline constexpr BlockFormat markers_format{18};

/// What a block's first two bytes say, in their order.
struct Markers {
  /// The first byte of an element of two; never 0.
  std::uint8_t marker;
  /// The element of one byte that is a run of four zeros; 0 where there is none, and never the marker.
  std::uint8_t four_zeros;
};

/// Bytes of a block before its elements.
inline constexpr std::size_t markers_bytes = 2;

/// Zeros of the run that `Markers::four_zeros` stands for.
inline constexpr std::size_t run_of_four_zeros = 4;

/// The second byte of the element that is the byte `markers.four_zeros` itself.
constexpr std::uint8_t literal_four_zeros(const Markers& markers) {
  return markers.marker == 0xfd ? 0xfe : 0xfd;
}

/// Longest run of one element: a count is never the marker.
constexpr std::size_t longest_run_of(const Markers& markers) {
  return markers.marker == longest_run ? longest_run - 1 : longest_run;
}

/// Fewest bytes of the elements of a block of `uncompressed_bytes` bytes: those of zeros, 252 to an element.
constexpr std::uint64_t min_elements_bytes(std::uint64_t uncompressed_bytes) {
  return (marked_element_bytes * uncompressed_bytes + longest_run - 1) / longest_run;
}

/// Most bytes that a block of `uncompressed_bytes` bytes has in `format`, one of this series: its elements,
/// and the markers before them.
constexpr std::uint64_t max_encoded_bytes(BlockFormat format, std::uint64_t uncompressed_bytes) {
  return (format == markers_format ? markers_bytes : 0) + max_elements_bytes(uncompressed_bytes);
}

/// What is wrong with the elements of such a block, in words, after "elements".
const char* problem_with_markers(Status status);

}  // namespace gsst::format::zero_length
