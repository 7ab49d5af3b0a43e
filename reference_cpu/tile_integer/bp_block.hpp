#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// The oracle of format `bp` (FORMAT.md, section 12.6), bit by bit.
namespace gsst::reference::tile_integer {

/// The payload of a block of values of `type`, of which only the size counts, with its padding, whether it is
/// smaller than the block or not. Widths are `more_bits` bits larger than needed, as far as values have bits.
std::vector<std::uint8_t> bp_payload(std::span<const std::uint8_t> block, format::tile_integer::Type type,
                                     std::uint32_t more_bits);

/// The same with the smallest widths.
std::vector<std::uint8_t> encode_bp(std::span<const std::uint8_t> block, format::tile_integer::Type type);

/// The `uncompressed_bytes` bytes of a block whose payload the format's rules have accepted.
std::vector<std::uint8_t> decode_bp(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes);

}  // namespace gsst::reference::tile_integer
