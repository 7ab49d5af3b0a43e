#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/tiles.hpp"

namespace gsst::reference {

/// Finds the longest symbol of a table with length classes at a position of the input.
class TileMatcher {
public:
  struct Match {
    std::uint32_t code;
    unsigned length;
  };

  explicit TileMatcher(const format::TileTable& table);

  /// The match at the start of `input`, which is not empty. Nothing if no symbol matches. Halves of literal
  /// bytes never do.
  std::optional<Match> longest_match(std::span<const std::uint8_t> input) const;

private:
  struct Candidate {
    std::uint64_t symbol;
    std::uint64_t mask;
    Match match;
  };

  // The symbols of 2 and more bytes by their first two, longest first: those of one pair of bytes stand from
  // pair_begins_[pair] to pair_begins_[pair + 1].
  std::vector<Candidate> candidates_;
  std::vector<std::uint32_t> pair_begins_;
  std::array<std::optional<Match>, 256> single_bytes_{};
};

}  // namespace gsst::reference
