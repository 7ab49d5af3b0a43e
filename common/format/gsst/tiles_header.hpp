#pragma once

#include <cstddef>
#include <cstdint>

#include "common/format/bytes.hpp"
#include "common/format/host_device.hpp"

/// Where the fields of a block of format `tiles` stand and how to read them, for the host's parser and for
/// kernels alike. FORMAT.md, section 9. Nothing here checks anything: check_tiles_block() has to accept a
/// block first.
namespace gsst::format {

/// Lanes that decode a tile together.
inline constexpr std::uint32_t tile_lanes = 32;
/// Groups of codes whose symbols have the same length: the highest four bits of a code name its class.
inline constexpr std::uint32_t length_class_count = 16;
/// Bytes before the codes.
inline constexpr std::uint32_t tiles_header_bytes = 48;
/// The payload of every block of a frame of format tiles starts at a multiple of this many bytes from the
/// frame's start, and so does each of its tiles.
inline constexpr std::uint32_t tiles_alignment = 16;
/// Most codes of a lane.
inline constexpr std::uint32_t max_codes_per_lane = 32;

/// How the codes of a tile are laid out.
struct TileShape {
  /// 8, 10 or 12.
  std::uint32_t code_bits;
  /// 16, 24 or 32.
  std::uint32_t codes_per_lane;

  bool operator==(const TileShape&) const = default;

  GSST_HOST_DEVICE constexpr std::uint32_t codes() const { return tile_lanes * codes_per_lane; }
  GSST_HOST_DEVICE constexpr std::uint32_t bytes() const { return codes() / 8 * code_bits; }
  /// Number of different codes.
  GSST_HOST_DEVICE constexpr std::uint32_t code_count() const { return 1u << code_bits; }
  /// Number of codes in a length class.
  GSST_HOST_DEVICE constexpr std::uint32_t class_codes() const { return code_count() / length_class_count; }
};

/// The bit that stands for `shape`, one that tiles can have, in the traits of a block (CheckedPayload).
GSST_HOST_DEVICE constexpr std::uint32_t tile_shape_bit(const TileShape& shape) {
  return 1u << ((shape.code_bits - 8) / 2 * 3 + (shape.codes_per_lane - 16) / 8);
}

/// The bits of all shapes.
inline constexpr std::uint32_t every_tile_shape = (1u << 9) - 1;

/// Code `index` of the tile of `shape` that starts at `tile`, in memory that the caller can read.
GSST_HOST_DEVICE inline std::uint32_t tile_code(const std::uint8_t* tile, const TileShape& shape,
                                                std::uint32_t index) {
  const std::uint32_t low = tile[index];
  const std::uint8_t* const rest = tile + shape.codes();
  if (shape.code_bits == 12) return low | (rest[index / 2] >> (4 * (index % 2)) & 0xfu) << 8;
  if (shape.code_bits == 10) {
    const std::uint32_t position = index % 8;
    const std::uint32_t byte = rest[index / 8 * 2 + position % 2];
    return low << 2 | (byte >> (2 * (position / 2)) & 3u);
  }
  return low;
}

/// Reads the fields of a block of format tiles. `block` points to the block's first byte, in memory that the
/// caller can read.
class TilesHeader {
public:
  GSST_HOST_DEVICE explicit TilesHeader(const std::uint8_t* block) : block_(block) {}

  /// Bytes of the whole block, this field and the padding included.
  GSST_HOST_DEVICE std::uint32_t block_bytes() const { return word(0); }
  /// Bytes that the block decodes to.
  GSST_HOST_DEVICE std::uint32_t uncompressed_bytes() const { return word(4); }
  GSST_HOST_DEVICE TileShape shape() const { return {.code_bits = block_[8], .codes_per_lane = block_[9]}; }
  GSST_HOST_DEVICE std::uint32_t tiles_per_strip() const {
    return static_cast<std::uint32_t>(load_little_endian<2>(block_ + 10));
  }
  GSST_HOST_DEVICE std::uint32_t code_count() const { return word(12); }
  /// 1: no code is half of a literal byte. 0: classes 0 and 1 are such halves (8-bit codes only).
  GSST_HOST_DEVICE std::uint32_t escape_free() const { return block_[16]; }
  /// 0: the block holds its table.
  GSST_HOST_DEVICE std::uint32_t dictionary_id() const { return word(20); }
  /// Length of the symbols of class `length_class`, less than length_class_count, in bytes.
  GSST_HOST_DEVICE std::uint32_t class_length(std::uint32_t length_class) const {
    return block_[32 + length_class];
  }
  GSST_HOST_DEVICE std::uint64_t tile_count() const {
    return (std::uint64_t{code_count()} + shape().codes() - 1) / shape().codes();
  }
  GSST_HOST_DEVICE std::uint32_t strip_count() const {
    return static_cast<std::uint32_t>((tile_count() + tiles_per_strip() - 1) / tiles_per_strip());
  }
  /// The first byte of tile `tile`, less than tile_count().
  GSST_HOST_DEVICE const std::uint8_t* tile(std::uint64_t tile) const {
    return block_ + tiles_header_bytes + tile * shape().bytes();
  }
  /// Where the output of strip `strip` starts, in bytes from the start of the block's output; the block's
  /// uncompressed size for strip_count().
  GSST_HOST_DEVICE std::uint32_t strip_output(std::uint32_t strip) const {
    if (strip == strip_count()) return uncompressed_bytes();
    return static_cast<std::uint32_t>(load_little_endian<4>(strip_outputs() + std::uint64_t{strip} * 4));
  }
  /// The stored strip offsets, u32 each.
  GSST_HOST_DEVICE const std::uint8_t* strip_outputs() const { return tile(tile_count()); }
  /// The first code whose symbol is stored: those before it are literal bytes or halves of them.
  GSST_HOST_DEVICE std::uint32_t first_stored_code() const {
    if (shape().code_bits != 8) return 256;
    return escape_free() != 0 ? 0 : 2 * shape().class_codes();
  }
  /// Bytes of the stored symbols of all codes below `code`, at most shape().code_count().
  GSST_HOST_DEVICE std::uint32_t stored_symbol_bytes(std::uint32_t code) const {
    const std::uint32_t class_codes = shape().class_codes();
    std::uint32_t bytes = 0;
    std::uint32_t first = first_stored_code();
    for (; first + class_codes <= code; first += class_codes) {
      bytes += class_codes * class_length(first / class_codes);
    }
    return first < code ? bytes + (code - first) * class_length(first / class_codes) : bytes;
  }
  /// The stored symbols of all codes.
  GSST_HOST_DEVICE const std::uint8_t* stored_symbols() const {
    return strip_outputs() + std::uint64_t{strip_count()} * 4;
  }
  /// What code `code` puts out: first byte in the lowest 8 bits, zero above its length. The first half of a
  /// literal byte has length 0 and is joined with the byte that follows by OR.
  GSST_HOST_DEVICE std::uint64_t symbol(std::uint32_t code) const {
    if (code < first_stored_code()) {
      if (shape().code_bits != 8) return code;
      return code < 16 ? code << 4 : code - 16;
    }
    const std::uint8_t* const stored = stored_symbols() + stored_symbol_bytes(code);
    const std::uint32_t length = class_length(code / shape().class_codes());
    std::uint64_t symbol = 0;
    for (std::uint32_t byte = 0; byte < length; ++byte) symbol |= std::uint64_t{stored[byte]} << (8 * byte);
    return symbol;
  }

private:
  GSST_HOST_DEVICE std::uint32_t word(std::uint32_t offset) const {
    return static_cast<std::uint32_t>(load_little_endian<4>(block_ + offset));
  }

  const std::uint8_t* block_;
};

/// Bytes that a payload of `bytes` bytes takes in a frame of format tiles: padded so that the next block,
/// behind its record header of 24 bytes, starts at a multiple of tiles_alignment.
GSST_HOST_DEVICE constexpr std::uint64_t padded_tiles_payload_bytes(std::uint64_t bytes) {
  return (bytes + tiles_alignment / 2 - 1) / tiles_alignment * tiles_alignment + tiles_alignment / 2;
}

}  // namespace gsst::format
