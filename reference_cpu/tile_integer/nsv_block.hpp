#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// The oracle of format `nsv` (FORMAT.md, section 12.10), value by value.
namespace gsst::reference::tile_integer {

/// The payload of a block, with its padding; of the type only the size counts. It may be larger than the
/// block.
std::vector<std::uint8_t> encode_nsv(std::span<const std::uint8_t> block, format::tile_integer::Type type);

/// The `uncompressed_bytes` bytes of a block whose payload the format's rules have accepted.
std::vector<std::uint8_t> decode_nsv(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes);

}  // namespace gsst::reference::tile_integer
