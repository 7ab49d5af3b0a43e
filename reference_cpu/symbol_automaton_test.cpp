#include "reference_cpu/symbol_automaton.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

bool stands_at(const Symbol& symbol, std::span<const std::uint8_t> input, std::size_t position) {
  if (input.size() - position < symbol.length) return false;
  for (unsigned i = 0; i < symbol.length; ++i) {
    if (input[position + i] != byte_of(symbol, i)) return false;
  }
  return true;
}

// Longest first, of equal symbols the first one.
std::vector<std::uint16_t> symbols_at(std::span<const Symbol> symbols, std::span<const std::uint8_t> input,
                                      std::size_t position) {
  std::vector<std::uint16_t> found;
  for (unsigned length = format::max_symbol_length; length > 0; --length) {
    const auto first = std::find_if(symbols.begin(), symbols.end(), [&](const Symbol& symbol) {
      return symbol.length == length && stands_at(symbol, input, position);
    });
    if (first != symbols.end()) found.push_back(static_cast<std::uint16_t>(first - symbols.begin()));
  }
  return found;
}

void expect_finds_all(std::span<const Symbol> symbols, std::span<const std::uint8_t> input) {
  const SymbolAutomaton automaton(symbols);
  SymbolAutomaton::State state = SymbolAutomaton::end();
  for (std::size_t i = input.size(); i-- > 0;) {
    state = automaton.step(state, input[i]);
    std::vector<std::uint16_t> found;
    for (unsigned length = format::max_symbol_length; length > 0; --length) {
      const std::uint16_t symbol = automaton.symbol(state, length);
      EXPECT_EQ((automaton.lengths(state) >> (length - 1) & 1) != 0, symbol != SymbolAutomaton::literal);
      if (symbol == SymbolAutomaton::literal) continue;
      EXPECT_EQ(symbols[symbol].length, length);
      found.push_back(symbol);
    }
    ASSERT_EQ(found, symbols_at(symbols, input, i)) << "position " << i;
  }
}

TEST(SymbolAutomaton, FindsNothingWithoutSymbols) {
  expect_finds_all({}, test::make_text(100, 1));
}

// Two byte values: symbols that are parts of each other, and equal ones.
TEST(SymbolAutomaton, FindsTheSymbolsOfAPlainSearchInBits) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<Symbol> symbols = dictionary_of(test::make_random_table(60, seed)).symbols;
    for (Symbol& symbol : symbols) symbol.bytes &= 0x0101010101010101;
    std::vector<std::uint8_t> input = test::make_random(500, seed);
    for (std::uint8_t& byte : input) byte &= 1;
    expect_finds_all(symbols, input);
  }
}

TEST(SymbolAutomaton, TellsAll256ByteValuesApart) {
  std::vector<Symbol> symbols;
  for (unsigned byte = 0; byte < 256; ++byte) symbols.push_back({.bytes = byte, .length = 1});
  for (unsigned byte = 0; byte < 256; ++byte) symbols.push_back({.bytes = byte | 0x7700, .length = 2});
  std::vector<std::uint8_t> input;
  for (unsigned i = 0; i < 2000; ++i) input.push_back(static_cast<std::uint8_t>(i % 3 == 0 ? 0x77 : i * 167));
  expect_finds_all(symbols, input);
}

TEST(SymbolAutomaton, RefusesMoreSymbolsThanItHasStatesFor) {
  const std::vector<Symbol> symbols(SymbolAutomaton::max_symbols + 1, Symbol{.bytes = 'a', .length = 1});
  EXPECT_NO_THROW(SymbolAutomaton(std::span(symbols).first(SymbolAutomaton::max_symbols)));
  EXPECT_THROW(SymbolAutomaton{symbols}, std::invalid_argument);
}

}  // namespace
}  // namespace gsst::reference
