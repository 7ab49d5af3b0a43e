#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "gsst/column.h"
#include "library/arrow_strings.hpp"
#include "library/compress_plan.hpp"
#include "library/decompress_plan.hpp"
#include "library/lookup_column.hpp"

namespace gsst::library {

/// Parses all of `column`, in the dense layout and without a separator, but its frame. Throws WrongFormat if
/// it is no column, else format::FormatError.
format::StringColumnView parse_column(std::span<const std::uint8_t> column);

/// Adds the lengths of all `strings` to `writer`. Throws std::invalid_argument for an array that contradicts
/// itself or holds too long strings.
void add_lengths(const ArrowStrings& strings, format::StringColumnWriter& writer);

/// Compresses one array of strings into memory of the caller.
class ColumnCompressPlan {
public:
  ColumnCompressPlan() = default;
  ColumnCompressPlan(const ColumnCompressPlan&) = delete;
  ColumnCompressPlan& operator=(const ColumnCompressPlan&) = delete;
  virtual ~ColumnCompressPlan() = default;

  /// Most bytes of the column.
  virtual std::uint64_t output_bytes() const = 0;
  /// The bytes of all strings in the array's memory, and those of nulls between them.
  virtual std::span<const std::uint8_t> input() const = 0;

  /// Compresses to the start of `output`, of output_bytes() bytes at least, and returns the bytes written.
  virtual std::size_t execute(std::span<std::uint8_t> output) const = 0;
};

/// Reads the lengths of `strings`, whose buffers must outlive the plan unchanged, for a column in the dense
/// layout, with `separator` after each string if there is one. Throws std::invalid_argument for an array that
/// contradicts itself or holds too long strings, for options that CompressPlan refuses or that ask for format
/// fsst, and for a separator that a string holds.
std::unique_ptr<const ColumnCompressPlan> plan_dense_column(const ArrowStrings& strings,
                                                            const reference::CompressOptions& options,
                                                            std::optional<std::uint8_t> separator);

/// Decompresses the strings of one column to arrays. Can be used by several threads at once.
class ColumnPlan {
public:
  ColumnPlan() = default;
  ColumnPlan(const ColumnPlan&) = delete;
  ColumnPlan& operator=(const ColumnPlan&) = delete;
  virtual ~ColumnPlan() = default;

  /// As the interface tells it; struct_bytes is 0.
  virtual gsst_column_info info() const = 0;

  /// Decompresses strings `first` to `first + count - 1` to a new array, and says in `read`, unless it is
  /// null, what was decoded. Throws std::invalid_argument if there are not as many, and format::FormatError.
  virtual void decompress(std::uint64_t first, std::uint64_t count, ArrowSchema& schema, ArrowArray& array,
                          ReadCount* read) const = 0;

  /// Decompresses the strings of these numbers. Throws as decompress(), and std::invalid_argument if they
  /// have too many bytes for the column's offsets.
  virtual void take(std::span<const std::uint64_t> strings, ArrowSchema& schema, ArrowArray& array,
                    ReadCount* read) const = 0;

  /// Where string `string` is; its codes too, in the layout for lookups. Throws std::invalid_argument if
  /// there is no such string.
  virtual CodedString find_string(std::uint64_t string) const = 0;

  /// Decompresses `string`, which find_string() gave, to `output`, of as many bytes. Allocates nothing where
  /// the plan has read from the same blocks before. Throws format::FormatError.
  virtual void read_string(const CodedString& string, std::span<std::uint8_t> output) const = 0;

  /// The whole column.
  virtual std::span<const std::uint8_t> column() const = 0;
  /// The part of it that is the frame of its strings.
  virtual std::span<const std::uint8_t> frame() const = 0;

  /// Writes for each of `strings` its range of what frame() decompresses to, and to `nulls`, unless that is
  /// empty, whether it is null, 1 or 0. Returns the bytes of all of them together, which go one behind the
  /// other to the output. Throws std::invalid_argument, and has written nothing, if there is no such string.
  virtual std::uint64_t find_strings(std::span<const std::uint64_t> strings, std::span<gsst_range> ranges,
                                     std::span<std::uint8_t> nulls) const = 0;
};

/// Checks everything but codes and checksums of blocks of `column`, in any layout, which must outlive the
/// plan unchanged. Throws WrongFormat, format::FormatError, and ApiError for a layout that is not known.
std::unique_ptr<const ColumnPlan> plan_column(std::span<const std::uint8_t> column,
                                              const DecompressOptions& options);

/// Throws std::invalid_argument unless a column of `count` strings has string `string`.
void check_string_number(std::uint64_t string, std::uint64_t count);
/// As check_string_number(), for `some` strings from `first` on.
void check_string_numbers(std::uint64_t first, std::uint64_t some, std::uint64_t count);
/// As check_string_number(), for all of `strings`.
void check_string_numbers(std::span<const std::uint64_t> strings, std::uint64_t count);

/// Adds a string of that many bytes, or a null.
void add_to(ArrowStringsBuilder& builder, std::uint64_t bytes, bool is_null);

}  // namespace gsst::library
