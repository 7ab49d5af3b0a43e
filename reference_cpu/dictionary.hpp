#pragma once

#include <span>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/symbol.hpp"

namespace gsst::reference {

/// What codes of a width, 8 to 12 bits, can stand for.
struct CodeWidth {
  unsigned bits = 8;

  /// Codes that a byte takes where no symbol covers it. With 8 bits these are an escape and the byte itself;
  /// wider codes have one for each byte value and no escape.
  unsigned literal_codes() const { return bits == 8 ? 2 : 1; }
  /// Symbols that a dictionary can hold: what the escape or the 256 byte values leave.
  unsigned max_symbols() const { return bits == 8 ? format::max_symbol_count : (1u << bits) - 256; }
  /// Bytes of the shortest symbol that saves a code.
  unsigned min_symbol_length() const { return bits == 8 ? 1 : 2; }

  bool operator==(const CodeWidth&) const = default;
};

/// The symbols that codes of a width stand for, in no particular order.
struct Dictionary {
  CodeWidth width;
  std::vector<Symbol> symbols;
};

/// The symbols of `table`, symbol i being that of code i.
Dictionary dictionary_of(const format::SymbolTable& table);

/// At most format::max_symbol_count symbols as a table of 8-bit codes, in the order in which FORMAT.md,
/// section 2, stores them.
format::SymbolTable table_of(std::span<const Symbol> symbols);

}  // namespace gsst::reference
