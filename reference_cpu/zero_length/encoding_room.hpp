#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"

namespace gsst::reference::zero_length {

/// Bytes that an encoder of `format` zle_dictionary gets to work in, at any address, for a block with at most
/// `most_values` values and `floats` floats: the payload and an array of indexes that moves into it, the
/// values with their first places, and a hash table that is at most half full.
constexpr std::uint64_t dictionary_room_bytes(std::uint32_t most_values, std::uint64_t floats) {
  constexpr std::uint64_t entry_bytes = 8;
  const std::uint64_t slots = 2 * std::bit_ceil(std::uint64_t{most_values});
  // The indexes are written from the values' end on and read from a place that is never passed: besides the
  // values there are the header, a store of eight bytes and what aligns the arrays.
  constexpr std::uint64_t besides = 64;
  return besides + format::zero_length::float_bytes * (most_values + floats) +
         entry_bytes * (most_values + slots);
}

/// Bytes that an encoder of `format` gets for a block of `uncompressed_bytes` bytes, more for a larger one:
/// what the block's payload has at most, and what it needs besides while it works.
constexpr std::uint64_t encoding_room(format::BlockFormat format, std::uint64_t uncompressed_bytes) {
  namespace zle = format::zero_length;
  if (format != zle::dictionary_format) return zle::max_encoded_bytes(format, uncompressed_bytes);
  const std::uint64_t room = dictionary_room_bytes(zle::most_paying_values(uncompressed_bytes),
                                                   uncompressed_bytes / zle::float_bytes);
  return std::max(room, uncompressed_bytes);
}

}  // namespace gsst::reference::zero_length
