#pragma once

#include <cstddef>
#include <cstdint>

#include "reference_cpu/symbol_matcher.hpp"

namespace gsst::reference {

/// The place of a parse in its input and in its output.
struct EncodePosition {
  const std::uint8_t* in;
  std::uint8_t* out;
};

/// Encodes one match at `position`, with at least 8 bytes of input left and 2 of output, and moves on.
/// The escaped byte is written whether there is one or not, and counted only if there is: no branch to miss.
inline void encode_step(const SymbolMatcher& matcher, EncodePosition& position) {
  const std::uint64_t word = load_word(position.in);
  const SymbolMatcher::Match match = matcher.match(word);
  position.out[0] = match.code();
  position.out[1] = static_cast<std::uint8_t>(word);
  position.out += 1 + match.escaped_bytes();
  position.in += match.length();
}

/// As encode_step() with only `remaining` bytes of input left, 1 to 8.
inline void encode_step_at_end(const SymbolMatcher& matcher, EncodePosition& position,
                               std::size_t remaining) {
  const std::uint64_t word = load_partial_word(position.in, remaining);
  const SymbolMatcher::Match match = matcher.match_at_end(word, remaining);
  *position.out++ = match.code();
  if (match.is_escape()) *position.out++ = *position.in;
  position.in += match.length();
}

}  // namespace gsst::reference
