#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/tiles.hpp"

namespace gsst::reference {

/// A code and the bytes of input that it stands for.
struct TileMatch {
  std::uint32_t code;
  unsigned length;
};

/// The first code that is not half of a literal byte.
inline std::uint32_t first_tile_symbol(const format::TileTable& table) {
  return table.code_bits == 8 && !table.escape_free ? 2 * format::length_class_count : 0;
}

/// Finds the longest symbol of a table with length classes at a position of the input.
class TileMatcher {
public:
  explicit TileMatcher(const format::TileTable& table);

  /// The match at the start of `input`, which is not empty. Nothing if no symbol matches. Halves of literal
  /// bytes never do.
  std::optional<TileMatch> longest_match(std::span<const std::uint8_t> input) const;

private:
  struct Candidate {
    std::uint64_t symbol;
    std::uint64_t mask;
    TileMatch match;
  };

  // The symbols of 2 and more bytes by their first two, longest first: those of one pair of bytes stand from
  // pair_begins_[pair] to pair_begins_[pair + 1].
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> pair_begins_;
  std::array<std::optional<TileMatch>, 256> single_bytes_{};
};

}  // namespace gsst::reference
