#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpu/tiles/code_table.hpp"
#include "search/codes/code_plan.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/window.hpp"
#include "search/codes/window_automaton.hpp"

namespace gsst::search::codes {

/// A search for one literal.
class LiteralPlan final : public CodePlan {
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

  /// True.
  bool can_search(cpu::tiles::CodeKind kind) const override;
  void build_shifts(const cpu::tiles::CodeTable& table, ShiftTable& shifts) const override;
  std::size_t bytes_of_state(cpu::tiles::CodeKind kind) const override;
  std::uint32_t state_after(cpu::tiles::CodeKind kind, std::span<const std::uint8_t> bytes) const override;

private:
  Part part_of(std::size_t most_bytes, std::span<const std::uint8_t> sample) const;

  Literal literal_;
  Part for_halves_;
  Part for_others_;
};

}  // namespace gsst::search::codes
