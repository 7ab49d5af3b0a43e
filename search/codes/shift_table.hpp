#pragma once

#include <cstddef>
#include <cstdint>

/// What a search on codes reads for each of them. A plain struct: the files that are compiled for some
/// processors only include this, and no function with a body that other files share.
namespace gsst::search::codes {

/// Codes of the widest table.
inline constexpr std::size_t most_words = 4096;
/// Bits of a state in a word.
inline constexpr unsigned state_bits = 6;

/// An automaton over codes. A state is a place in a word, and a word has the next state at the place of each:
///   state = words[code] >> (state mod 64)
/// is a step, whose bits above the lowest six mean nothing. Host memory.
struct ShiftTable {
  alignas(64) std::uint64_t words[most_words];
  /// The state in which a window has been seen. No code leaves it.
  std::uint32_t seen;
};

}  // namespace gsst::search::codes
