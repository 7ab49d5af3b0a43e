#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "common/format/block_format.hpp"
#include "common/format/zero_length/zero_length.hpp"

/// Blocks as a dictionary of their floats and an index for each float (FORMAT.md, section 11.5). Past the
/// thesis, which codes zeros alone.
namespace gsst::format::zero_length {

/// Payloads of a frame: a header, the block's distinct values, packed indexes, and bytes that are no whole
/// float.
inline constexpr BlockFormat dictionary_format{19};

/// Bytes of a float. Its bits are taken for an unsigned number; what it means is nowhere asked.
inline constexpr std::uint64_t float_bytes = 4;

/// Bytes of a block before its values: their count, and the bits of an index in the last byte.
inline constexpr std::uint64_t dictionary_header_bytes = 4;
/// Of them, those of the count.
inline constexpr int dictionary_count_bytes = 3;

/// Most values of a block.
inline constexpr std::uint32_t most_dictionary_values = std::uint32_t{1} << 20;

/// Bits of an index into `values` values, 1 or more: as few as the largest index needs.
constexpr std::uint32_t index_bits(std::uint32_t values) {
  return static_cast<std::uint32_t>(std::bit_width(values - 1));
}

/// Where the parts of a block's payload begin, in bytes from its start: values follow the header.
struct DictionaryPlaces {
  std::uint64_t indexes;
  /// The last bytes of the block, which are no whole float.
  std::uint64_t rest;
  std::uint64_t end;
};

/// The places in the payload of a block of `uncompressed_bytes` bytes with `values` values.
constexpr DictionaryPlaces dictionary_places(std::uint32_t values, std::uint64_t uncompressed_bytes) {
  const std::uint64_t index_bytes = (uncompressed_bytes / float_bytes * index_bits(values) + 7) / 8;
  const std::uint64_t indexes = dictionary_header_bytes + float_bytes * values;
  const std::uint64_t rest = indexes + index_bytes;
  return {.indexes = indexes, .rest = rest, .end = rest + uncompressed_bytes % float_bytes};
}

/// Most values with which the payload is smaller than the block's `uncompressed_bytes` bytes; 0 where it
/// never is. With fewer values, but for none, it is smaller too.
constexpr std::uint32_t most_paying_values(std::uint64_t uncompressed_bytes) {
  for (std::uint32_t bits = index_bits(most_dictionary_values) + 1; bits-- != 0;) {
    const std::uint32_t least = bits == 0 ? 1 : (std::uint32_t{1} << (bits - 1)) + 1;
    const std::uint64_t besides = dictionary_places(least, uncompressed_bytes).end - float_bytes * least;
    if (besides + float_bytes * least >= uncompressed_bytes) continue;
    const std::uint64_t most = (uncompressed_bytes - 1 - besides) / float_bytes;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(most, std::uint64_t{1} << bits));
  }
  return 0;
}

/// What a decoder leaves for a block besides 0: an index is past the last value. The number is that of no
/// other status of the series.
inline constexpr Status index_past_values{5};

/// What is wrong with the indexes of such a block, in words, after "indexes".
const char* problem_with_indexes(Status status);

}  // namespace gsst::format::zero_length
