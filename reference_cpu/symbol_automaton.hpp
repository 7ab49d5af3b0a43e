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
/// there and end within the input. A step is one load, however many symbols there are.
class SymbolAutomaton {
public:
  /// Stands for the byte itself where a parse takes no symbol. Its lowest 8 bits are format::escape_code.
  static constexpr std::uint16_t literal = 0xffff;

  /// What a parse can take at a position.
  struct Matches {
    static constexpr unsigned literal_choice = format::max_symbol_length;
    /// More codes than 8 bytes can ever cost.
    static constexpr std::uint16_t never = 1u << 10;

    /// The symbols that start here, longest first, by their indices; at literal_choice `literal`.
    std::array<std::uint16_t, format::max_symbol_length + 1> symbols{0, 0, 0, 0, 0, 0, 0, 0, literal};
    /// Their lengths in bytes.
    std::array<std::uint8_t, format::max_symbol_length + 1> lengths{8, 8, 8, 8, 8, 8, 8, 8, 1};
    std::uint8_t count = 0;
    /// 1 for each of the first two symbols, `never` where there are fewer: two can be weighed without a
    /// branch.
    std::array<std::uint16_t, 2> codes{never, never};
  };
  using State = std::uint32_t;

  /// At most 65,535 symbols. Of equal ones only the first is found.
  explicit SymbolAutomaton(std::span<const Symbol> symbols);

  /// The state behind the last byte of an input.
  static constexpr State end() { return 0; }
  /// The state at `byte`, which stands in front of what led to `state`.
  State step(State state, std::uint8_t byte) const { return next_[state + classes_[byte]]; }
  const Matches& matches(State state) const { return matches_[state >> class_bits_]; }

private:
  struct Edge {
    State from;
    State to;
    std::uint8_t byte_class;
  };
  /// Entry n: the edges from the states behind n bytes.
  using EdgesByDepth = std::array<std::vector<Edge>, format::max_symbol_length>;

  EdgesByDepth build_trie(std::span<const Symbol> symbols);
  void complete(const EdgesByDepth& edges);

  // Bytes that no symbol holds share class 0: a state has an entry for each class, and most text has few.
  std::array<std::uint8_t, 256> classes_{};
  unsigned class_bits_ = 0;
  // A state is the place of its first entry: its number << class_bits_.
  std::vector<State> next_;
  std::vector<Matches> matches_;
};

}  // namespace gsst::reference
