#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "search/codes/code_plan.hpp"
#include "search/codes/literal.hpp"
#include "search/codes/words_automaton.hpp"

namespace gsst::search::codes {

/// Most words that are searched for at the same time: with more of them windows would be single bytes.
inline constexpr std::size_t most_words_at_once = 8;

/// A search for pieces with any of several words. Not done on codes with halves of bytes, for which words of
/// a table have too few states.
class WordsPlan final : public CodePlan {
public:
  /// 1 to most_words_at_once words, which all ignore cases or all do not; `sample` as for LiteralPlan.
  explicit WordsPlan(std::span<const Literal> words, std::span<const std::uint8_t> sample = {});

  bool can_search(cpu::tiles::CodeKind kind) const override;
  void build_shifts(const cpu::tiles::CodeTable& table, ShiftTable& shifts) const override;
  std::size_t bytes_of_state(cpu::tiles::CodeKind kind) const override;
  std::uint32_t state_after(cpu::tiles::CodeKind kind, std::span<const std::uint8_t> bytes) const override;

private:
  WordsAutomaton automaton_;
};

/// The plan for pieces with any of `words`, which are as for WordsPlan.
std::unique_ptr<const CodePlan> plan_for(std::span<const Literal> words,
                                         std::span<const std::uint8_t> sample);

}  // namespace gsst::search::codes
