#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "reference_cpu/zero_length/elements.hpp"

/// Blocks that are a dictionary of floats and indexes (FORMAT.md, section 11.5), written and read float by
/// float: the oracle of the stages of that format.
namespace gsst::reference::zero_length {

/// Writes the payload of `block` to the start of `payload`, which has at least as many bytes as the block.
/// Returns its bytes, or the block's where no dictionary makes it smaller; then `payload` means nothing.
/// Throws std::invalid_argument where `payload` is smaller.
std::size_t encode_dictionary(std::span<const std::uint8_t> block, std::span<std::uint8_t> payload);

/// Decodes `payload`, which the format's rules accept as a block of `uncompressed_bytes` bytes. Positions are
/// from the first byte of the indexes: of the byte with the first bit of an index that is past the last
/// value.
DecodedElements decode_dictionary(std::span<const std::uint8_t> payload, std::uint64_t uncompressed_bytes);

}  // namespace gsst::reference::zero_length
