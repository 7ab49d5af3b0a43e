#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// The encoder of format `ofor` (FORMAT.md, section 12.8). Its payloads are some of those of format `for`,
/// and decode_for() decodes them.
namespace gsst::reference::tile_integer {

/// The payload of a block of values of `type`, with its padding, whether it is smaller than the block or not.
std::vector<std::uint8_t> encode_ofor(std::span<const std::uint8_t> block, format::tile_integer::Type type);

}  // namespace gsst::reference::tile_integer
