#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "reference_cpu/symbol.hpp"

namespace gsst::reference {

/// Finds every symbol that starts at a position of an input that is read from its last byte to its first.
///
/// The automaton of A. V. Aho, M. J. Corasick, "Efficient String Matching: An Aid to Bibliographic Search",
/// CACM 18(6), 1975, for the symbols read backwards: behind each byte its state says which symbols start
/// there and end within the input. A step is as much work however many symbols there are.
class SymbolAutomaton {
public:
  /// Stands for the byte itself where a parse takes no symbol. Its lowest 8 bits are format::escape_code.
  static constexpr std::uint16_t literal = 0xffff;
  /// Symbols that it takes at most.
  static constexpr std::size_t max_symbols = 8191;

  using State = std::uint16_t;

  /// At most max_symbols symbols, else throws std::invalid_argument. Of equal ones only the first is found.
  explicit SymbolAutomaton(std::span<const Symbol> symbols);

  /// The state behind the last byte of an input.
  static constexpr State end() { return 0; }
  /// The state at `byte`, which stands in front of what led to `state`. The 8 bytes from there on decide it:
  /// who starts at end() 7 bytes further on comes to the same state.
  State step(State state, std::uint8_t byte) const { return next_[entry(rows_[state], classes_[byte])]; }
  /// Bit n: whether a symbol of n + 1 bytes starts here.
  std::uint8_t lengths(State state) const { return lengths_[state]; }
  /// The index of the symbol of `length` bytes, 1 to 8, that starts here; `literal` if there is none.
  std::uint16_t symbol(State state, unsigned length) const { return symbols_[state][length - 1]; }

private:
  using Row = std::uint16_t;
  /// Of a state without edges of its own, until it shares another's. Its entries are end().
  static constexpr Row no_row = 0;
  struct Edge {
    State from;
    State to;
    std::uint8_t byte_class;
  };
  /// Entry n: the edges from the states behind n bytes.
  using EdgesByDepth = std::array<std::vector<Edge>, format::max_symbol_length>;
  /// Entry n: the symbol of n + 1 bytes.
  using SymbolsByLength = std::array<std::uint16_t, format::max_symbol_length>;

  std::size_t entry(Row row, std::uint8_t byte_class) const {
    return (std::size_t{row} << class_bits_) + byte_class;
  }
  void classify_bytes(std::span<const Symbol> symbols);
  State add_state();
  Row add_row();
  EdgesByDepth build_trie(std::span<const Symbol> symbols);
  void complete(const EdgesByDepth& edges);

  // Bytes that no symbol holds share class 0: a row has an entry for each class, and most text has few.
  std::array<std::uint8_t, 256> classes_{};
  unsigned class_bits_ = 0;
  // By row an entry for each class.
  std::vector<State> next_;
  // By state.
  std::vector<Row> rows_;
  // By state. Their lengths are apart: a parse looks at those at each position.
  std::vector<std::uint8_t> lengths_;
  std::vector<SymbolsByLength> symbols_;
};

}  // namespace gsst::reference
