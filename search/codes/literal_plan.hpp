#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpu/tiles/code_table.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"
#include "search/codes/window_automaton.hpp"

namespace gsst::search::codes {

/// What a search for one literal needs, whatever the symbols are. Does not change: threads may share it.
class LiteralPlan {
public:
  /// A window and its automaton.
  struct Part {
    Window window;
    WindowAutomaton automaton;
  };

  /// `sample` is some of the text, or one like it: it says which part of the literal is rare. May be empty.
  explicit LiteralPlan(Literal literal, std::span<const std::uint8_t> sample = {});

  const Literal& literal() const { return literal_; }
  /// For codes of that kind.
  const Part& part(cpu::tiles::CodeKind kind) const;

private:
  Part part_of(std::size_t most_bytes, std::span<const std::uint8_t> sample) const;

  Literal literal_;
  Part for_halves_;
  Part for_others_;
};

}  // namespace gsst::search::codes
