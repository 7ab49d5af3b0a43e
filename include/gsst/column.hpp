#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "gsst/column.h"
#include "gsst/gsst.hpp"

/// @file
/// Columns of strings in C++20, over the C functions of column.h: what is said there holds here too.

namespace gsst {

/// What a column says about itself.
using ColumnInfo = gsst_column_info;

/// How a column stores where its strings are; see gsst_column_layout.
enum class ColumnLayout : std::uint32_t {
  /// The smallest.
  dense = GSST_COLUMN_DENSE,
  /// The codes of each string are its own.
  lookup = GSST_COLUMN_LOOKUP,
  /// Layout lookup if it takes at most a quarter more bytes, else dense: a sample is compressed in both.
  automatic = GSST_COLUMN_AUTO,
};

/// What is chosen for a column besides the options of its frame.
struct ColumnOptions {
  /// How the column stores where its strings are. Layout lookup has formats blocks and splits alone.
  ColumnLayout layout = ColumnLayout::dense;
  /// A byte that no string holds, to stand after each string in what the column's frame decompresses to. For
  /// dense columns alone.
  std::optional<std::uint8_t> separator = std::nullopt;
};

/// Where strings of a column are in what its frame decompresses to; see gsst_column_ranges().
struct StringRanges {
  /// One for each string. The strings go one after another to the output.
  std::vector<Range> ranges;
  /// For each string 1 if it is null, else 0.
  std::vector<std::uint8_t> nulls;
  /// Bytes of all ranges together.
  std::uint64_t output_bytes = 0;
};

namespace detail {

struct DestroyColumnPlan {
  void operator()(gsst_column_compress_plan* plan) const { gsst_column_compress_plan_destroy(plan); }
  void operator()(gsst_column_plan* plan) const { gsst_column_plan_destroy(plan); }
};

}  // namespace detail

/// An Arrow array with its schema. Releases both, unless another owner has taken them: an importer of an
/// array sets its release function to null.
class OwnedArray {
public:
  /// Holds nothing.
  OwnedArray() = default;
  /// Takes over what `other` holds, which holds nothing then.
  OwnedArray(OwnedArray&& other) noexcept
      : schema_(std::exchange(other.schema_, {})), array_(std::exchange(other.array_, {})) {}
  /// Exchanges what the two hold.
  OwnedArray& operator=(OwnedArray&& other) noexcept {
    std::swap(schema_, other.schema_);
    std::swap(array_, other.array_);
    return *this;
  }
  OwnedArray(const OwnedArray&) = delete;
  OwnedArray& operator=(const OwnedArray&) = delete;
  ~OwnedArray() {
    if (array_.release != nullptr) array_.release(&array_);
    if (schema_.release != nullptr) schema_.release(&schema_);
  }

  /// The array's type, to be read or taken.
  ArrowSchema& schema() { return schema_; }
  /// The array, to be read or taken.
  ArrowArray& array() { return array_; }

private:
  ArrowSchema schema_{};
  ArrowArray array_{};
};

/// How an array is compressed. Refers to the array's buffers, which must outlive it unchanged.
class ColumnCompressPlan {
public:
  /// Plans the compression of an array, which stays the caller's. Errors:
  /// gsst_column_compress_plan_create_with().
  static Result<ColumnCompressPlan> create(const ArrowSchema& schema, const ArrowArray& array,
                                           const CompressOptions& options = {},
                                           const ColumnOptions& column_options = {}) {
    const gsst_compress_options c_options = detail::c_options(options);
    const gsst_column_options c_column_options{.struct_bytes = sizeof(gsst_column_options),
                                               .layout = static_cast<std::uint32_t>(column_options.layout),
                                               .has_separator = column_options.separator ? 1U : 0U,
                                               .separator = column_options.separator.value_or(0)};
    gsst_column_compress_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error = gsst_column_compress_plan_create_with(&schema, &array, &c_options,
                                                                   &c_column_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return ColumnCompressPlan(plan);
  }

  /// Bytes that the output must have room for.
  std::size_t output_bytes() const { return gsst_column_compress_plan_output_bytes(plan_.get()); }

  /// Compresses to the start of `output`, which has at least output_bytes() bytes, none of them of the array.
  /// Returns the part of `output` that is the column. Errors: gsst_column_compress_execute().
  Result<std::span<std::byte>> execute(std::span<std::byte> output) const {
    std::size_t bytes = 0;
    gsst_message message;
    const gsst_error error =
        gsst_column_compress_execute(plan_.get(), output.data(), output.size(), &bytes, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return output.first(bytes);
  }

private:
  explicit ColumnCompressPlan(gsst_column_compress_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_column_compress_plan, detail::DestroyColumnPlan> plan_;
};

/// How a column is decompressed. Refers to the column's bytes, which must outlive it unchanged.
class ColumnPlan {
public:
  /// Checks `column`, the whole column and nothing more, but for the codes of its blocks. Errors:
  /// gsst_column_plan_create().
  static Result<ColumnPlan> create(std::span<const std::byte> column, const DecompressOptions& options = {}) {
    const gsst_decompress_options c_options = detail::c_options(options);
    gsst_column_plan* plan = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_column_plan_create(column.data(), column.size(), &c_options, &plan, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return ColumnPlan(plan);
  }

  /// What the column says about itself. Not for a plan that was moved from.
  ColumnInfo info() const {
    auto info = detail::sized<ColumnInfo>();
    gsst_column_plan_info(plan_.get(), &info);
    return info;
  }

  /// Decompresses `count` strings from string `first` on to a new array. Errors: gsst_column_decompress().
  Result<OwnedArray> decompress(std::uint64_t first, std::uint64_t count) const {
    OwnedArray made;
    gsst_message message;
    const gsst_error error =
        gsst_column_decompress(plan_.get(), first, count, &made.schema(), &made.array(), nullptr, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Result<OwnedArray>(std::move(made));
  }

  /// Decompresses the strings of these numbers, in this order, to a new array. Errors: gsst_column_take().
  Result<OwnedArray> take(std::span<const std::uint64_t> strings) const {
    OwnedArray made;
    gsst_message message;
    const gsst_error error = gsst_column_take(plan_.get(), strings.data(), strings.size(), &made.schema(),
                                              &made.array(), nullptr, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return Result<OwnedArray>(std::move(made));
  }

  /// The part of the column that is the frame of its strings. Not for a plan that was moved from.
  std::span<const std::byte> frame() const {
    const void* frame = nullptr;
    std::size_t bytes = 0;
    gsst_column_frame(plan_.get(), &frame, &bytes);
    return {static_cast<const std::byte*>(frame), bytes};
  }

  /// Says where the strings of these numbers are in what frame() decompresses to. Errors:
  /// gsst_column_ranges().
  Result<StringRanges> ranges(std::span<const std::uint64_t> strings) const {
    StringRanges found{.ranges = std::vector<Range>(strings.size()),
                       .nulls = std::vector<std::uint8_t>(strings.size())};
    gsst_message message;
    const gsst_error error =
        gsst_column_ranges(plan_.get(), strings.data(), strings.size(), found.ranges.data(),
                           found.nulls.data(), &found.output_bytes, &message);
    if (error != GSST_OK) return detail::failure(error, message);
    return found;
  }

private:
  explicit ColumnPlan(gsst_column_plan* plan) : plan_(plan) {}

  std::unique_ptr<gsst_column_plan, detail::DestroyColumnPlan> plan_;
};

/// Bytes of the last of several consecutive columns. Errors: gsst_last_column_bytes().
inline Result<std::size_t> last_column_bytes(std::span<const std::byte> columns) {
  std::size_t bytes = 0;
  gsst_message message;
  const gsst_error error = gsst_last_column_bytes(columns.data(), columns.size(), &bytes, &message);
  if (error != GSST_OK) return detail::failure(error, message);
  return bytes;
}

/// Plans and compresses into memory that is allocated here. Errors: those of the two steps.
inline Result<std::vector<std::byte>> compress_column(const ArrowSchema& schema, const ArrowArray& array,
                                                      const CompressOptions& options = {},
                                                      const ColumnOptions& column_options = {}) {
  const Result<ColumnCompressPlan> plan = ColumnCompressPlan::create(schema, array, options, column_options);
  if (!plan) return plan.failure();
  std::vector<std::byte> output(plan.value().output_bytes());
  const Result<std::span<std::byte>> column = plan.value().execute(output);
  if (!column) return column.failure();
  output.resize(column.value().size());
  return output;
}

}  // namespace gsst
