#pragma once

#include <cstdint>
#include <optional>
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

}  // namespace gsst::format
