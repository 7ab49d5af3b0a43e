#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"

namespace gsst::search::codes {

/// The automaton of Knuth, Morris and Pratt for a window. State s says that the last s bytes of the text are
/// the first s of the window, and that no longer part of it is; s is less than the window's size.
class WindowAutomaton {
public:
  WindowAutomaton(const Literal& literal, const Window& window);

  std::size_t size() const { return window_.size(); }
  /// Byte `place` of the window.
  std::uint8_t byte(std::size_t place) const { return window_[place]; }
  /// The longest state but `state`, not 0, whose bytes are the last of those of `state`.
  std::size_t shorter(std::size_t state) const { return shorter_[state]; }
  /// The state after `byte` of the text, or size() where the window ends with it.
  std::size_t next(std::size_t state, std::uint8_t byte) const { return next_[state][byte]; }
  /// The state in which the search goes on after a window was found.
  std::size_t after_window() const { return shorter_[size()]; }
  /// The state after a text that ends with `bytes`: size() - 1 or more of them, unless they are all of it.
  std::size_t after(std::span<const std::uint8_t> bytes) const;

private:
  std::vector<std::uint8_t> window_;
  std::vector<std::size_t> shorter_;
  std::vector<std::array<std::uint8_t, 256>> next_;
};

}  // namespace gsst::search::codes
