#pragma once

#include <cstddef>
#include <cstdint>

#include "cpu/tiles/code_table.hpp"
#include "search/codes/shift_table.hpp"
#include "search/codes/window_automaton.hpp"
#include "search/codes/words_automaton.hpp"

namespace gsst::search::codes {

/// Most bytes of a window for codes of this kind: a word has place for ten states. With halves of bytes a
/// state may also wait for a second half.
std::size_t most_window_bytes(cpu::tiles::CodeKind kind);

/// The word's state that stands for `state` of the automaton, where no half is waiting.
std::uint32_t shift_of(std::size_t state);

/// Fills `shifts` for the codes of `table` and a window of `literal`, at most most_window_bytes(). After the
/// codes of a text whose start was in shift_of(0) the state is that of `automaton`, or `seen` if a window
/// ended on the way. With halves, `seen` also follows codes that no writer puts in that order.
void build_shift_table(const WindowAutomaton& automaton, const Literal& literal,
                       const cpu::tiles::CodeTable& table, ShiftTable& shifts);
/// The same for windows of several words, and codes without halves. Their automaton has no more states than
/// there are bytes in the longest window of one word.
void build_shift_table(const WordsAutomaton& automaton, const cpu::tiles::CodeTable& table,
                       ShiftTable& shifts);

}  // namespace gsst::search::codes
