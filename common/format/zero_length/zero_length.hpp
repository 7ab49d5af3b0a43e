#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"

/// Zero-length coding (FORMAT.md, section 11): what its two forms share. "Thesis" is Heinrich Strauss's on
/// zero-length encoding.
namespace gsst::format::zero_length {

/// The thesis's own file (its Figure 9); never inside a frame.
inline constexpr BlockFormat bare_format{16};
/// The same elements as payloads of a frame.
inline constexpr BlockFormat frame_format{17};

/// The only layout besides raw: elements.
inline constexpr BlockLayout elements_layout{1};

/// The first byte of an element of two: a byte equal to it, or a run of zeros.
inline constexpr std::uint8_t marker = 0xff;
/// After the marker: the element is the marker's byte itself.
inline constexpr std::uint8_t literal_marker = 0;
/// Shortest run that an encoder writes as an element of two bytes.
inline constexpr std::size_t shortest_run = 3;
/// Longest run of one element; 0xFD to 0xFF after the marker mean nothing.
inline constexpr std::size_t longest_run = 0xfc;

/// Bytes of an element with a marker.
inline constexpr std::size_t marked_element_bytes = 2;
/// Most bytes of the elements of a byte: those of 0xFF.
inline constexpr std::uint64_t max_bytes_per_input_byte = marked_element_bytes;

/// Most bytes of the elements of a block of `uncompressed_bytes` bytes, whatever they are.
constexpr std::uint64_t max_elements_bytes(std::uint64_t uncompressed_bytes) {
  return max_bytes_per_input_byte * uncompressed_bytes;
}

/// Bare form: bytes of the block size, and of a guard block.
inline constexpr std::size_t bare_size_bytes = 8;
/// Bare form: bytes of a block's header, its size and its index.
inline constexpr std::size_t bare_header_bytes = 16;

/// Most bytes of a block in the bare form, its header included.
constexpr std::uint64_t max_bare_block_bytes(std::uint64_t uncompressed_bytes) {
  return bare_header_bytes + max_elements_bytes(uncompressed_bytes);
}

/// What becomes of a block's elements. The numbers are those of format::BlockStatus where the meaning is
/// shared.
enum class Status : std::uint32_t {
  decoded = 0,
  output_too_short = 1,
  output_too_long = 2,
  /// The last byte is a marker.
  marker_at_end = 3,
  /// 0xFD to 0xFF after a marker.
  unused_length = 4,
};

/// The status in words, after "elements": what is wrong.
const char* problem_of(Status status);

}  // namespace gsst::format::zero_length
