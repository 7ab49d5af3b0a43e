#include "reference_cpu/tile_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <vector>

namespace gsst::reference {
namespace {

using format::length_class_count;
using format::max_symbol_length;

// Entry n: the symbols of n bytes, heaviest first.
using SymbolsByLength = std::array<std::vector<WeightedSymbol>, max_symbol_length + 1>;
// Entry n: classes of symbols of n bytes.
using Classes = std::array<std::uint32_t, max_symbol_length + 1>;

SymbolsByLength sort_by_length(std::span<const WeightedSymbol> symbols, bool holds_bytes) {
  SymbolsByLength by_length;
  std::array<std::set<std::uint64_t>, max_symbol_length + 1> seen;
  for (const WeightedSymbol& weighted : symbols) {
    const unsigned length = weighted.symbol.length;
    if (length == 1 && holds_bytes) continue;
    if (seen[length].insert(weighted.symbol.bytes).second) by_length[length].push_back(weighted);
  }
  for (auto& same_length : by_length) {
    std::stable_sort(same_length.begin(), same_length.end(),
                     [](const auto& left, const auto& right) { return left.weight > right.weight; });
  }
  return by_length;
}

// The weight of the symbols that the first `classes` classes of a length hold.
std::uint64_t weight_of(const std::vector<WeightedSymbol>& symbols, std::size_t codes) {
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < std::min(codes, symbols.size()); ++i) weight += symbols[i].weight;
  return weight;
}

// Dynamic programming over lengths: the most weight that lengths up to n reach with each number of classes.
Classes share_classes(const SymbolsByLength& symbols, std::uint32_t free_classes, std::size_t class_codes) {
  std::array<std::array<std::uint64_t, length_class_count + 1>, max_symbol_length + 1> most{};
  std::array<std::array<std::uint32_t, length_class_count + 1>, max_symbol_length + 1> taken{};
  for (unsigned length = 1; length <= max_symbol_length; ++length) {
    for (std::uint32_t total = 0; total <= free_classes; ++total) {
      for (std::uint32_t here = 0; here <= total; ++here) {
        const std::uint64_t weight =
            most[length - 1][total - here] + weight_of(symbols[length], here * class_codes);
        // Of equal ones the one with the fewest classes: a class without symbols takes room in the block.
        if (weight <= most[length][total] && here != 0) continue;
        most[length][total] = weight;
        taken[length][total] = here;
      }
    }
  }
  Classes classes{};
  std::uint32_t left = free_classes;
  for (unsigned length = max_symbol_length; length >= 1; --length) {
    classes[length] = taken[length][left];
    left -= classes[length];
  }
  return classes;
}

}  // namespace

format::TileTable allocate_tile_table(std::span<const WeightedSymbol> symbols, std::uint32_t code_bits,
                                      bool escape_free) {
  format::TileTable table = format::make_literal_tile_table(code_bits, escape_free);
  const std::uint32_t literal_classes = format::literal_class_count(code_bits, escape_free);
  const std::size_t class_codes = table.symbols.size() / length_class_count;
  const SymbolsByLength wanted = sort_by_length(symbols, literal_classes != 0 && escape_free);
  const Classes classes = share_classes(wanted, length_class_count - literal_classes, class_codes);

  std::uint32_t next_class = literal_classes;
  for (unsigned length = 1; length <= max_symbol_length; ++length) {
    const std::size_t first_code = next_class * class_codes;
    const std::size_t placed = std::min(wanted[length].size(), classes[length] * class_codes);
    for (std::size_t i = 0; i < placed; ++i) table.symbols[first_code + i] = wanted[length][i].symbol.bytes;
    for (std::uint32_t i = 0; i < classes[length]; ++i) {
      table.class_lengths[next_class++] = static_cast<std::uint8_t>(length);
    }
  }
  return table;
}

format::TileTable make_tile_table(const format::SymbolTable& table) {
  std::vector<WeightedSymbol> symbols;
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    symbols.push_back({.symbol = {.bytes = table.symbols[code], .length = table.lengths[code]}, .weight = 1});
  }
  return allocate_tile_table(symbols, 8, false);
}

}  // namespace gsst::reference
