#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/format/gsst/string_column.hpp"
#include "library/lookup_column.hpp"

namespace gsst::library {

/// The first bytes of a column in the layout for lookups.
std::array<std::uint8_t, format::column_header_bytes> build_lookup_header(const format::ColumnType& type);

/// What is known of the strings of a group before they are encoded.
struct GroupBounds {
  /// Of all strings, and of the strings of the record that has the most.
  std::uint64_t bytes = 0;
  std::uint64_t record_bytes = 0;
  bool has_nulls = false;
};

/// Most bytes of a group with its entry, where no byte takes more than two bytes of codes, and
/// `between_codes` bytes that are no codes are between those of its strings or before them.
std::uint64_t most_bytes_of_group(const GroupBounds& bounds, std::uint64_t between_codes);

/// What follows the frame of a column in the layout for lookups, as strings are added to it.
class LookupColumnWriter {
public:
  explicit LookupColumnWriter(const format::ColumnType& type) : type_(type) {}

  /// Adds the string that follows, of `bytes` bytes, whose code end is `code_end`. For a string without bytes
  /// that of the one before.
  void add_string(std::uint32_t bytes, std::uint64_t code_end) { add(bytes, code_end, false); }
  void add_null();

  /// The groups and the trailer, which end a column with a frame of `frame_bytes` bytes.
  std::vector<std::uint8_t> finish(std::uint64_t frame_bytes);

private:
  struct Added {
    std::uint32_t bytes;
    std::uint64_t step;
    bool is_null;
  };

  void add(std::uint32_t bytes, std::uint64_t code_end, bool is_null);
  LookupEntry make_entry() const;
  void write_entry(const LookupEntry& entry);
  void write_records(const LookupEntry& entry);
  void end_group();

  format::ColumnType type_;
  std::uint64_t string_count_ = 0;
  std::uint64_t null_count_ = 0;
  std::uint64_t code_end_ = 0;
  // Of the group that is not full yet.
  std::vector<Added> group_;
  std::uint64_t first_byte_ = 0;
  std::uint64_t first_code_ = 0;
  // Of the groups before; data offsets count from the first group's data until all entries are known.
  std::vector<std::uint8_t> entries_;
  std::vector<std::uint8_t> data_;
};

}  // namespace gsst::library
