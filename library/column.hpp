#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "gsst/column.h"
#include "library/arrow_strings.hpp"
#include "library/compress_plan.hpp"
#include "library/decompress_plan.hpp"

namespace gsst::library {

/// Parses all of `column` but its frame. Throws WrongFormat if it is none, else format::FormatError.
format::StringColumnView parse_column(std::span<const std::uint8_t> column);

/// Adds the lengths of all `strings` to `writer`. Throws std::invalid_argument for an array that contradicts
/// itself or holds too long strings.
void add_lengths(const ArrowStrings& strings, format::StringColumnWriter& writer);

/// Compresses one array of strings into memory of the caller.
class ColumnCompressPlan {
public:
  /// Reads the lengths of `strings`, whose buffers must outlive the plan unchanged. Throws
  /// std::invalid_argument for an array that contradicts itself or holds too long strings, and for options
  /// that CompressPlan refuses or that ask for format fsst.
  ColumnCompressPlan(const ArrowStrings& strings, const reference::CompressOptions& options);

  /// Most bytes of the column.
  std::uint64_t output_bytes() const;
  /// The bytes of all strings in the array's memory, and those of nulls between them.
  std::span<const std::uint8_t> input() const { return strings_.bytes(); }

  /// Compresses to the start of `output`, of output_bytes() bytes at least, and returns the bytes written.
  std::size_t execute(std::span<std::uint8_t> output) const;

private:
  CompressPlan plan_frame(const reference::CompressOptions& options);
  std::size_t compress_strings(std::span<std::uint8_t> output) const;

  ArrowStrings strings_;
  format::StringColumnWriter writer_;
  CompressPlan frame_plan_;
  std::uint64_t end_bytes_;
};

/// Decompresses the strings of one column to arrays.
class ColumnPlan {
public:
  /// Checks everything but codes and checksums of blocks of `column`, which must outlive the plan unchanged.
  /// Throws WrongFormat and format::FormatError.
  ColumnPlan(std::span<const std::uint8_t> column, const DecompressOptions& options);

  /// As the interface tells it; struct_bytes is 0.
  gsst_column_info info() const;

  /// Decompresses strings `first` to `first + count - 1` to a new array. Throws std::invalid_argument if
  /// there are not as many, and format::FormatError.
  ReadCount decompress(std::uint64_t first, std::uint64_t count, ArrowSchema& schema,
                       ArrowArray& array) const;

  /// Decompresses the strings of these numbers. Throws as decompress(), and std::invalid_argument if they
  /// have too many bytes for the column's offsets.
  ReadCount take(std::span<const std::uint64_t> strings, ArrowSchema& schema, ArrowArray& array) const;

  /// The part of the column that is the frame of its strings.
  std::span<const std::uint8_t> frame() const { return view_.frame; }

  /// Writes for each of `strings` its range of what frame() decompresses to, and to `nulls`, unless that is
  /// empty, whether it is null, 1 or 0. Returns the bytes of all of them together, which go one behind the
  /// other to the output. Throws std::invalid_argument, and has written nothing, if there is no such string.
  std::uint64_t find_strings(std::span<const std::uint64_t> strings, std::span<gsst_range> ranges,
                             std::span<std::uint8_t> nulls) const;

private:
  std::span<const std::uint8_t> column_;
  format::StringColumnView view_;
  DecompressPlan frame_plan_;
  /// Where every eighth string starts in the output of the frame, from the first on: what saves each lookup
  /// the sum of up to 1023 lengths. A byte for each string.
  std::vector<std::uint64_t> starts_;
};

}  // namespace gsst::library
