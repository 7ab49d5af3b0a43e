#pragma once

#include <cstdint>
#include <span>

#include "common/format/symbol_table.hpp"
#include "common/format/tiles.hpp"

namespace gsst::reference {

/// A symbol that wants a code of a table with length classes.
struct TileSymbol {
  /// First byte in the lowest 8 bits, zero above its length.
  std::uint64_t bytes;
  /// 1 to 8.
  unsigned length;
};

/// Gives the free classes of a table with codes of `code_bits` bits to the lengths of `symbols`, and codes to
/// as many symbols of each length as its classes hold. Those of one length are taken in the order of
/// `symbols`; a class goes to the length that has the most symbols without a place. Symbols that the table
/// holds already are skipped. Throws std::invalid_argument as format::make_literal_tile_table().
format::TileTable allocate_tile_table(std::span<const TileSymbol> symbols, std::uint32_t code_bits,
                                      bool escape_free);

/// The table of 8-bit codes with escapes that holds as many symbols of `table` as fit.
format::TileTable make_tile_table(const format::SymbolTable& table);

}  // namespace gsst::reference
