#include "reference_cpu/tile_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

namespace gsst::reference {
namespace {

using format::max_symbol_length;

// The symbols of each length that want a code, in the order of their preference.
using SymbolsByLength = std::array<std::vector<std::uint64_t>, max_symbol_length + 1>;

SymbolsByLength sort_by_length(std::span<const TileSymbol> symbols, bool holds_bytes) {
  SymbolsByLength by_length;
  std::array<std::set<std::uint64_t>, max_symbol_length + 1> seen;
  for (const TileSymbol& symbol : symbols) {
    if (symbol.length == 1 && holds_bytes) continue;
    if (seen[symbol.length].insert(symbol.bytes).second) by_length[symbol.length].push_back(symbol.bytes);
  }
  return by_length;
}

}  // namespace

format::TileTable allocate_tile_table(std::span<const TileSymbol> symbols, std::uint32_t code_bits,
                                      bool escape_free) {
  format::TileTable table = format::make_literal_tile_table(code_bits, escape_free);
  const std::uint32_t literal_classes = format::literal_class_count(code_bits, escape_free);
  const SymbolsByLength wanted = sort_by_length(symbols, literal_classes != 0 && escape_free);
  const std::size_t class_codes = table.symbols.size() / format::length_class_count;

  std::array<std::size_t, max_symbol_length + 1> placed{};
  const auto unplaced = [&](unsigned length) { return wanted[length].size() - placed[length]; };
  std::array<unsigned, max_symbol_length + 1> classes{};
  for (std::uint32_t i = literal_classes; i < format::length_class_count; ++i) {
    unsigned best = 1;
    for (unsigned length = 2; length <= max_symbol_length; ++length) {
      if (unplaced(length) >= unplaced(best)) best = length;
    }
    if (unplaced(best) == 0) break;
    placed[best] += std::min(class_codes, unplaced(best));
    ++classes[best];
  }

  std::uint32_t next_class = literal_classes;
  for (unsigned length = 1; length <= max_symbol_length; ++length) {
    const std::size_t first_code = next_class * class_codes;
    std::copy_n(wanted[length].begin(), placed[length],
                table.symbols.begin() + static_cast<std::ptrdiff_t>(first_code));
    for (unsigned i = 0; i < classes[length]; ++i) {
      table.class_lengths[next_class++] = static_cast<std::uint8_t>(length);
    }
  }
  return table;
}

format::TileTable make_tile_table(const format::SymbolTable& table) {
  std::vector<TileSymbol> symbols;
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    symbols.push_back({.bytes = table.symbols[code], .length = table.lengths[code]});
  }
  return allocate_tile_table(symbols, 8, false);
}

}  // namespace gsst::reference
