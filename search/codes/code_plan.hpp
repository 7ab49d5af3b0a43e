#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "cpu/tiles/code_table.hpp"
#include "search/codes/shift_table.hpp"

namespace gsst::search::codes {

/// What a search on codes needs, whatever the symbols are. Does not change: threads may share it.
class CodePlan {
public:
  CodePlan() = default;
  CodePlan(const CodePlan&) = default;
  CodePlan& operator=(const CodePlan&) = default;
  virtual ~CodePlan() = default;

  /// Whether codes of that kind can be searched. The other functions are for these.
  virtual bool can_search(cpu::tiles::CodeKind kind) const = 0;
  /// Fills `shifts` for the codes of `table`.
  virtual void build_shifts(const cpu::tiles::CodeTable& table, ShiftTable& shifts) const = 0;
  /// Bytes before a code that say which state the search is in.
  virtual std::size_t bytes_of_state(cpu::tiles::CodeKind kind) const = 0;
  /// That state, as ShiftTable has it, after a text that ends with `bytes`: bytes_of_state(), or all that
  /// there are.
  virtual std::uint32_t state_after(cpu::tiles::CodeKind kind, std::span<const std::uint8_t> bytes) const = 0;
};

}  // namespace gsst::search::codes
