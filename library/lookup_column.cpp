#include "library/lookup_column.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"
#include "library/failure.hpp"

namespace gsst::library {
namespace {

using format::column_header_bytes;
using format::column_magic;
using format::column_trailer_bytes;
using format::column_trailer_magic;
using format::load_little_endian;
using format::strings_per_group;

using Bytes = std::span<const std::uint8_t>;

// Of the trailer: what its checksum covers, besides the groups before it.
constexpr std::size_t checked_trailer_bytes = 40;
// The most bits of a field: what a word holds wherever in a byte the field starts.
constexpr std::uint32_t max_code_bits = 57;
constexpr std::uint32_t max_byte_bits = 48;

[[noreturn]] void refuse_column(const std::string& field, const std::string& problem) {
  throw format::FormatError(std::nullopt, field, problem);
}

void require_field(std::uint64_t found, std::uint64_t expected, const std::string& field) {
  if (found == expected) return;
  refuse_column(field, "is " + std::to_string(found) + ", expected " + std::to_string(expected));
}

std::string field_of_group(std::uint64_t group, const char* field) {
  return "group " + std::to_string(group) + " " + field;
}

format::ColumnType parse_column_header(Bytes bytes) {
  if (bytes.size() < column_header_bytes + column_trailer_bytes) {
    refuse_column("column", "truncated: " + std::to_string(bytes.size()) + " bytes");
  }
  if (bytes[9] != static_cast<std::uint8_t>(format::StringKind::text) &&
      bytes[9] != static_cast<std::uint8_t>(format::StringKind::bytes)) {
    refuse_column("string kind", "is " + std::to_string(bytes[9]) + ", expected 1 (text) or 2 (bytes)");
  }
  if (bytes[10] != 4 && bytes[10] != 8) {
    refuse_column("offset width", "is " + std::to_string(bytes[10]) + ", expected 4 or 8");
  }
  if (bytes[11] != lookup_layout) {
    throw ApiError(GSST_ERROR_UNSUPPORTED_VERSION,
                   "column layout: is " + std::to_string(bytes[11]) + ", this library knows 1");
  }
  require_field(load_little_endian<4>(bytes.data() + 12), 0, "column header reserved bytes");
  return {.kind = static_cast<format::StringKind>(bytes[9]), .offset_width = bytes[10]};
}

// The groups with the trailer's sizes in agreement.
LookupColumnView find_column_parts(Bytes bytes) {
  const format::ColumnType type = parse_column_header(bytes);
  const Bytes trailer = bytes.last(column_trailer_bytes);
  if (!std::ranges::equal(column_trailer_magic, trailer.last(column_trailer_magic.size()))) {
    refuse_column("column trailer magic", "is not at the end: the column is truncated or bytes follow it");
  }
  require_field(load_little_endian<8>(trailer.data()), load_little_endian<8>(bytes.data() + 8),
                "column trailer copy of the header");
  const std::uint64_t frame_bytes = load_little_endian<8>(trailer.data() + 24);
  const std::uint64_t group_bytes = load_little_endian<8>(trailer.data() + 32);
  const std::uint64_t between = bytes.size() - column_header_bytes - column_trailer_bytes;
  if (frame_bytes > between) refuse_column("column frame bytes", "is more than the column has");
  require_field(group_bytes, between - frame_bytes, "bytes of the groups");
  const Bytes behind_frame = bytes.subspan(column_header_bytes + frame_bytes);
  require_field(load_little_endian<8>(trailer.data() + checked_trailer_bytes),
                format::checksum(behind_frame.first(group_bytes + checked_trailer_bytes)), "column checksum");
  const std::uint64_t string_count = load_little_endian<8>(trailer.data() + 8);
  if (string_count > group_bytes / lookup_entry_bytes * strings_per_group) {
    refuse_column("string count", "is " + std::to_string(string_count) + ", more than the groups can hold");
  }
  return {.type = type,
          .string_count = string_count,
          .null_count = load_little_endian<8>(trailer.data() + 16),
          .string_bytes = 0,
          .frame = bytes.subspan(column_header_bytes, frame_bytes),
          .groups = behind_frame.first(group_bytes)};
}

// What the groups before the one that is checked add up to.
struct ColumnSums {
  std::uint64_t bytes = 0;
  std::uint64_t code_end = 0;
  std::uint64_t nulls = 0;
  std::uint64_t data_end = 0;
};

void check_widths(const LookupColumnView& view, std::uint64_t group) {
  const std::uint8_t* const entry = view.groups.data() + group * lookup_entry_bytes;
  const auto check = [&](std::size_t offset, std::uint32_t most, const char* field) {
    if (entry[offset] <= most) return;
    refuse_column(field_of_group(group, field),
                  "is " + std::to_string(entry[offset]) + ", expected at most " + std::to_string(most));
  };
  check(32, max_byte_bits, "byte bits");
  check(33, max_code_bits, "code bits");
  check(34, max_byte_bits, "length bits");
  check(35, max_code_bits, "step bits");
  check(36, 1, "null flag");
  require_field(load_little_endian<3>(entry + 37), 0, field_of_group(group, "reserved bytes"));
}

// Strings that the column's last record does not have.
void check_missing_string(const LookupEntry& entry, const LookupRecord& record, std::uint32_t string,
                          std::uint64_t group) {
  if (record.length_field(string) == 0 && record.step_field(string) == 0 &&
      (entry.widths.valid == 0 || !record.valid_field(string))) {
    return;
  }
  refuse_column(field_of_group(group, "data"), "has fields of strings that are not there");
}

// Adds string `string` of `record`, whose strings before it have been added.
void check_string(const LookupColumnView& view, const LookupRecord& record, std::uint32_t string,
                  std::uint64_t group, ColumnSums& sums) {
  const std::uint64_t length_before = record.end_byte(string);
  const std::uint64_t length_after = record.end_byte(string + 1);
  if (length_after < length_before) refuse_column(field_of_group(group, "lengths"), "do not ascend");
  const std::uint64_t length = length_after - length_before;
  if (length > std::numeric_limits<std::uint32_t>::max()) {
    refuse_column(field_of_group(group, "lengths"), "a string has more than 2^32 - 1 bytes");
  }
  const std::uint64_t end_before = record.end_code(string);
  const std::uint64_t end_after = record.end_code(string + 1);
  if (length == 0 ? end_after != end_before : end_after <= end_before) {
    refuse_column(field_of_group(group, "code ends"),
                  length == 0 ? "of a string without bytes is not that of the one before" : "do not ascend");
  }
  if (record.is_null(string)) {
    ++sums.nulls;
    if (length != 0) refuse_column(field_of_group(group, "lengths"), "a null has bytes");
  }
  sums.bytes += length;
  sums.code_end += end_after - end_before;
  // Neither sum can go over 64 bits: a string adds less than 2^32 to one and 2^58 to the other.
  if (sums.bytes > format::max_string_bytes) {
    refuse_column("string lengths", "add up to more than a frame holds");
  }
  if (sums.code_end > view.frame.size()) {
    refuse_column(field_of_group(group, "code ends"), "are beyond the frame");
  }
}

void check_group(const LookupColumnView& view, std::uint64_t group, ColumnSums& sums) {
  check_widths(view, group);
  const LookupEntry entry = view.entry(group);
  require_field(entry.first_byte, sums.bytes, field_of_group(group, "first byte"));
  require_field(entry.data_offset, sums.data_end, field_of_group(group, "data offset"));
  require_field(entry.first_code, sums.code_end, field_of_group(group, "first code"));
  const std::uint64_t strings =
      std::min<std::uint64_t>(strings_per_group, view.string_count - group * strings_per_group);
  const std::uint64_t records = (strings + strings_per_record - 1) / strings_per_record;
  const std::uint64_t bytes = records * entry.widths.record_bytes();
  if (bytes > view.groups.size() - sums.data_end) {
    refuse_column(field_of_group(group, "data"), "is cut short by the end of the groups");
  }
  sums.data_end += bytes;
  const std::uint64_t nulls_before = sums.nulls;
  for (std::uint64_t number = 0; number < records; ++number) {
    const LookupRecord record(entry, view.groups.data(), number);
    require_field(entry.first_byte + record.first_byte(), sums.bytes, field_of_group(group, "record byte"));
    require_field(entry.first_code + record.first_code(), sums.code_end,
                  field_of_group(group, "record code"));
    if (!record.is_padded()) refuse_column(field_of_group(group, "data"), "is not filled up with 0");
    for (std::uint32_t string = 0; string < strings_per_record; ++string) {
      if (number * strings_per_record + string < strings) {
        check_string(view, record, string, group, sums);
      } else {
        check_missing_string(entry, record, string, group);
      }
    }
  }
  if (entry.widths.valid != 0 && sums.nulls == nulls_before) {
    refuse_column(field_of_group(group, "null flag"), "is 1, but none is null");
  }
}

}  // namespace

std::uint64_t LookupColumnView::string_at(std::uint64_t offset) const {
  std::uint64_t found = 0;
  std::uint64_t end = string_count;
  while (found != end) {
    const std::uint64_t middle = found + (end - found) / 2;
    const StringPlace place = string(middle).place;
    if (place.offset + place.bytes > offset) {
      end = middle;
    } else {
      found = middle + 1;
    }
  }
  return found;
}

bool is_lookup_column(Bytes bytes) {
  return format::starts_with_column_magic(bytes) && bytes.size() > column_magic.size() &&
         bytes[column_magic.size()] == lookup_column_version;
}

LookupColumnView parse_lookup_column(Bytes bytes) {
  LookupColumnView view = find_column_parts(bytes);
  const std::uint64_t groups = (view.string_count + strings_per_group - 1) / strings_per_group;
  ColumnSums sums{.data_end = groups * lookup_entry_bytes};
  if (sums.data_end > view.groups.size()) refuse_column("bytes of the groups", "is less than the entries");
  for (std::uint64_t group = 0; group < groups; ++group) check_group(view, group, sums);
  require_field(view.groups.size(), sums.data_end, "bytes of the groups");
  require_field(view.null_count, sums.nulls, "null count");
  if (view.type.offset_width == 4 && sums.bytes > format::max_narrow_string_bytes) {
    refuse_column("offset width", "is 4, the strings have " + std::to_string(sums.bytes) + " bytes");
  }
  view.string_bytes = sums.bytes;
  return view;
}

}  // namespace gsst::library
