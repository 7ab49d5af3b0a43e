#include "search/codes/shift_table_builder.hpp"

#include <array>
#include <bitset>
#include <vector>

namespace gsst::search::codes {
namespace {

using cpu::tiles::CodeKind;
using cpu::tiles::CodeTable;

constexpr std::size_t most_states = 10;
// Codes of the halves of bytes: first ones, then second ones.
constexpr std::size_t halves = 16;

std::size_t code_count(CodeKind kind) {
  if (kind == CodeKind::bits_12) return 4096;
  return kind == CodeKind::bits_10 ? 1024 : 256;
}

// Puts a state into the place of another.
std::uint64_t placed(std::size_t from, std::size_t to) {
  return std::uint64_t{shift_of(to)} << shift_of(from);
}

std::uint8_t byte_of(std::uint64_t symbol, std::size_t place) {
  return static_cast<std::uint8_t>(symbol >> (8 * place));
}

// The transitions of symbols, by the states of the automaton; size() is `seen` and stays.
template <typename Automaton>
class SymbolSteps {
public:
  explicit SymbolSteps(const Automaton& automaton) : automaton_(automaton) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const auto value = static_cast<std::uint8_t>(byte);
      for (std::size_t state = 1; state < automaton.size(); ++state) {
        if (automaton.next(state, value) != automaton.next(0, value)) depends_on_state_.set(byte);
      }
    }
    for (std::size_t state = 0; state < automaton.size(); ++state) {
      every_place_ |= std::uint64_t{1} << shift_of(state);
    }
  }

  // Where the bytes of `symbol` from `place` on lead.
  std::size_t step(std::size_t state, std::uint64_t symbol, std::size_t place, std::size_t length) const {
    for (; place < length && state != automaton_.size(); ++place) {
      state = automaton_.next(state, byte_of(symbol, place));
    }
    return state;
  }

  // The word of a symbol, without the place of `seen`.
  std::uint64_t word(std::uint64_t symbol, std::size_t length) const {
    std::uint64_t word = 0;
    if (length == 0) {
      for (std::size_t state = 0; state < automaton_.size(); ++state) word |= placed(state, state);
      return word;
    }
    // Most symbols begin with a byte after which all states are one.
    if (!depends_on_state_[byte_of(symbol, 0)]) {
      return every_place_ * shift_of(step(0, symbol, 0, length));
    }
    // The others have two or three states after it.
    std::array<std::size_t, most_states> ends{};
    std::bitset<most_states> known;
    for (std::size_t state = 0; state < automaton_.size(); ++state) {
      const std::size_t second = automaton_.next(state, byte_of(symbol, 0));
      if (!known[second]) ends[second] = step(second, symbol, 1, length);
      known.set(second);
      word |= placed(state, ends[second]);
    }
    return word;
  }

private:
  const Automaton& automaton_;
  std::bitset<256> depends_on_state_;
  // The lowest bit of the place of each state.
  std::uint64_t every_place_ = 0;
};

// The states of codes with halves. For each state of the automaton there is one that waits for a second half,
// and one more waits after a first half that no byte of the window has.
class HalfStates {
public:
  HalfStates(const WindowAutomaton& automaton, const Literal& literal)
      : automaton_(automaton), first_halves_(automaton.size()) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      for (std::size_t state = 0; state < automaton.size(); ++state) {
        if (literal.fold(static_cast<std::uint8_t>(byte)) == automaton.byte(state)) {
          first_halves_[state].set(byte / halves);
        }
      }
    }
  }

  std::size_t waiting(std::size_t state) const { return automaton_.size() + state; }
  std::size_t waiting_in_vain() const { return 2 * automaton_.size(); }
  std::size_t seen() const { return 2 * automaton_.size() + 1; }

  std::uint64_t word_of_first_half(std::size_t half) const {
    std::uint64_t word = placed(seen(), seen());
    for (std::size_t state = 0; state < automaton_.size(); ++state) {
      word |= placed(state, after_first_half(state, half));
      // Another half of 0 changes nothing; any other is what no writer puts here.
      word |= placed(waiting(state), half == 0 ? waiting(state) : seen());
    }
    return word | placed(waiting_in_vain(), half == 0 ? waiting_in_vain() : seen());
  }

  std::uint64_t word_of_second_half(std::size_t half) const {
    std::uint64_t word = placed(seen(), seen());
    for (std::size_t state = 0; state < automaton_.size(); ++state) {
      word |= placed(state, known(automaton_.next(state, static_cast<std::uint8_t>(half))));
      word |= placed(waiting(state), after_second_half(state, half));
    }
    return word | placed(waiting_in_vain(), 0);
  }

  // Of any other code, whose word of SymbolSteps is `word`.
  std::uint64_t word_of_symbol(std::uint64_t word, std::size_t length) const {
    std::uint64_t all = placed(seen(), seen());
    for (std::size_t state = 0; state < automaton_.size(); ++state) {
      const std::size_t to = (word >> shift_of(state) & ((1u << state_bits) - 1)) / state_bits;
      all |= placed(state, known(to));
      all |= placed(waiting(state), length == 0 ? waiting(state) : seen());
    }
    return all | placed(waiting_in_vain(), length == 0 ? waiting_in_vain() : seen());
  }

private:
  std::size_t known(std::size_t state) const { return state == automaton_.size() ? seen() : state; }

  // The longest state that a byte with this first half can lengthen stands for all that are shorter.
  std::size_t after_first_half(std::size_t state, std::size_t half) const {
    while (!first_halves_[state][half]) {
      if (state == 0) return waiting_in_vain();
      state = automaton_.shorter(state);
    }
    return waiting(state);
  }

  // In both cases a letter has two first halves: where they lead to two states, the text has to be looked at.
  std::size_t after_second_half(std::size_t state, std::size_t half) const {
    std::size_t to = seen();
    bool is_first = true;
    for (std::size_t first = 0; first < halves; ++first) {
      if (!first_halves_[state][first]) continue;
      const std::size_t next =
          known(automaton_.next(state, static_cast<std::uint8_t>(halves * first | half)));
      if (!is_first && next != to) return seen();
      to = next;
      is_first = false;
    }
    return to;
  }

  const WindowAutomaton& automaton_;
  // By state, those of the bytes that lengthen it.
  std::vector<std::bitset<halves>> first_halves_;
};

void build_with_halves(const WindowAutomaton& automaton, const Literal& literal, const CodeTable& table,
                       ShiftTable& shifts) {
  const SymbolSteps steps(automaton);
  const HalfStates states(automaton, literal);
  shifts.seen = shift_of(states.seen());
  for (std::size_t half = 0; half < halves; ++half) {
    shifts.words[half] = states.word_of_first_half(half);
    shifts.words[halves + half] = states.word_of_second_half(half);
  }
  for (std::size_t code = 2 * halves; code < code_count(table.kind); ++code) {
    const std::size_t length = table.lengths[code];
    shifts.words[code] = states.word_of_symbol(steps.word(table.symbols[code], length), length);
  }
}

template <typename Automaton>
void build_without_halves(const Automaton& automaton, const CodeTable& table, ShiftTable& shifts) {
  const SymbolSteps steps(automaton);
  const std::size_t seen = automaton.size();
  shifts.seen = shift_of(seen);
  for (std::size_t code = 0; code < code_count(table.kind); ++code) {
    shifts.words[code] = steps.word(table.symbols[code], table.lengths[code]) | placed(seen, seen);
  }
}

}  // namespace

std::size_t most_window_bytes(CodeKind kind) {
  return kind == CodeKind::bits_8_with_halves ? (most_states - 2) / 2 : most_states - 1;
}

std::uint32_t shift_of(std::size_t state) {
  return static_cast<std::uint32_t>(state_bits * state);
}

void build_shift_table(const WindowAutomaton& automaton, const Literal& literal, const CodeTable& table,
                       ShiftTable& shifts) {
  if (table.kind == CodeKind::bits_8_with_halves) {
    build_with_halves(automaton, literal, table, shifts);
  } else {
    build_without_halves(automaton, table, shifts);
  }
}

void build_shift_table(const WordsAutomaton& automaton, const CodeTable& table, ShiftTable& shifts) {
  build_without_halves(automaton, table, shifts);
}

}  // namespace gsst::search::codes
