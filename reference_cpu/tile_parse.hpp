#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "reference_cpu/optimal_parse.hpp"
#include "reference_cpu/table_encoder.hpp"
#include "reference_cpu/tile_matcher.hpp"

namespace gsst::reference {

/// `first` if `condition`, else `second`. Whether a byte of text is a literal cannot be predicted: by
/// arithmetic no branch is missed.
inline std::uint32_t choose(bool condition, std::uint32_t first, std::uint32_t second) {
  return second ^ ((first ^ second) & (0u - unsigned{condition}));
}

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

/// As parse_tiles_greedily(), with as few codes as the symbols allow: visit(position, match, is_literal). The
/// code of a literal, a byte without symbol, means nothing.
template <typename Visit>
void parse_tiles_optimally(const format::TileTable& table, std::span<const std::uint8_t> input, Visit visit) {
  // With wide codes each byte is its own code: an automaton without these symbols has fewer classes of bytes.
  const bool has_byte_codes = table.code_bits != 8;
  std::vector<Symbol> symbols;
  std::vector<std::uint32_t> codes;
  for (std::uint32_t code = first_tile_symbol(table); code < table.symbols.size(); ++code) {
    const unsigned length = table.length(code);
    if (length == 0 || (length == 1 && has_byte_codes)) continue;
    symbols.push_back({.bytes = table.symbols[code], .length = length});
    codes.push_back(code);
  }
  // The literal's entry is there to be read: whether it counts is a branch that would be mispredicted.
  static_assert((SymbolAutomaton::literal & SymbolAutomaton::max_symbols) == SymbolAutomaton::max_symbols);
  codes.resize(SymbolAutomaton::max_symbols + 1);
  const SymbolAutomaton automaton(symbols);
  // For each byte its state and, above that, the length of the best choice, in one piece of memory: fresh
  // pages cost more time than the parse takes to fill them. It writes each entry.
  constexpr unsigned length_shift = 16;
  const auto choices = std::make_unique_for_overwrite<std::uint32_t[]>(input.size());
  OptimalParser parser(automaton, has_byte_codes ? 1 : 2, input);
  while (parser.has_next()) {
    const ParsedSegment segment = parser.next();
    for (std::size_t i = 0; i < segment.states.size(); ++i) {
      choices[segment.begin + i] = segment.states[i] | std::uint32_t{segment.lengths[i]} << length_shift;
    }
  }
  for (std::size_t position = 0; position < input.size();) {
    const std::uint32_t choice = choices[position];
    const unsigned length = choice >> length_shift;
    const std::uint16_t symbol = automaton.symbol(static_cast<SymbolAutomaton::State>(choice), length);
    const std::uint32_t code = codes[symbol & SymbolAutomaton::max_symbols];
    const bool is_literal = symbol == SymbolAutomaton::literal;
    const std::uint32_t code_or_byte = choose(is_literal && has_byte_codes, input[position], code);
    visit(position, TileMatch{.code = code_or_byte, .length = length}, is_literal && !has_byte_codes);
    position += length;
  }
}

template <typename Visit>
void parse_tiles(const format::TileTable& table, std::span<const std::uint8_t> input, Parse parse,
                 const Visit& visit) {
  if (parse == Parse::greedy) {
    parse_tiles_greedily(table, input, [&](std::size_t position, const std::optional<TileMatch>& match) {
      visit(position, match.value_or(TileMatch{.code = 0, .length = 1}), !match);
    });
  } else {
    parse_tiles_optimally(table, input, visit);
  }
}

}  // namespace gsst::reference
