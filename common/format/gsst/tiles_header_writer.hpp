#pragma once

#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/format/host_device.hpp"

/// How a kernel writes a block of format `tiles` (FORMAT.md, section 9). The host's builder is
/// build_tiles_block(); the bytes are the same.
namespace gsst::format {

/// What the header of a block says, but for the lengths of its classes.
struct TilesHeaderFields {
  /// Of the whole block, padding included.
  std::uint32_t block_bytes;
  std::uint32_t uncompressed_bytes;
  TileShape shape;
  /// 1 to 65535.
  std::uint32_t tiles_per_strip;
  std::uint32_t code_count;
  /// 0 or 1.
  std::uint32_t escape_free;
  /// 0, or how many blocks before this one the block stands that holds the table.
  std::uint32_t dictionary_id;
};

/// Writes the tiles_header_bytes at `block`. `class_lengths` are length_class_count lengths.
GSST_HOST_DEVICE inline void write_tiles_header(std::uint8_t* block, const TilesHeaderFields& fields,
                                                const std::uint8_t* class_lengths) {
  for (std::uint32_t byte = 0; byte < tiles_header_bytes; ++byte) block[byte] = 0;
  store_little_endian<4>(block, fields.block_bytes);
  store_little_endian<4>(block + 4, fields.uncompressed_bytes);
  block[8] = static_cast<std::uint8_t>(fields.shape.code_bits);
  block[9] = static_cast<std::uint8_t>(fields.shape.codes_per_lane);
  store_little_endian<2>(block + 10, fields.tiles_per_strip);
  store_little_endian<4>(block + 12, fields.code_count);
  block[16] = static_cast<std::uint8_t>(fields.escape_free);
  store_little_endian<4>(block + 20, fields.dictionary_id);
  for (std::uint32_t i = 0; i < length_class_count; ++i) block[32 + i] = class_lengths[i];
}

/// Writes eight codes of a tile of `shape`, the first one at index `first`, which 8 divides. `tile` is
/// aligned to 8 bytes.
GSST_HOST_DEVICE inline void write_eight_codes(std::uint8_t* tile, const TileShape& shape,
                                               std::uint32_t first, const std::uint32_t (&codes)[8]) {
  const std::uint32_t unstored_bits = shape.code_bits == 10 ? 2 : 0;
  std::uint64_t bytes = 0;
  for (unsigned i = 0; i < 8; ++i) {
    bytes |= std::uint64_t{codes[i] >> unstored_bits & 0xff} << (8 * i);
  }
  *reinterpret_cast<std::uint64_t*>(tile + first) = bytes;
  std::uint8_t* const rest = tile + shape.codes();
  if (shape.code_bits == 12) {
    std::uint32_t nibbles = 0;
    for (unsigned i = 0; i < 8; ++i) nibbles |= (codes[i] >> 8 & 0xf) << (4 * i);
    *reinterpret_cast<std::uint32_t*>(rest + first / 2) = nibbles;
  } else if (shape.code_bits == 10) {
    std::uint32_t pairs = 0;
    for (unsigned i = 0; i < 8; ++i) pairs |= (codes[i] & 3) << (8 * (i % 2) + 2 * (i / 2));
    *reinterpret_cast<std::uint16_t*>(rest + first / 4) = static_cast<std::uint16_t>(pairs);
  }
}

}  // namespace gsst::format
