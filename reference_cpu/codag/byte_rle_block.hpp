#pragma once

#include <cstdint>
#include <span>
#include <vector>

/// The oracle of format `byte_rle` (FORMAT.md, section 13.4).
namespace gsst::reference::codag {

/// The payload of a block. It may be larger than the block.
std::vector<std::uint8_t> encode_byte_rle(std::span<const std::uint8_t> block);

/// The `uncompressed_bytes` bytes of block `block`. Throws FormatError naming the block and the byte.
std::vector<std::uint8_t> decode_byte_rle(std::span<const std::uint8_t> payload,
                                          std::uint32_t uncompressed_bytes, std::uint64_t block);

}  // namespace gsst::reference::codag
