#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

/// What a search by an automaton is asked: any automaton over bytes, as a table.
namespace gsst::search::kernels {

/// Most states of an automaton. The table of a search has one more, which says that it has to look closer.
inline constexpr std::uint32_t most_states = 63;
/// Of an entry of an automaton's table: the next state, and that a match ends with the byte.
inline constexpr std::uint32_t next_state_mask = 63;
inline constexpr std::uint32_t match_ends = 64;

/// A deterministic automaton that reads a text byte by byte, from state 0 at the text's start. The answer has
/// a row for each byte that a match ends with.
struct ByteAutomaton {
  /// 1 to most_states.
  std::uint32_t state_count;
  /// What every match has, if that is known, so that rows say where matches begin; 0: they say where the byte
  /// after a match's last one is.
  std::uint32_t match_bytes;
  /// By state and byte: the next state, and match_ends. Only those of the first state_count states matter.
  std::uint8_t next[most_states + 1][256];
};
static_assert(std::is_trivially_copyable_v<ByteAutomaton>);

/// The question of a plan that searches by `automaton`. No string of bytes that can be searched for is as
/// long.
inline std::string question_of(const ByteAutomaton& automaton) {
  return {reinterpret_cast<const char*>(&automaton), sizeof automaton};
}

/// Whether `question` has the form of an automaton.
inline bool is_automaton(const std::string& question) {
  return question.size() == sizeof(ByteAutomaton);
}

/// The automaton that `question`, for which is_automaton() holds, is. Throws std::invalid_argument where it
/// has too many states, or leads to one that it does not have.
inline ByteAutomaton automaton_of_question(const std::string& question) {
  ByteAutomaton automaton;
  std::memcpy(&automaton, question.data(), sizeof automaton);
  if (automaton.state_count == 0 || automaton.state_count > most_states) {
    throw std::invalid_argument("an automaton has 1 to " + std::to_string(most_states) + " states, not " +
                                std::to_string(automaton.state_count));
  }
  for (std::uint32_t state = 0; state < automaton.state_count; ++state) {
    for (const std::uint8_t entry : automaton.next[state]) {
      if ((entry & ~match_ends) >= automaton.state_count) {
        throw std::invalid_argument("state " + std::to_string(state) +
                                    " of an automaton leads to one that it does not have");
      }
    }
  }
  return automaton;
}

/// The automaton of Knuth, Morris and Pratt for the places where `string` is in the text; they may overlap.
/// Throws std::invalid_argument unless it has 1 to most_states bytes.
inline ByteAutomaton automaton_of_string(std::span<const std::uint8_t> string) {
  if (string.empty() || string.size() > most_states) {
    throw std::invalid_argument("an automaton searches for strings of 1 to " + std::to_string(most_states) +
                                " bytes, not " + std::to_string(string.size()));
  }
  const auto bytes = static_cast<std::uint32_t>(string.size());
  ByteAutomaton automaton{.state_count = bytes, .match_bytes = bytes, .next = {}};
  // By a number of bytes, 1 or more: how many of the string's first ones are also the last of those.
  std::vector<std::uint32_t> borders(bytes + 1, 0);
  for (std::uint32_t count = 1; count < bytes; ++count) {
    std::uint32_t border = borders[count];
    while (border != 0 && string[border] != string[count]) border = borders[border];
    borders[count + 1] = border + (string[border] == string[count] ? 1 : 0);
  }
  for (std::uint32_t state = 0; state < bytes; ++state) {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t entry = state == 0 ? 0 : automaton.next[borders[state]][byte];
      if (string[state] == byte) entry = state + 1 == bytes ? borders[bytes] | match_ends : state + 1;
      automaton.next[state][byte] = static_cast<std::uint8_t>(entry);
    }
  }
  return automaton;
}

}  // namespace gsst::search::kernels
