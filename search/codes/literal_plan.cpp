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

bool LiteralPlan::can_search(CodeKind /*kind*/) const {
  return true;
}

void LiteralPlan::build_shifts(const cpu::tiles::CodeTable& table, ShiftTable& shifts) const {
  build_shift_table(part(table.kind).automaton, literal_, table, shifts);
}

std::size_t LiteralPlan::bytes_of_state(CodeKind kind) const {
  return part(kind).automaton.size() - 1;
}

std::uint32_t LiteralPlan::state_after(CodeKind kind, std::span<const std::uint8_t> bytes) const {
  return shift_of(part(kind).automaton.after(bytes));
}

LiteralPlan::Part LiteralPlan::part_of(std::size_t most_bytes, std::span<const std::uint8_t> sample) const {
  Window window = choose_window(literal_, most_bytes, sample);
  WindowAutomaton automaton(literal_, window);
  return {.window = std::move(window), .automaton = std::move(automaton)};
}

}  // namespace gsst::search::codes
