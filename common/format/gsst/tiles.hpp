#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/gsst/tiles_header.hpp"

/// Blocks of format `tiles` (FORMAT.md, section 9): tables whose codes name the lengths of their symbols, and
/// blocks of such codes.
namespace gsst::format {

/// The widths of codes, and the numbers of codes in a lane, that there are.
inline constexpr std::array<std::uint32_t, 3> tile_code_bits = {8, 10, 12};
inline constexpr std::array<std::uint32_t, 3> tile_codes_per_lane = {32, 24, 16};

/// Whether a tile can have that shape.
bool is_tile_shape(const TileShape& shape);

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

/// The table of a block that holds one and that check_tiles_block() has accepted.
TileTable read_tile_table(const TilesHeader& header);

/// Checks what does not depend on the strips: after it, read_tile_table() reads inside `payload`, all bytes
/// of one block of a frame, if that holds its table. Throws FormatError naming `block`.
void check_tiles_header(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                        std::optional<std::uint64_t> block);

/// Checks `payload`, all bytes of one block of a frame. After it, decoding needs to check nothing but that
/// the codes of each strip decode to as many bytes as the strip has, and that a table in another block fits.
/// Throws FormatError naming `block`.
void check_tiles_block(std::span<const std::uint8_t> payload, std::uint32_t uncompressed_bytes,
                       std::optional<std::uint64_t> block);

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

/// Builds a block with its padding, which holds its table.
std::vector<std::uint8_t> build_tiles_block(const TilesParts& parts);

/// The largest dictionary id: how many blocks before a block the one may stand that holds its table. So a
/// reader in one pass keeps a bounded number of tables.
inline constexpr std::uint32_t max_dictionary_id = 1024;

/// A block of no codes with the shape, the classes and the symbols of `header`'s block, which holds its
/// table.
std::vector<std::uint8_t> build_table_block(const TilesHeader& header);

/// Bytes of the block, which holds its table, without the symbols.
std::uint64_t bytes_without_table(const TilesHeader& header);

/// Takes the symbols out of `block`, which holds its table: the block `dictionary_id` blocks before it, 1 to
/// max_dictionary_id, holds the same.
void share_table(std::vector<std::uint8_t>& block, std::uint32_t dictionary_id);

/// The block that holds the table of `header`'s block, number `block` of a frame: itself or one before.
/// Throws FormatError naming `block` if there are not as many.
std::uint64_t check_dictionary_id(const TilesHeader& header, std::uint64_t block);

/// Checks that `header`, of a block that stores no symbols, can use the table of `holder`, the block that its
/// dictionary id names. Both have been accepted by check_tiles_header(), or `holder` is what
/// build_table_block() makes. Throws FormatError naming `block`.
void check_shared_table(const TilesHeader& header, const TilesHeader& holder, std::uint64_t block);

/// Throws FormatError: the block that the dictionary id of `header`'s block names is not what it should be.
[[noreturn]] void refuse_dictionary(const TilesHeader& header, std::uint64_t block, const std::string& what);

/// More bytes than any payload of a block of `uncompressed_bytes` bytes has.
std::uint64_t max_tiles_payload_bytes(std::uint64_t uncompressed_bytes);

}  // namespace gsst::format
