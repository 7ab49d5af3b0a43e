#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/format/encoding.hpp"
#include "common/format/tile_integer/tile_integer.hpp"

/// Frames of integers, coded by the stages that run on the host's processors.
namespace gsst::python {

/// A frame of format `for`, `dfor` or `rfor` of `values`, which are of `type`, with the bytes of the
/// reference codec's frame. The type is not read from the settings. Throws std::invalid_argument for settings
/// out of range.
std::vector<std::uint8_t> encode_integers(format::BlockFormat format, format::tile_integer::Type type,
                                          std::span<const std::uint8_t> values,
                                          const format::EncodeSettings& settings);

/// Decodes a block of such a frame that is not raw and whose payload the format's rules have accepted, to all
/// of `output`, which has the block's bytes.
void decode_integers(format::BlockFormat format, std::span<const std::uint8_t> payload,
                     std::span<std::uint8_t> output);

}  // namespace gsst::python
