#pragma once

#include <cstddef>
#include <cstdint>

/// What the parsers of all instruction sets read of a table. A plain struct, as code_table.hpp says why.
namespace gsst::cpu::tiles {

/// What a parser does at a place of the input, in one word: the code or, where a literal byte is halved, both
/// codes in the low 16 bits, the bytes of input that they stand for in the next 8, and the bytes that the
/// codes take in the highest 8.
using Step = std::uint32_t;

constexpr Step make_step(std::uint32_t codes, std::uint32_t input_bytes, std::uint32_t code_bytes) {
  return codes | input_bytes << 16 | code_bytes << 24;
}
constexpr std::uint32_t step_input_bytes(Step step) {
  return step >> 16 & 0xff;
}

/// A symbol of 3 to 8 bytes.
struct MatchCandidate {
  /// The first byte in the lowest 8 bits.
  std::uint64_t symbol;
  Step step;
  /// Bits of a word that are not the symbol's.
  std::uint32_t shift;
};

/// Slots for symbols of 3 and more bytes, by a hash of the first three.
inline constexpr unsigned match_slot_bits = 11;
inline constexpr std::size_t match_slots = std::size_t{1} << match_slot_bits;
/// Most symbols in a slot: a cache line holds them.
inline constexpr unsigned most_match_ways = 4;

/// The slot of symbols that start with the lowest three bytes of `word`.
constexpr std::uint32_t match_slot(std::uint64_t word) {
  return (static_cast<std::uint32_t>(word) << 8) * std::uint32_t{0x9e3779b1} >> (32 - match_slot_bits);
}

/// The symbols of a table that the parse knows. Host memory.
struct MatchIndex {
  /// For each two bytes, the first in the lowest 8 bits: what to do if no longer symbol matches.
  alignas(64) Step pairs[std::size_t{1} << 16];
  /// For each byte: what to do if it is alone.
  Step bytes[256];
  /// Slot s has the `ways` candidates from s * ways on, the longest last. Those that are not used match no
  /// word of the slot.
  alignas(64) MatchCandidate candidates[match_slots * most_match_ways];
  /// 1 or most_match_ways.
  unsigned ways;
};

}  // namespace gsst::cpu::tiles
