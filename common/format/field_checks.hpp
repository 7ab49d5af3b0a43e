#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "common/format/error.hpp"

namespace gsst::format {

/// Throws FormatError unless `field` holds what `source`, which says the same again, holds.
inline void check_equal(std::uint64_t found, std::uint64_t expected, const char* field, const char* source,
                        std::optional<std::uint64_t> block) {
  if (found == expected) return;
  throw FormatError(block, field,
                    "is " + std::to_string(found) + ", " + source + " says " + std::to_string(expected));
}

/// Throws FormatError unless all of `bytes`, those of `field`, are 0.
inline void check_zero(std::span<const std::uint8_t> bytes, const char* field,
                       std::optional<std::uint64_t> block) {
  const auto other = std::find_if(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte != 0; });
  if (other == bytes.end()) return;
  throw FormatError(block, field, "is " + std::to_string(*other) + ", expected 0 in each reserved byte");
}

}  // namespace gsst::format
