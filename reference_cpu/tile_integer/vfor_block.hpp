#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// The oracle of format `vfor` (FORMAT.md, section 12.7), value by value.
namespace gsst::reference::tile_integer {

/// The payload of a block of values of `type`, with its padding, whether it is smaller than the block or not.
std::vector<std::uint8_t> encode_vfor(std::span<const std::uint8_t> block, format::tile_integer::Type type);

/// The `uncompressed_bytes` bytes of a block whose payload the format's rules have accepted.
std::vector<std::uint8_t> decode_vfor(std::span<const std::uint8_t> payload,
                                      std::uint32_t uncompressed_bytes);

}  // namespace gsst::reference::tile_integer
