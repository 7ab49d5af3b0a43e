#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "gsst/column.hpp"
#include "gsst/lookup.h"

/// @file
/// One string of a column in C++20, over the C function of lookup.h: what is said there holds here too.

namespace gsst {

/// A column whose strings are decompressed one by one. Refers to the column's bytes, which must outlive it
/// unchanged. Can be used by several threads at once.
class ColumnLookup {
public:
  /// Checks `column` as ColumnPlan::create(). Errors: gsst_column_plan_create().
  static Result<ColumnLookup> create(std::span<const std::byte> column,
                                     const DecompressOptions& options = {}) {
    const gsst_decompress_options c_options = detail::c_options(options);
    gsst_column_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_column_plan_create(column.data(), column.size(), &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return ColumnLookup(plan);
  }

  /// Decompresses string `number` to the start of `output`, of at least its bytes. Returns the part of
  /// `output` that is the string; nothing for a null. Errors: gsst_column_string().
  Result<std::optional<std::span<std::byte>>> string(std::uint64_t number,
                                                     std::span<std::byte> output) const {
    std::size_t bytes = 0;
    int is_null = 0;
    gsst_message message;
    const gsst_error error =
        gsst_column_string(plan_.get(), number, output.data(), output.size(), &bytes, &is_null, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    if (is_null != 0) return std::optional<std::span<std::byte>>();
    return std::optional(output.first(bytes));
  }

private:
  explicit ColumnLookup(gsst_column_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_column_plan, detail::DestroyColumnPlan> plan_;
};

}  // namespace gsst
