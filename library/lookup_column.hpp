#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "common/format/gsst/string_column.hpp"
#include "library/string_starts.hpp"

/// Columns in the layout for lookups (FORMAT.md, section 10.2): where the codes of each string are.
namespace gsst::library {

inline constexpr std::uint8_t lookup_column_version = 2;
/// The only value of the column's layout.
inline constexpr std::uint8_t lookup_layout = 1;
inline constexpr std::size_t lookup_entry_bytes = 40;
/// Strings of every record but the column's last one.
inline constexpr std::uint32_t strings_per_record = 8;

/// The widths of the fields of a group's records, in bits.
struct RecordWidths {
  std::uint32_t bytes = 0;
  std::uint32_t codes = 0;
  std::uint32_t length = 0;
  std::uint32_t step = 0;
  /// 1 where a string of the group is null, else 0.
  std::uint32_t valid = 0;

  /// Bytes of a record.
  std::size_t record_bytes() const {
    return (bytes + codes + strings_per_record * (length + step + valid) + 7) / 8;
  }
};

/// An entry in memory.
struct LookupEntry {
  std::uint64_t first_byte = 0;
  std::uint64_t data_offset = 0;
  std::uint64_t first_code = 0;
  std::uint32_t shortest_length = 0;
  std::uint32_t shortest_step = 0;
  RecordWidths widths = {};
};

/// Where a string is: in the output of the frame, and its codes in the frame.
struct CodedString {
  StringPlace place;
  /// The code end of the string before, and its own. Nothing in the dense layout.
  std::uint64_t codes_after = 0;
  std::uint64_t code_end = 0;
};

/// A column that has been checked but for its frame, whose bytes `frame` are.
struct LookupColumnView {
  format::ColumnType type;
  std::uint64_t string_count;
  std::uint64_t null_count;
  /// Bytes of all strings together.
  std::uint64_t string_bytes;
  std::span<const std::uint8_t> frame;
  /// The entries of all groups and their data. More bytes of the column follow: a word can be read anywhere.
  std::span<const std::uint8_t> groups;

  /// Group `number`, of which the column has more.
  LookupEntry entry(std::uint64_t number) const;
  /// String `number`, of which the column has more.
  CodedString string(std::uint64_t number) const;
  /// Has the memory fetched that string() of this number reads.
  void prefetch(std::uint64_t number) const;
  /// The first string that ends behind byte `offset` of the frame's output, which has more bytes.
  std::uint64_t string_at(std::uint64_t offset) const;
};

/// Whether `bytes` starts as a column of strings whose version is the one of the layout for lookups.
bool is_lookup_column(std::span<const std::uint8_t> bytes);

/// Parses `bytes`, all of a column for which is_lookup_column() holds, and checks every field but those of
/// the frame. Throws format::FormatError, whose block is empty, and ApiError for a layout that is not known.
LookupColumnView parse_lookup_column(std::span<const std::uint8_t> bytes);

}  // namespace gsst::library
