#include "reference_cpu/dictionary.hpp"

#include <algorithm>

namespace gsst::reference {
namespace {

bool starts_longer_symbol(const Symbol& pair, std::span<const Symbol> symbols) {
  return std::any_of(symbols.begin(), symbols.end(), [&](const Symbol& other) {
    return other.length > 2 && (other.bytes & 0xffff) == pair.bytes;
  });
}

}  // namespace

Dictionary dictionary_of(const format::SymbolTable& table) {
  Dictionary dictionary;
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    dictionary.symbols.push_back({.bytes = table.symbols[code], .length = table.lengths[code]});
  }
  return dictionary;
}

format::SymbolTable table_of(std::span<const Symbol> symbols) {
  format::SymbolTable table;
  const auto add = [&](const Symbol& symbol) {
    table.symbols[table.symbol_count] = symbol.bytes;
    table.lengths[table.symbol_count] = static_cast<std::uint8_t>(symbol.length);
    ++table.symbol_count;
  };
  for (const unsigned length : format::stored_length_order) {
    // Of the two-byte symbols those that start no longer one come first: FORMAT.md, section 2, suffix limit.
    for (const bool starts_longer : {false, true}) {
      for (const Symbol& symbol : symbols) {
        if (symbol.length != length) continue;
        if ((length == 2 && starts_longer_symbol(symbol, symbols)) == starts_longer) add(symbol);
      }
    }
  }
  return table;
}

}  // namespace gsst::reference
