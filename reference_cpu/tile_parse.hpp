#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
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
  const SymbolAutomaton automaton(symbols);
  // The parse writes each entry: to clear megabytes first takes time.
  const auto states = std::make_unique_for_overwrite<SymbolAutomaton::State[]>(input.size());
  const auto lengths = std::make_unique_for_overwrite<std::uint8_t[]>(input.size());
  OptimalParser parser(automaton, literal_codes, input);
  while (parser.has_next()) {
    const ParsedSegment segment = parser.next();
    std::copy(segment.states.begin(), segment.states.end(), &states[segment.begin]);
    std::copy(segment.lengths.begin(), segment.lengths.end(), &lengths[segment.begin]);
  }
  for (std::size_t position = 0; position < input.size(); position += lengths[position]) {
    const std::uint16_t symbol = automaton.symbol(states[position], lengths[position]);
    const bool is_literal = symbol == SymbolAutomaton::literal;
    visit(position, is_literal ? std::nullopt : std::optional(matches_of_symbols[symbol]));
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
