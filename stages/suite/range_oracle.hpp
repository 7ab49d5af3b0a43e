#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace gsst::stage {

/// For tests: what the reference codec says about a range of a frame whose codes may be damaged.
struct RangeOracle {
  /// No split or strip that the range reaches into breaks a rule.
  bool is_right = true;
  /// The range's bytes; nothing for those that stand behind the place where their split or strip goes wrong.
  std::vector<std::optional<std::uint8_t>> bytes;

  /// Whether a decoder that looks at no more of a split or strip than it must may leave this. What is wrong
  /// behind the range it need not see.
  bool allows(bool is_decoded, std::span<const std::uint8_t> output) const {
    if (!is_decoded) return !is_right;
    return std::ranges::equal(bytes, output, [](const std::optional<std::uint8_t>& byte, std::uint8_t found) {
      return byte == found;
    });
  }
};

}  // namespace gsst::stage
