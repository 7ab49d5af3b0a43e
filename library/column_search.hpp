#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "gsst/column.h"
#include "library/decompress_plan.hpp"
#include "search/strings/patterns.hpp"

namespace gsst::library {

/// What a search found in each string of a column.
struct ColumnMatches {
  /// 1 or 0, or a number of matches; 0 for a null.
  std::vector<std::uint64_t> of_strings;
  /// A bit for each string, 0 for a null. Empty where none is null.
  std::vector<std::uint8_t> validity;
  std::uint64_t null_count;
  /// Bytes of an offset of the column's array.
  std::uint32_t offset_width;
};

enum class MatchQuestion : std::uint8_t {
  is_there,  ///< whether a string has a match
  count,     ///< how many matches with bytes a string has, as search::MatchScan goes over them
};

/// Searches each string of `column`, in any layout, by itself. Throws as column_borders(), and
/// format::FormatError.
ColumnMatches find_in_column(const search::Patterns& patterns, std::span<const std::uint8_t> column,
                             const DecompressOptions& options, MatchQuestion question);

}  // namespace gsst::library
