#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/tiles_header.hpp"

/// Blocks of format `tiles` (FORMAT.md, section 9): tables whose codes name the lengths of their symbols, and
/// blocks of such codes.
namespace gsst::format {

/// Maps the codes of a block of format tiles to symbols.
struct TileTable {
  /// 8, 10 or 12.
  std::uint32_t code_bits = 8;
  /// Whether no code is half of a literal byte; always so for 10 and 12 bits, whose tables hold each byte.
  bool escape_free = false;
  /// Length of the symbols of each class, 0 for a class that is not used.
  std::array<std::uint8_t, length_class_count> class_lengths{};
  /// What each of the 2^code_bits codes puts out, as TilesHeader::symbol() gives it.
  std::vector<std::uint64_t> symbols;

  /// Length of the symbol of `code`, less than 2^code_bits, in bytes.
  unsigned length(std::uint32_t code) const { return class_lengths[code >> (code_bits - 4)]; }

  bool operator==(const TileTable&) const = default;
};

/// A table without symbols of its own: its first classes hold literal bytes, or the halves of them, as
/// FORMAT.md fixes it for this number of bits and `escape_free`; the other classes are unused. Throws
/// std::invalid_argument if `code_bits` is not 8, 10 or 12, or if it is above 8 and `escape_free` is false.
TileTable make_literal_tile_table(std::uint32_t code_bits, bool escape_free);

/// Number of classes of such a table that are taken.
std::uint32_t literal_class_count(std::uint32_t code_bits, bool escape_free);

/// The table of a block that check_tiles_block() has accepted.
TileTable read_tile_table(const TilesHeader& header);

/// Checks `payload`, all bytes of one block of a frame. After it, decoding needs to check nothing but that
/// the codes of each strip decode to as many bytes as the strip has. Throws FormatError naming `block`.
void check_tiles_block(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                       std::optional<std::uint64_t> block);

/// Checks the bytes behind what a payload says. Throws FormatError naming `block`.
void check_tiles_padding(std::span<const std::uint8_t> padding, std::optional<std::uint64_t> block);

/// What build_tiles_block() puts together.
struct TilesParts {
  TileShape shape;
  /// 1 to 65535.
  std::uint32_t tiles_per_strip;
  std::uint32_t uncompressed_bytes;
  const TileTable& table;
  /// All codes, in the order of the output.
  std::span<const std::uint16_t> codes;
  /// Where the output of each strip starts, in bytes from the start of the block's output.
  std::span<const std::uint32_t> strip_outputs;
};

/// Builds a block with its padding.
std::vector<std::uint8_t> build_tiles_block(const TilesParts& parts);

/// More bytes than any payload of a block of `uncompressed_bytes` bytes has.
std::uint64_t max_tiles_payload_bytes(std::uint64_t uncompressed_bytes);

}  // namespace gsst::format
