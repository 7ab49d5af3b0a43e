#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "gsst/column.h"
#include "library/arrow_strings.hpp"
#include "library/compress_plan.hpp"
#include "library/decompress_plan.hpp"
#include "library/frame_reader.hpp"
#include "library/string_starts.hpp"

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

  /// Decompresses strings `first` to `first + count - 1` to a new array, and says in `read`, unless it is
  /// null, what was decoded. Throws std::invalid_argument if there are not as many, and format::FormatError.
  void decompress(std::uint64_t first, std::uint64_t count, ArrowSchema& schema, ArrowArray& array,
                  ReadCount* read) const;

  /// Decompresses the strings of these numbers. Throws as decompress(), and std::invalid_argument if they
  /// have too many bytes for the column's offsets.
  void take(std::span<const std::uint64_t> strings, ArrowSchema& schema, ArrowArray& array,
            ReadCount* read) const;

  /// Where string `string` is. Throws std::invalid_argument if there is no such string.
  StringPlace find_string(std::uint64_t string) const;

  /// Decompresses the string at `place` to the start of `output`, which has room for it. Allocates nothing
  /// where the plan has read from the same blocks before. Throws format::FormatError.
  void read_string(const StringPlace& place, std::span<std::uint8_t> output) const;

  /// The whole column.
  std::span<const std::uint8_t> column() const { return column_; }
  /// The part of it that is the frame of its strings.
  std::span<const std::uint8_t> frame() const { return view_.frame; }

  /// Writes for each of `strings` its range of what frame() decompresses to, and to `nulls`, unless that is
  /// empty, whether it is null, 1 or 0. Returns the bytes of all of them together, which go one behind the
  /// other to the output. Throws std::invalid_argument, and has written nothing, if there is no such string.
  std::uint64_t find_strings(std::span<const std::uint64_t> strings, std::span<gsst_range> ranges,
                             std::span<std::uint8_t> nulls) const;

private:
  void read_ranges(std::span<const gsst_range> ranges, std::span<std::uint8_t> output, ReadCount* read) const;

  std::span<const std::uint8_t> column_;
  format::StringColumnView view_;
  FrameReader frame_;
  StringStarts starts_;
};

}  // namespace gsst::library
