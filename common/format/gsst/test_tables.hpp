#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "common/format/gsst/symbol_table.hpp"

namespace gsst::format {

/// For tests: a table of these symbols, which stand in the stored order of lengths.
inline SymbolTable table_of(std::initializer_list<std::string_view> symbols) {
  SymbolTable table;
  for (const std::string_view symbol : symbols) {
    const unsigned code = table.symbol_count++;
    table.lengths[code] = static_cast<std::uint8_t>(symbol.size());
    for (std::size_t i = 0; i < symbol.size(); ++i) {
      table.symbols[code] |= std::uint64_t{static_cast<std::uint8_t>(symbol[i])} << (8 * i);
    }
  }
  return table;
}

/// For tests: a table of `count` different symbols of `length` bytes.
inline SymbolTable full_table(unsigned count, unsigned length) {
  SymbolTable table;
  table.symbol_count = count;
  for (unsigned code = 0; code < count; ++code) {
    table.lengths[code] = static_cast<std::uint8_t>(length);
    for (unsigned i = 0; i < length; ++i) table.symbols[code] |= std::uint64_t{code} << (8 * i);
  }
  return table;
}

}  // namespace gsst::format
