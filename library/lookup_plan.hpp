#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "library/column.hpp"

/// Columns in the layout for lookups (FORMAT.md, section 10.2).
namespace gsst::library {

/// Whether the frames of the layout for lookups can have `format`.
constexpr bool has_lookup_layout(format::BlockFormat format) {
  return format == format::BlockFormat::blocks || format == format::BlockFormat::splits;
}

/// As plan_dense_column(), in the layout for lookups. Throws std::invalid_argument also for a format other
/// than blocks and splits.
std::unique_ptr<const ColumnCompressPlan> plan_lookup_column(const ArrowStrings& strings,
                                                             const reference::CompressOptions& options);

/// Checks everything but codes and checksums of blocks of `column`, for which is_lookup_column() holds and
/// which must outlive the plan unchanged. Throws format::FormatError, WrongFormat, and ApiError for a layout
/// that is not known.
std::unique_ptr<const ColumnPlan> plan_lookup_column(std::span<const std::uint8_t> column,
                                                     const DecompressOptions& options);

}  // namespace gsst::library
