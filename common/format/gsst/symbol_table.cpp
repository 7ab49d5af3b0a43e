#include "common/format/gsst/symbol_table.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"

namespace gsst::format {
namespace {

bool is_prefix(std::uint64_t prefix, unsigned prefix_length, std::uint64_t symbol, unsigned length) {
  return prefix_length < length && (symbol & ((std::uint64_t{1} << (8 * prefix_length)) - 1)) == prefix;
}

// FSST's encoder skips a lookup for the two-byte symbols below this code: none of them starts a longer one.
// Other readers ignore the field; it is filled so that FSST's own library could encode with the table.
std::uint64_t suffix_limit(const SymbolTable& table) {
  unsigned code = 0;
  while (code < table.symbol_count && table.lengths[code] == 2) {
    for (unsigned other = 0; other < table.symbol_count; ++other) {
      if (is_prefix(table.symbols[code], 2, table.symbols[other], table.lengths[other])) return code;
    }
    ++code;
  }
  return code;
}

}  // namespace

std::size_t stored_symbol_table_bytes(const SymbolTable& table) {
  std::size_t bytes = symbol_table_header_bytes;
  for (unsigned code = 0; code < table.symbol_count; ++code) bytes += table.lengths[code];
  return bytes;
}

ParsedSymbolTable parse_symbol_table(std::span<const std::uint8_t> bytes,
                                     std::optional<std::uint64_t> block) {
  if (bytes.size() < symbol_table_header_bytes) {
    throw FormatError(block, "symbol table",
                      "truncated: " + std::to_string(bytes.size()) + " bytes left, its header takes " +
                          std::to_string(symbol_table_header_bytes));
  }
  const std::uint64_t version_word = load_little_endian<8>(bytes.data());
  if ((version_word & 0xff) != little_endian_mark) {
    throw FormatError(block, "version word",
                      "endianness mark is " + std::to_string(version_word & 0xff) + ", expected 1");
  }
  if (version_word >> 32 != fsst_version) {
    throw FormatError(
        block, "version word",
        "version is " + std::to_string(version_word >> 32) + ", expected " + std::to_string(fsst_version));
  }
  const std::uint8_t zero_terminated = bytes[8];
  if (zero_terminated == 1) {
    throw FormatError(block, "zero-terminated flag",
                      "is set; tables for zero-terminated strings are not supported");
  }
  if (zero_terminated != 0) {
    throw FormatError(block, "zero-terminated flag",
                      "is " + std::to_string(zero_terminated) + ", expected 0 or 1");
  }

  const unsigned symbol_count = static_cast<unsigned>((version_word >> 8) & 0xff);
  const std::span<const std::uint8_t> histogram = bytes.subspan(9, 8);
  unsigned counted = 0;
  std::size_t symbol_bytes = 0;
  for (unsigned i = 0; i < 8; ++i) {
    counted += histogram[i];
    symbol_bytes += std::size_t{histogram[i]} * (i + 1);
  }
  if (counted != symbol_count) {
    throw FormatError(block, "length histogram",
                      "counts " + std::to_string(counted) + " symbols of length 1 to 8, the version word " +
                          std::to_string(symbol_count));
  }
  const std::span<const std::uint8_t> stored = bytes.subspan(symbol_table_header_bytes);
  if (stored.size() < symbol_bytes) {
    throw FormatError(block, "symbols",
                      "truncated: " + std::to_string(stored.size()) + " bytes left, the symbols take " +
                          std::to_string(symbol_bytes));
  }

  ParsedSymbolTable parsed{.table = {}, .stored_bytes = symbol_table_header_bytes + symbol_bytes};
  parsed.table.symbol_count = symbol_count;
  read_symbols(bytes.data(), parsed.table.symbols.data(), parsed.table.lengths.data());
  return parsed;
}

std::size_t write_symbol_table(const SymbolTable& table, std::span<std::uint8_t> output) {
  const auto rank = [](unsigned length) {
    return std::find(stored_length_order.begin(), stored_length_order.end(), length) -
           stored_length_order.begin();
  };
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    const unsigned length = table.lengths[code];
    if (length < 1 || length > max_symbol_length) {
      throw std::invalid_argument("symbol table: code " + std::to_string(code) + " has length " +
                                  std::to_string(length));
    }
    if (code > 0 && rank(table.lengths[code - 1]) > rank(length)) {
      throw std::invalid_argument("symbol table: code " + std::to_string(code) + " of length " +
                                  std::to_string(length) + " is out of the stored order");
    }
  }
  if (output.size() < stored_symbol_table_bytes(table)) {
    throw std::invalid_argument("symbol table: output has " + std::to_string(output.size()) +
                                " bytes, needs " + std::to_string(stored_symbol_table_bytes(table)));
  }

  return store_symbols(table.symbol_count, table.symbols.data(), table.lengths.data(), suffix_limit(table),
                       output.data());
}

}  // namespace gsst::format
