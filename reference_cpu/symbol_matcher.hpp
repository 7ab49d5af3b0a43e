#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "common/format/gsst/symbol_table.hpp"
#include "reference_cpu/symbol_hash.hpp"

namespace gsst::reference {

/// Finds the symbol at a position of the input: what the trainer and the encoder share.
///
/// Symbols of 3 to 8 bytes sit in a hash table of 1024 slots, one symbol a slot, chosen by their first three
/// bytes, so that one probe decides; those of 1 and 2 bytes in a table over all pairs of bytes. With one
/// symbol per slot the first match is the longest one (PVLDB 13(12), section 5.1, calls it lossy perfect
/// hashing).
class SymbolMatcher {
public:
  /// What stands at a position: a symbol's code, or an escape. Packed into one word, so that match() can
  /// choose between two of them without a branch.
  class Match {
  public:
    Match() = default;
    Match(std::uint8_t code, unsigned length, unsigned escaped_bytes)
        : packed_(static_cast<std::uint16_t>(code | length << 8 | escaped_bytes << 12)) {}

    std::uint8_t code() const { return static_cast<std::uint8_t>(packed_); }
    /// Bytes of input that the code stands for.
    unsigned length() const { return static_cast<unsigned>(packed_ >> 8) & 0xf; }
    /// Code bytes that follow the code: 0 for a symbol, 1 for an escape.
    unsigned escaped_bytes() const { return static_cast<unsigned>(packed_) >> 12; }
    bool is_escape() const { return escaped_bytes() != 0; }

    /// `a` if `condition`, else `b`.
    static Match choose(bool condition, Match a, Match b) {
      Match match;
      match.packed_ =
          static_cast<std::uint16_t>(b.packed_ ^ ((a.packed_ ^ b.packed_) & (0 - int{condition})));
      return match;
    }

  private:
    std::uint16_t packed_ = 0;
  };

  SymbolMatcher();

  /// Adds a symbol (first byte in the lowest 8 bits, zero above `length` bytes). Returns false and changes
  /// nothing if its place is taken.
  bool insert(std::uint64_t symbol, unsigned length, std::uint8_t code);

  /// Whether insert() would find the place free.
  bool is_free(std::uint64_t symbol, unsigned length) const;

  /// The match at the start of `word`, the next 8 bytes of input, first byte lowest.
  ///
  /// Which of the two it is cannot be predicted on text. Chosen by arithmetic, four interleaved parses of
  /// DBText l_comment went from 573 to 976 MB/s (g++ 12, Zen 3).
  Match match(std::uint64_t word) const {
    const Slot& slot = slots_[slot_index(word)];
    const bool hit = (word & (~std::uint64_t{0} >> slot.unused_bits)) == slot.symbol;
    return Match::choose(hit, slot.match, pairs_[word & 0xffff]);
  }

  /// As match(), with only the first `remaining` bytes of `word` being input: no longer symbol is taken.
  Match match_at_end(std::uint64_t word, std::size_t remaining) const {
    const Match longest = match(word);
    if (longest.length() <= remaining) return longest;
    const Match pair = pairs_[word & 0xffff];
    return pair.length() <= remaining ? pair : singles_[word & 0xff];
  }

private:
  struct Slot {
    std::uint64_t symbol;
    std::uint32_t unused_bits;
    Match match;
  };

  static std::size_t slot_index(std::uint64_t word) {
    return symbol_hash_slot(static_cast<std::uint32_t>(word));
  }

  std::array<Slot, symbol_hash_slots> slots_;
  std::array<Match, 256> singles_;
  std::vector<Match> pairs_;
};

/// The next 8 bytes of input, first byte lowest. The compiler makes one load of it.
inline std::uint64_t load_word(const std::uint8_t* bytes) {
  std::uint64_t word;
  std::memcpy(&word, bytes, sizeof(word));
  return word;
}

/// As load_word() for fewer than 8 bytes; the missing ones are zero.
inline std::uint64_t load_partial_word(const std::uint8_t* bytes, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

}  // namespace gsst::reference
