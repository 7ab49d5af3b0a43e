#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"

/// The oracle of format `delta_nsf` (FORMAT.md, section 12.12), value by value.
namespace gsst::reference::tile_integer {

/// The payload of a block of values of `value_bytes` bytes, with its padding, in numbers of `number_bytes`
/// bytes, which are enough for all of them.
std::vector<std::uint8_t> delta_nsf_payload(std::span<const std::uint8_t> block, std::uint32_t value_bytes,
                                            std::uint32_t number_bytes);

/// The same in as few bytes a number as the format has; of the type only the size counts. The payload may be
/// larger than the block.
std::vector<std::uint8_t> encode_delta_nsf(std::span<const std::uint8_t> block,
                                           format::tile_integer::Type type);

/// The `uncompressed_bytes` bytes of a block whose payload the format's rules have accepted.
std::vector<std::uint8_t> decode_delta_nsf(std::span<const std::uint8_t> payload,
                                           std::uint32_t uncompressed_bytes);

}  // namespace gsst::reference::tile_integer
