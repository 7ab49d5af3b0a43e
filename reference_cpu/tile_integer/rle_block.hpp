#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// The oracle of formats `rle` and `rle_nsf` (FORMAT.md, section 12.9), run by run.
namespace gsst::reference::tile_integer {

/// Bytes of each number of a payload.
struct RleSizes {
  std::uint32_t value_bytes;
  /// Of a run's value and length: enough for all of them.
  std::uint32_t number_bytes;
  std::uint32_t length_bytes;
};

/// The payload of a block, with its padding.
std::vector<std::uint8_t> rle_payload(std::span<const std::uint8_t> block, const RleSizes& sizes);

/// The payload of format `rle`; of the type only the size counts. It may be larger than the block.
std::vector<std::uint8_t> encode_rle(std::span<const std::uint8_t> block, format::tile_integer::Type type);

/// The same of format `rle_nsf`, with as few bytes of values and lengths as the format has.
std::vector<std::uint8_t> encode_rle_nsf(std::span<const std::uint8_t> block,
                                         format::tile_integer::Type type);

/// The `uncompressed_bytes` bytes of a block whose payload the rules of either format have accepted.
std::vector<std::uint8_t> decode_rle(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes);

}  // namespace gsst::reference::tile_integer
