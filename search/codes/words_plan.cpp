#include "search/codes/words_plan.hpp"

#include <algorithm>

#include "search/codes/literal_plan.hpp"
#include "search/codes/shift_table_builder.hpp"
#include "search/codes/window.hpp"

namespace gsst::search::codes {
namespace {

using cpu::tiles::CodeKind;

// How long each word's window is. A window has a state for each of its bytes but the last; there are as many
// states as for the window of one word.
std::vector<std::size_t> window_sizes(std::span<const Literal> words) {
  std::vector<std::size_t> sizes(words.size(), 1);
  for (std::size_t states = most_window_bytes(CodeKind::bits_12) - 1; states > 0; --states) {
    std::size_t shortest = words.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (sizes[i] == words[i].size()) continue;
      if (shortest == words.size() || sizes[i] < sizes[shortest]) shortest = i;
    }
    if (shortest == words.size()) break;
    ++sizes[shortest];
  }
  return sizes;
}

std::vector<Window> choose_windows(std::span<const Literal> words, std::span<const std::uint8_t> sample) {
  const std::vector<std::size_t> sizes = window_sizes(words);
  std::vector<Window> windows;
  for (std::size_t i = 0; i < words.size(); ++i) windows.push_back(choose_window(words[i], sizes[i], sample));
  return windows;
}

}  // namespace

WordsPlan::WordsPlan(std::span<const Literal> words, std::span<const std::uint8_t> sample)
    : automaton_(words, choose_windows(words, sample)) {}

bool WordsPlan::can_search(CodeKind kind) const {
  return kind != CodeKind::bits_8_with_halves;
}

void WordsPlan::build_shifts(const cpu::tiles::CodeTable& table, ShiftTable& shifts) const {
  build_shift_table(automaton_, table, shifts);
}

std::size_t WordsPlan::bytes_of_state(CodeKind /*kind*/) const {
  return automaton_.longest();
}

std::uint32_t WordsPlan::state_after(CodeKind /*kind*/, std::span<const std::uint8_t> bytes) const {
  return shift_of(automaton_.after(bytes));
}

std::unique_ptr<const CodePlan> plan_for(std::span<const Literal> words,
                                         std::span<const std::uint8_t> sample) {
  if (words.size() == 1) return std::make_unique<LiteralPlan>(words.front(), sample);
  return std::make_unique<WordsPlan>(words, sample);
}

}  // namespace gsst::search::codes
