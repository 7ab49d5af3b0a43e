#pragma once

#include <cstdint>
#include <span>

#include "common/format/gsst/symbol_table.hpp"
#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/symbol.hpp"

namespace gsst::reference {

/// A symbol that wants a code of a table with length classes.
struct WeightedSymbol {
  Symbol symbol;
  /// What the table loses without it, in any unit.
  std::uint64_t weight = 0;
};

/// Gives the free classes of a table with codes of `code_bits` bits to the lengths of `symbols`, and codes to
/// as many symbols of each length as its classes hold, so that their weights add up to the most. Of equal
/// weights the first in `symbols` is taken. Symbols that the table holds already are skipped. Throws
/// std::invalid_argument as format::make_literal_tile_table().
format::TileTable allocate_tile_table(std::span<const WeightedSymbol> symbols, std::uint32_t code_bits,
                                      bool escape_free);

/// The table of 8-bit codes with escapes that holds as many symbols of `table` as fit.
format::TileTable make_tile_table(const format::SymbolTable& table);

}  // namespace gsst::reference
