#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/codag.hpp"

/// The oracle of format `orc_rle_v1` (FORMAT.md, section 13.3), value by value.
namespace gsst::reference::codag {

/// The payload of a block. It may be larger than the block.
std::vector<std::uint8_t> encode_orc_rle_v1(std::span<const std::uint8_t> block, format::codag::Type type);

/// The `uncompressed_bytes` bytes of block `block`, whose payload the format's rules have accepted. Throws
/// FormatError naming the block and the byte.
std::vector<std::uint8_t> decode_orc_rle_v1(std::span<const std::uint8_t> payload,
                                            std::uint32_t uncompressed_bytes, std::uint64_t block);

}  // namespace gsst::reference::codag
