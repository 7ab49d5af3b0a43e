#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "library/decompress_plan.hpp"

namespace gsst::library {

/// Where the strings of a column are in what its frame decompresses to, whatever the column's layout.
struct ColumnBorders {
  /// The part of the column that is the frame of its strings.
  std::span<const std::uint8_t> frame;
  /// Bytes of an offset of the column's array.
  std::uint32_t offset_width;
  /// Where each string begins, and where what is after the last one ends.
  std::vector<std::uint64_t> begins;
  /// A bit for each string, 0 for a null. Empty where none is null.
  std::vector<std::uint8_t> validity;
  std::uint64_t null_count;
  /// What stands after each string, and is no part of it.
  std::optional<std::uint8_t> separator;

  std::uint64_t separator_bytes() const { return separator ? 1 : 0; }
  std::uint64_t string_count() const { return begins.size() - 1; }
  bool is_null(std::uint64_t string) const {
    return !validity.empty() && (validity[string / 8] >> (string % 8) & 1) == 0;
  }
};

/// The borders of `column`, which must outlive them, read by options.threads threads. Throws WrongFormat,
/// format::FormatError, and ApiError for a layout that is not known.
ColumnBorders column_borders(std::span<const std::uint8_t> column, const DecompressOptions& options);

}  // namespace gsst::library
