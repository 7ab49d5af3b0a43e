#include "reference_cpu/symbol_automaton.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>
#include <tuple>

namespace gsst::reference {
namespace {

// The bytes from the last to the first, as a number.
std::uint64_t last_byte_highest(const Symbol& symbol) {
  return symbol.bytes << (64 - 8 * symbol.length);
}

// Bytes at the end that both symbols have.
unsigned common_end(const Symbol& left, const Symbol& right) {
  unsigned common = 0;
  while (common < left.length && common < right.length &&
         byte_of(left, left.length - 1 - common) == byte_of(right, right.length - 1 - common)) {
    ++common;
  }
  return common;
}

}  // namespace

SymbolAutomaton::SymbolAutomaton(std::span<const Symbol> symbols) {
  // Each byte of a symbol is a state at most.
  static_assert(max_symbols * format::max_symbol_length < 1u << 16);
  if (symbols.size() > max_symbols) {
    throw std::invalid_argument("an automaton has " + std::to_string(symbols.size()) + " symbols, at most " +
                                std::to_string(max_symbols) + " are possible");
  }
  unsigned class_count = 1;
  for (const Symbol& symbol : symbols) {
    for (unsigned i = 0; i < symbol.length; ++i) {
      std::uint8_t& byte_class = classes_[byte_of(symbol, i)];
      // The 256th byte value has class 0 for itself.
      if (byte_class == 0 && class_count < 256) byte_class = static_cast<std::uint8_t>(class_count++);
    }
  }
  class_bits_ = static_cast<unsigned>(std::bit_width(class_count - 1));
  add_state();
  const EdgesByDepth edges = build_trie(symbols);
  next_.resize(lengths_.size() << class_bits_);
  complete(edges);
}

SymbolAutomaton::State SymbolAutomaton::add_state() {
  lengths_.push_back(0);
  symbols_.emplace_back().fill(literal);
  return static_cast<State>(lengths_.size() - 1);
}

// In the order of their bytes from the last to the first, symbols that end alike stand together: each shares
// the longest common part of its path with the one before it.
SymbolAutomaton::EdgesByDepth SymbolAutomaton::build_trie(std::span<const Symbol> symbols) {
  struct Place {
    std::uint64_t bytes;
    unsigned length;
    std::uint16_t index;
  };
  std::vector<Place> order;
  for (const Symbol& symbol : symbols) {
    order.push_back({.bytes = last_byte_highest(symbol),
                     .length = symbol.length,
                     .index = static_cast<std::uint16_t>(order.size())});
  }
  std::sort(order.begin(), order.end(), [](const Place& left, const Place& right) {
    return std::tie(left.bytes, left.length, left.index) < std::tie(right.bytes, right.length, right.index);
  });
  EdgesByDepth edges;
  // The states behind the last bytes of the symbol before.
  std::array<State, format::max_symbol_length + 1> path{end()};
  Symbol before;
  for (const Place& place : order) {
    const Symbol& symbol = symbols[place.index];
    unsigned depth = common_end(before, symbol);
    for (; depth < symbol.length; ++depth) {
      const State state = add_state();
      edges[depth].push_back({.from = path[depth],
                              .to = state,
                              .byte_class = classes_[byte_of(symbol, symbol.length - 1 - depth)]});
      path[depth + 1] = state;
    }
    std::uint16_t& own = symbols_[path[depth]][symbol.length - 1];
    if (own == literal) own = place.index;
    lengths_[path[depth]] = static_cast<std::uint8_t>(1u << (symbol.length - 1));
    before = symbol;
  }
  return edges;
}

// A state goes where its longest shorter form goes, but for its own edges, and what that form finds it finds
// too. Forms are shorter by a byte at least: depth by depth they are complete when they are needed.
void SymbolAutomaton::complete(const EdgesByDepth& edges) {
  std::vector<State> shorter(lengths_.size(), end());
  const auto entries = [&](State state) {
    return next_.begin() + static_cast<std::ptrdiff_t>(std::size_t{state} << class_bits_);
  };
  const std::size_t class_count = std::size_t{1} << class_bits_;
  for (std::size_t depth = 0; depth < edges.size(); ++depth) {
    for (const Edge& edge : edges[depth]) {
      if (depth > 0) shorter[edge.to] = entries(shorter[edge.from])[edge.byte_class];
      entries(edge.from)[edge.byte_class] = edge.to;
    }
    for (const Edge& edge : edges[depth]) {
      const State fallback = shorter[edge.to];
      std::copy_n(entries(fallback), class_count, entries(edge.to));
      // Its own symbol is longer than all that the shorter form finds.
      std::copy_n(symbols_[fallback].begin(), depth, symbols_[edge.to].begin());
      lengths_[edge.to] = static_cast<std::uint8_t>(lengths_[edge.to] | lengths_[fallback]);
    }
  }
}

}  // namespace gsst::reference
