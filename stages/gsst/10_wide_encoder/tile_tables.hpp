#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <vector>

#include "common/format/tiles.hpp"
#include "reference_cpu/tile_matcher.hpp"
#include "stages/gsst/10_wide_encoder/lookup_tables.hpp"

// The lookup tables of the encoding kernels for tables with length classes, built on the host.
namespace {

using gsst::format::TileTable;

// The symbols of `table` with `least` to `most` bytes, the first code of each.
inline std::vector<UsedSymbol> tile_symbols(const TileTable& table, unsigned least, unsigned most) {
  std::vector<UsedSymbol> symbols;
  for (std::uint32_t code = gsst::reference::first_tile_symbol(table); code < table.symbols.size(); ++code) {
    const unsigned length = table.length(code);
    if (length < least || length > most) continue;
    symbols.push_back({.symbol = table.symbols[code], .length = length, .code = code});
  }
  return symbols;
}

// Of the symbols that start with the same `bytes` bytes the longest, and of equal ones the first.
inline std::vector<UsedSymbol> longest_of_each_start(std::vector<UsedSymbol> symbols, unsigned bytes) {
  const auto start = [bytes](const UsedSymbol& symbol) { return symbol.symbol << (64 - 8 * bytes); };
  std::stable_sort(symbols.begin(), symbols.end(), [&](const UsedSymbol& left, const UsedSymbol& right) {
    return start(left) != start(right) ? start(left) < start(right) : left.length > right.length;
  });
  const auto same_start = [&](const UsedSymbol& left, const UsedSymbol& right) {
    return start(left) == start(right);
  };
  symbols.erase(std::unique(symbols.begin(), symbols.end(), same_start), symbols.end());
  return symbols;
}

// 8-bit codes. A byte without symbol is two codes, as an escape is in format splits: its halves, or, where
// the table has none, codes that decode to more than a byte and so give the block away.
inline void fill(const TileTable& table, SmallTables& tables) {
  std::uint32_t any_code = 0;
  while (table.escape_free && any_code + 1 < table.symbols.size() && table.length(any_code) == 0) ++any_code;
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    const std::uint32_t first = table.escape_free ? any_code : byte >> 4;
    const std::uint32_t second = table.escape_free ? any_code : 16 + (byte & 0xf);
    tables.singles[byte] = first << code_bit;
    tables.singles[256 + byte] = escaped_byte_entry(second);
  }
  for (const UsedSymbol& single : longest_of_each_start(tile_symbols(table, 1, 1), 1)) {
    tables.singles[single.symbol] = single_entry(single.code);
  }
  const std::vector<UsedSymbol> pairs = longest_of_each_start(tile_symbols(table, 2, 2), 2);
  for (unsigned slot = 0; slot < pair_entries; ++slot) tables.pairs[slot] = no_pair_entry(slot);
  tables.pair_multiplier = find_multiplier<pair_entries>(pairs, 16);
  for (const UsedSymbol& pair : pairs)
    insert_pair(tables, static_cast<std::uint32_t>(pair.symbol), pair.code);
  const std::vector<UsedSymbol> long_symbols = longest_of_each_start(tile_symbols(table, 3, 8), 3);
  tables.hash.multiplier = find_multiplier<small_entries>(long_symbols, 8);
  std::fill(std::begin(tables.hash.entries), std::end(tables.hash.entries), no_small_entry);
  for (const UsedSymbol& symbol : long_symbols) {
    insert_long(tables.hash, symbol.symbol, symbol.length, symbol.code);
  }
}

}  // namespace
