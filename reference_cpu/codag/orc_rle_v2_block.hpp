#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/codag/codag.hpp"

/// The oracle of format `orc_rle_v2` (FORMAT.md, section 13.5), value by value.
namespace gsst::reference::codag {

/// Which widths the encoder gives packed numbers. The numbers are those of the codec's option.
enum class Packing : std::uint8_t {
  aligned = 0,  ///< 1, 2, 4 and whole bytes, but for patched bases: as ORC's writers have them
  tight = 1,    ///< the smallest of all widths
};

/// The payload of a block. It may be larger than the block.
std::vector<std::uint8_t> encode_orc_rle_v2(std::span<const std::uint8_t> block, format::codag::Type type,
                                            Packing packing);

/// The `uncompressed_bytes` bytes of block `block`, whose payload the format's rules have accepted. Throws
/// FormatError naming the block and the byte.
std::vector<std::uint8_t> decode_orc_rle_v2(std::span<const std::uint8_t> payload,
                                            std::uint32_t uncompressed_bytes, std::uint64_t block);

}  // namespace gsst::reference::codag
