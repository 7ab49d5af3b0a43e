#include "reference_cpu/symbol_automaton.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

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

void append(SymbolAutomaton::Matches& matches, std::uint16_t symbol, std::uint8_t length) {
  matches.symbols[matches.count] = symbol;
  matches.lengths[matches.count] = length;
  if (matches.count < matches.codes.size()) matches.codes[matches.count] = 1;
  ++matches.count;
}

}  // namespace

SymbolAutomaton::SymbolAutomaton(std::span<const Symbol> symbols) {
  unsigned class_count = 1;
  for (const Symbol& symbol : symbols) {
    for (unsigned i = 0; i < symbol.length; ++i) {
      std::uint8_t& byte_class = classes_[byte_of(symbol, i)];
      // The 256th byte value has class 0 for itself.
      if (byte_class == 0 && class_count < 256) byte_class = static_cast<std::uint8_t>(class_count++);
    }
  }
  class_bits_ = static_cast<unsigned>(std::bit_width(class_count - 1));
  matches_.resize(1);
  const EdgesByDepth edges = build_trie(symbols);
  next_.resize(matches_.size() << class_bits_);
  complete(edges);
}

// In the order of their bytes from the last to the first, symbols that end alike stand together: each shares
// the longest common part of its path with the one before it.
SymbolAutomaton::EdgesByDepth SymbolAutomaton::build_trie(std::span<const Symbol> symbols) {
  std::vector<std::uint16_t> order(symbols.size());
  std::iota(order.begin(), order.end(), std::uint16_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::uint16_t left, std::uint16_t right) {
    const std::uint64_t left_bytes = last_byte_highest(symbols[left]);
    const std::uint64_t right_bytes = last_byte_highest(symbols[right]);
    if (left_bytes != right_bytes) return left_bytes < right_bytes;
    return symbols[left].length < symbols[right].length;
  });
  EdgesByDepth edges;
  // The states behind the last bytes of the symbol before.
  std::array<State, format::max_symbol_length + 1> path{end()};
  Symbol before;
  for (const std::uint16_t index : order) {
    const Symbol& symbol = symbols[index];
    unsigned depth = common_end(before, symbol);
    for (; depth < symbol.length; ++depth) {
      const auto state = static_cast<State>(matches_.size() << class_bits_);
      matches_.emplace_back();
      edges[depth].push_back({.from = path[depth],
                              .to = state,
                              .byte_class = classes_[byte_of(symbol, symbol.length - 1 - depth)]});
      path[depth + 1] = state;
    }
    Matches& own = matches_[path[depth] >> class_bits_];
    if (own.count == 0) append(own, index, static_cast<std::uint8_t>(symbol.length));
    before = symbol;
  }
  return edges;
}

// A state goes where its longest shorter form goes, but for its own edges, and what that form finds it finds
// too. Forms are shorter by a byte at least: depth by depth they are complete when they are needed.
void SymbolAutomaton::complete(const EdgesByDepth& edges) {
  std::vector<State> shorter(matches_.size(), end());
  const std::size_t class_count = std::size_t{1} << class_bits_;
  for (std::size_t depth = 0; depth < edges.size(); ++depth) {
    for (const Edge& edge : edges[depth]) {
      if (depth > 0) {
        shorter[edge.to >> class_bits_] = next_[shorter[edge.from >> class_bits_] + edge.byte_class];
      }
      next_[edge.from + edge.byte_class] = edge.to;
    }
    for (const Edge& edge : edges[depth]) {
      const State fallback = shorter[edge.to >> class_bits_];
      std::copy_n(next_.begin() + fallback, class_count, next_.begin() + edge.to);
      const Matches& more = matches_[fallback >> class_bits_];
      for (unsigned k = 0; k < more.count; ++k) {
        append(matches_[edge.to >> class_bits_], more.symbols[k], more.lengths[k]);
      }
    }
  }
}

}  // namespace gsst::reference
