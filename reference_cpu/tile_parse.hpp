#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/tiles.hpp"
#include "reference_cpu/optimal_parse.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/tile_matcher.hpp"

namespace gsst::reference {

/// Calls visit(position, match) for each symbol of the parse of `input`, first one first; no match is a byte
/// without symbol.
template <typename Visit>
void parse_tiles_greedily(const format::TileTable& table, std::span<const std::uint8_t> input,
                          const Visit& visit) {
  const TileMatcher matcher(table);
  for (std::size_t position = 0; position < input.size();) {
    const std::optional<TileMatch> match = matcher.longest_match(input.subspan(position));
    visit(position, match);
    position += match ? match->length : 1;
  }
}

/// As parse_tiles_greedily(), with as few codes as the symbols allow.
template <typename Visit>
void parse_tiles_optimally(const format::TileTable& table, std::span<const std::uint8_t> input,
                           const Visit& visit) {
  std::vector<Symbol> symbols;
  std::vector<TileMatch> matches_of_symbols;
  for (std::uint32_t code = first_tile_symbol(table); code < table.symbols.size(); ++code) {
    if (table.length(code) == 0) continue;
    symbols.push_back({.bytes = table.symbols[code], .length = table.length(code)});
    matches_of_symbols.push_back({.code = code, .length = table.length(code)});
  }
  constexpr unsigned literal_codes = 2;
  std::vector<std::uint16_t> best(input.size());
  parse_optimally(SymbolAutomaton(symbols), literal_codes, input,
                  [&](std::size_t i, const SymbolAutomaton::Matches& matches, unsigned choice,
                      std::uint32_t) { best[i] = matches.symbols[choice]; });
  for (std::size_t position = 0; position < input.size();) {
    const bool is_literal = best[position] == SymbolAutomaton::literal;
    const auto match = is_literal ? std::nullopt : std::optional(matches_of_symbols[best[position]]);
    visit(position, match);
    position += match ? match->length : 1;
  }
}

template <typename Visit>
void parse_tiles(const format::TileTable& table, std::span<const std::uint8_t> input, Parse parse,
                 const Visit& visit) {
  if (parse == Parse::greedy) {
    parse_tiles_greedily(table, input, visit);
  } else {
    parse_tiles_optimally(table, input, visit);
  }
}

}  // namespace gsst::reference
