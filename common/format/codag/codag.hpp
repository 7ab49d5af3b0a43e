#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/host_device.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Formats of series codag (FORMAT.md, section 13): the encodings of other containers, a chunk of them in
/// each block of a frame.
namespace gsst::format::codag {

/// ORC's run lengths of bytes.
inline constexpr BlockFormat byte_rle_format{64};
/// ORC's run lengths of integers, version 1.
inline constexpr BlockFormat orc_rle_v1_format{65};
/// ORC's run lengths of integers, version 2.
inline constexpr BlockFormat orc_rle_v2_format{66};

/// The only layout besides raw.
inline constexpr BlockLayout coded_layout{1};

/// Payloads are not padded.
inline constexpr std::uint32_t payload_alignment = 1;

/// What values are, with the same numbers as in the formats of integers by tile.
using tile_integer::shape_of;
using tile_integer::Type;
using tile_integer::type_count;
using tile_integer::TypeShape;

/// Formats of integers: the number of the type is the payload's first byte, and the stream follows it.
inline constexpr std::size_t type_offset = 0;
inline constexpr std::size_t stream_offset = 1;

/// Most bytes of a varint, and the largest value of the last of so many: there is no 65th bit.
inline constexpr std::uint32_t max_varint_bytes = 10;
inline constexpr std::uint32_t max_last_varint_byte = 1;

/// Formats byte_rle and orc_rle_v1: a first byte below 128 is a run of this many values more than it says;
/// from 128 on it is a list of 256 values less than it says.
inline constexpr std::uint32_t shortest_run = 3;
inline constexpr std::uint32_t longest_run = 127 + shortest_run;
inline constexpr std::uint32_t longest_list = 128;
inline constexpr std::uint32_t first_list_byte = 128;
/// Format byte_rle: a run, and a list of one value.
inline constexpr std::uint32_t bytes_of_byte_run = 2;
/// Format orc_rle_v1: what neighbours in a run differ by.
inline constexpr std::int32_t smallest_delta = -128;
inline constexpr std::int32_t largest_delta = 127;

/// The number that a zigzag code stands for: 0, -1, 1, -2 and so on, as 64 bits.
GSST_HOST_DEVICE constexpr std::uint64_t zigzag_decoded(std::uint64_t code) {
  return (code >> 1) ^ (std::uint64_t{0} - (code & 1));
}

/// The code of a number of 64 bits.
GSST_HOST_DEVICE constexpr std::uint64_t zigzag_encoded(std::uint64_t number) {
  return (number << 1) ^ (std::uint64_t{0} - (number >> 63));
}

}  // namespace gsst::format::codag
