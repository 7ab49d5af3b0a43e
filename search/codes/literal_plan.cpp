#include "search/codes/literal_plan.hpp"

#include <utility>

#include "search/codes/shift_table_builder.hpp"

namespace gsst::search::codes {

using cpu::tiles::CodeKind;

LiteralPlan::LiteralPlan(Literal literal, std::span<const std::uint8_t> sample)
    : literal_(std::move(literal)),
      for_halves_(part_of(most_window_bytes(CodeKind::bits_8_with_halves), sample)),
      for_others_(part_of(most_window_bytes(CodeKind::bits_12), sample)) {}

const LiteralPlan::Part& LiteralPlan::part(CodeKind kind) const {
  return kind == CodeKind::bits_8_with_halves ? for_halves_ : for_others_;
}

LiteralPlan::Part LiteralPlan::part_of(std::size_t most_bytes, std::span<const std::uint8_t> sample) const {
  Window window = choose_window(literal_, most_bytes, sample);
  WindowAutomaton automaton(literal_, window);
  return {.window = std::move(window), .automaton = std::move(automaton)};
}

}  // namespace gsst::search::codes
