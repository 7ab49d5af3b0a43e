#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"

namespace gsst::search::codes {

/// The automaton of Aho and Corasick for the windows of several words. Each state stands for the first bytes
/// of a window, of which the last bytes of the text are the longest such; state 0 for none.
class WordsAutomaton {
public:
  /// A window for each of `words`, which are one or more and all ignore cases or all do not.
  WordsAutomaton(std::span<const Literal> words, std::span<const Window> windows);

  std::size_t size() const { return states_.size(); }
  /// The state after `byte` of the text, or size() where a window ends with it.
  std::size_t next(std::size_t state, std::uint8_t byte) const { return next_[state][byte]; }
  /// Bytes of the longest state.
  std::size_t longest() const { return longest_; }
  /// The state after a text that ends with `bytes`: longest() or more of them, unless they are all of it.
  std::size_t after(std::span<const std::uint8_t> bytes) const;

private:
  using Bytes = std::vector<std::uint8_t>;

  void add_states(const Bytes& window);
  bool ends_with_window(const Bytes& bytes) const;
  std::size_t longest_state(std::span<const std::uint8_t> bytes) const;

  std::vector<Bytes> windows_;
  // Their bytes: folded.
  std::vector<Bytes> states_ = {Bytes()};
  std::vector<std::array<std::uint8_t, 256>> next_;
  std::array<std::uint8_t, 256> folded_{};
  std::size_t longest_ = 0;
};

}  // namespace gsst::search::codes
