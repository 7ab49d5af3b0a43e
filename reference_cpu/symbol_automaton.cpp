#include "reference_cpu/symbol_automaton.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <string>

namespace gsst::reference {

SymbolAutomaton::SymbolAutomaton(std::span<const Symbol> symbols) {
  // Each byte of a symbol is a state at most.
  static_assert(max_symbols * format::max_symbol_length < 1u << 16);
  if (symbols.size() > max_symbols) {
    throw std::invalid_argument("an automaton has " + std::to_string(symbols.size()) + " symbols, at most " +
                                std::to_string(max_symbols) + " are possible");
  }
  classify_bytes(symbols);
  const EdgesByDepth edges = build_trie(symbols);
  complete(edges);
}

// The bytes that symbols hold most often have the lowest classes: most steps look at the first of a state's
// cache lines.
void SymbolAutomaton::classify_bytes(std::span<const Symbol> symbols) {
  std::array<std::uint32_t, 256> counts{};
  for (const Symbol& symbol : symbols) {
    for (unsigned i = 0; i < symbol.length; ++i) ++counts[byte_of(symbol, i)];
  }
  std::array<std::uint8_t, 256> order;
  std::iota(order.begin(), order.end(), std::uint8_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint8_t left, std::uint8_t right) { return counts[left] > counts[right]; });
  unsigned class_count = 1;
  for (const std::uint8_t byte : order) {
    // The 256th byte value has class 0 for itself.
    if (counts[byte] != 0 && class_count < 256) classes_[byte] = static_cast<std::uint8_t>(class_count++);
  }
  class_bits_ = static_cast<unsigned>(std::bit_width(class_count - 1));
}

SymbolAutomaton::State SymbolAutomaton::add_state() {
  rows_.push_back(no_row);
  lengths_.push_back(0);
  symbols_.emplace_back().fill(literal);
  return static_cast<State>(rows_.size() - 1);
}

SymbolAutomaton::Row SymbolAutomaton::add_row() {
  const std::size_t row = next_.size() >> class_bits_;
  next_.resize((row + 1) << class_bits_, end());
  return static_cast<Row>(row);
}

SymbolAutomaton::EdgesByDepth SymbolAutomaton::build_trie(std::span<const Symbol> symbols) {
  // About as many as are needed: more would be pages that nobody uses, fewer are moved as they grow.
  next_.reserve((symbols.size() + 1) << class_bits_);
  add_row();
  add_state();
  EdgesByDepth edges;
  for (std::size_t index = 0; index < symbols.size(); ++index) {
    const Symbol& symbol = symbols[index];
    State state = end();
    for (unsigned depth = 0; depth < symbol.length; ++depth) {
      const std::uint8_t byte = byte_of(symbol, symbol.length - 1 - depth);
      State next = step(state, byte);
      // No edge leads to the state that all begin with.
      if (next == end()) {
        next = add_state();
        if (rows_[state] == no_row) rows_[state] = add_row();
        next_[entry(rows_[state], classes_[byte])] = next;
        edges[depth].push_back({.from = state, .to = next, .byte_class = classes_[byte]});
      }
      state = next;
    }
    std::uint16_t& own = symbols_[state][symbol.length - 1];
    if (own == literal) own = static_cast<std::uint16_t>(index);
    lengths_[state] = static_cast<std::uint8_t>(1u << (symbol.length - 1));
  }
  return edges;
}

// A state goes where its longest shorter form goes, but for its own edges, and what that form finds it finds
// too. Forms are shorter by a byte at least: depth by depth they are complete when they are needed. Half of
// the states have no edges of their own, and share the row.
void SymbolAutomaton::complete(const EdgesByDepth& edges) {
  std::vector<State> shorter(rows_.size(), end());
  const auto entries = [&](Row row) { return next_.begin() + static_cast<std::ptrdiff_t>(entry(row, 0)); };
  const std::size_t class_count = std::size_t{1} << class_bits_;
  for (std::size_t depth = 0; depth < edges.size(); ++depth) {
    for (const Edge& edge : edges[depth]) {
      if (depth > 0) shorter[edge.to] = entries(rows_[shorter[edge.from]])[edge.byte_class];
      entries(rows_[edge.from])[edge.byte_class] = edge.to;
    }
    for (const Edge& edge : edges[depth]) {
      const State fallback = shorter[edge.to];
      if (rows_[edge.to] == no_row) {
        rows_[edge.to] = rows_[fallback];
      } else {
        std::copy_n(entries(rows_[fallback]), class_count, entries(rows_[edge.to]));
      }
      // Its own symbol is longer than all that the shorter form finds.
      std::copy_n(symbols_[fallback].begin(), depth, symbols_[edge.to].begin());
      lengths_[edge.to] = static_cast<std::uint8_t>(lengths_[edge.to] | lengths_[fallback]);
    }
  }
}

}  // namespace gsst::reference
