#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "reference_cpu/symbol_automaton.hpp"

namespace gsst::reference {

/// Bytes for which a parse goes on before its costs are counted anew.
inline constexpr std::size_t parse_segment_bytes = 1024;

/// Part of an input, parsed. The arrays have an entry for each of its bytes.
struct ParsedSegment {
  /// Where it begins in the input.
  std::size_t begin;
  std::span<const SymbolAutomaton::State> states;
  /// Lengths of the symbols that start at a byte, bit n for n + 1 bytes.
  std::span<const std::uint8_t> starts;
  /// Bytes of what stands first in the best parse from a byte on: of symbols that are equally good, and of
  /// one and the literal byte, the longest symbol.
  std::span<const std::uint8_t> lengths;
  /// Codes for the bytes from one on to the end of the segment and as far behind it as the last symbol
  /// reaches, less those for the bytes from the end of the segment on.
  std::span<const std::int16_t> costs;
};

/// The states of `automaton` at the bytes of `input` from `begin` on, one for each entry of `states`.
void find_states(const SymbolAutomaton& automaton, std::span<const std::uint8_t> input, std::size_t begin,
                 std::span<SymbolAutomaton::State> states);

/// Parses an input into as few codes as its symbols allow, from its last byte to its first, segment by
/// segment. With cost(i) codes for the bytes from i on,
///
///     cost(i) = min(literal_codes + cost(i + 1), 1 + cost(i + length) for each symbol that starts at i).
class OptimalParser {
public:
  /// `automaton` and `input` must stay where they are. `literal_codes` is 1 or 2.
  OptimalParser(const SymbolAutomaton& automaton, unsigned literal_codes,
                std::span<const std::uint8_t> input);

  /// Whether something is left to parse.
  bool has_next() const { return left_ != 0; }
  /// Parses parse_segment_bytes, or what is left, in front of what was parsed. The answer holds until the
  /// next one.
  ParsedSegment next();
  /// Codes of what was parsed.
  std::uint64_t codes() const { return static_cast<std::uint64_t>(codes_); }

private:
  void find_ends(std::size_t begin, std::size_t size);

  const SymbolAutomaton& automaton_;
  unsigned literal_codes_;
  std::span<const std::uint8_t> input_;
  std::size_t left_;
  std::int64_t codes_ = 0;
  // The least costs known of the 8 positions in front of what was parsed, the nearest one first.
  std::array<std::int16_t, format::max_symbol_length> in_front_;
  std::array<SymbolAutomaton::State, parse_segment_bytes> states_;
  // For each byte, and those in front of the segment, the lengths of the symbols that start at it; for each
  // byte those of the symbols that end with it. Bit n for n + 1 bytes.
  std::array<std::uint8_t, format::max_symbol_length + parse_segment_bytes> starts_;
  std::array<std::uint8_t, parse_segment_bytes> ends_;
  std::array<std::int16_t, parse_segment_bytes> costs_;
  std::array<std::uint8_t, parse_segment_bytes> lengths_;
};

}  // namespace gsst::reference
