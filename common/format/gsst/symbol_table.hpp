#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/format/bytes.hpp"
#include "common/format/host_device.hpp"

namespace gsst::format {

/// Longest symbol, in bytes.
inline constexpr unsigned max_symbol_length = 8;
/// Most symbols in one table: every code but the escape.
inline constexpr unsigned max_symbol_count = 255;
/// The code which says that the next byte stands for itself (thesis 2.4).
inline constexpr std::uint8_t escape_code = 255;
/// Bytes of a stored table before its symbols: version word, flag, length histogram (FORMAT.md, section 2).
inline constexpr std::size_t symbol_table_header_bytes = 17;
/// Largest stored table.
inline constexpr std::size_t max_symbol_table_bytes =
    symbol_table_header_bytes + std::size_t{max_symbol_count} * max_symbol_length;

/// Maps codes to symbols (thesis 2.4). Codes 0 to symbol_count - 1 have a symbol; the others have length 0.
struct SymbolTable {
  /// Number of codes with a symbol, at most max_symbol_count.
  unsigned symbol_count = 0;
  /// The symbol's bytes, first byte in the lowest 8 bits, zero above its length.
  std::array<std::uint64_t, 256> symbols{};
  /// The symbol's length in bytes, 1 to 8; 0 for a code without symbol and for the escape.
  std::array<std::uint8_t, 256> lengths{};

  bool operator==(const SymbolTable&) const = default;
};

/// A table with its place in the stored bytes.
struct ParsedSymbolTable {
  SymbolTable table;
  /// Bytes that the stored table takes.
  std::size_t stored_bytes;
};

/// The order in which a stored table lists its symbols by length: 2 to 8, then 1 (FORMAT.md, section 2).
inline constexpr std::array<unsigned, 8> stored_length_order = {2, 3, 4, 5, 6, 7, 8, 1};

/// Reads the symbols of a stored table that parse_symbol_table() has accepted; for kernels that parse
/// headers. `symbols` and `lengths` have room for 256 entries; codes without symbol get length 0, and their
/// symbol is not written. Returns the bytes that the stored table takes.
GSST_HOST_DEVICE inline std::uint32_t read_symbols(const std::uint8_t* stored, std::uint64_t* symbols,
                                                   std::uint8_t* lengths) {
  const std::uint8_t* histogram = stored + 9;
  std::uint32_t position = symbol_table_header_bytes;
  unsigned code = 0;
  for (unsigned order = 0; order < max_symbol_length; ++order) {
    // 2 to 8, then 1: stored_length_order, as arithmetic.
    const unsigned length = order + 1 < max_symbol_length ? order + 2 : 1;
    for (unsigned i = 0; i < histogram[length - 1]; ++i, ++code) {
      std::uint64_t symbol = 0;
      for (unsigned byte = 0; byte < length; ++byte)
        symbol |= std::uint64_t{stored[position++]} << (8 * byte);
      symbols[code] = symbol;
      lengths[code] = static_cast<std::uint8_t>(length);
    }
  }
  for (; code < 256; ++code) lengths[code] = 0;
  return position;
}

/// What the version word of a stored table says of FSST's version and, in its lowest byte, of the order of
/// bytes.
inline constexpr std::uint64_t fsst_version = 20190218;
inline constexpr std::uint64_t little_endian_mark = 1;

/// Writes `symbol_count` symbols, in the order of stored_length_order and each with as many bytes as its
/// length, as section 2 stores them, to `output`, which has room for max_symbol_table_bytes. The first
/// `suffix_limit` two-byte symbols start no longer one. Returns the bytes written.
GSST_HOST_DEVICE inline std::uint32_t store_symbols(unsigned symbol_count, const std::uint64_t* symbols,
                                                    const std::uint8_t* lengths, std::uint64_t suffix_limit,
                                                    std::uint8_t* output) {
  store_little_endian<8>(output, fsst_version << 32 | suffix_limit << 24 | std::uint64_t{symbol_count} << 8 |
                                     little_endian_mark);
  for (unsigned byte = 8; byte < symbol_table_header_bytes; ++byte) output[byte] = 0;
  std::uint32_t position = symbol_table_header_bytes;
  for (unsigned code = 0; code < symbol_count; ++code) {
    ++output[9 + lengths[code] - 1];
    for (unsigned byte = 0; byte < lengths[code]; ++byte) {
      output[position++] = static_cast<std::uint8_t>(symbols[code] >> (8 * byte));
    }
  }
  return position;
}

/// Bytes that `table` takes when stored.
std::size_t stored_symbol_table_bytes(const SymbolTable& table);

/// Parses a stored table at the start of `bytes` (FORMAT.md, section 2); what follows it is not looked at.
/// Throws FormatError, naming `block`, for anything that the section says must be rejected.
ParsedSymbolTable parse_symbol_table(std::span<const std::uint8_t> bytes, std::optional<std::uint64_t> block);

/// Writes `table` in the stored form to the start of `output`, which has at least
/// stored_symbol_table_bytes(table) bytes, and returns the bytes written.
/// Throws std::invalid_argument if the codes are not in the stored order of lengths.
std::size_t write_symbol_table(const SymbolTable& table, std::span<std::uint8_t> output);

}  // namespace gsst::format
