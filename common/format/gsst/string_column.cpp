#include "common/format/gsst/string_column.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::format {
namespace {

constexpr std::uint8_t column_version = 1;
constexpr std::uint32_t max_length_bits = 32;
// Of the trailer: what its checksum covers, besides the groups before it.
constexpr std::size_t checked_trailer_bytes = 40;
// The header's fields behind its magic, which the trailer repeats.
constexpr std::size_t header_fields_bytes = column_header_bytes - column_magic.size();

[[noreturn]] void refuse(const std::string& field, const std::string& problem) {
  throw FormatError(std::nullopt, field, problem);
}

void require_equal(std::uint64_t found, std::uint64_t expected, const std::string& field) {
  if (found != expected) {
    refuse(field, "is " + std::to_string(found) + ", expected " + std::to_string(expected));
  }
}

std::string name_of_group(std::uint64_t group, const char* field) {
  return "group " + std::to_string(group) + " " + field;
}

std::size_t bytes_of_bits(std::uint64_t bits) {
  return static_cast<std::size_t>((bits + 7) / 8);
}

bool bit_at(std::span<const std::uint8_t> bits, std::uint64_t position) {
  return (bits[position / 8] >> (position % 8) & 1) != 0;
}

// Bits behind the last one that says something, in its byte.
bool is_filled_with_zeros(std::span<const std::uint8_t> bits, std::uint64_t used) {
  return used % 8 == 0 || bits[used / 8] >> (used % 8) == 0;
}

ColumnType parse_header(std::span<const std::uint8_t> bytes) {
  if (!starts_with_column_magic(bytes)) refuse("column magic", "this is not a column");
  if (bytes.size() < column_header_bytes + column_trailer_bytes) {
    refuse("column", "truncated: " + std::to_string(bytes.size()) + " bytes");
  }
  require_equal(bytes[8], column_version, "column version");
  if (bytes[9] != static_cast<std::uint8_t>(StringKind::text) &&
      bytes[9] != static_cast<std::uint8_t>(StringKind::bytes)) {
    refuse("string kind", "is " + std::to_string(bytes[9]) + ", expected 1 (text) or 2 (bytes)");
  }
  if (bytes[10] != 4 && bytes[10] != 8) {
    refuse("offset width", "is " + std::to_string(bytes[10]) + ", expected 4 or 8");
  }
  require_equal(load_little_endian<5>(bytes.data() + 11), 0, "column header reserved bytes");
  return {.kind = static_cast<StringKind>(bytes[9]), .offset_width = bytes[10]};
}

void require_trailer_magic(std::span<const std::uint8_t> trailer) {
  if (!std::equal(column_trailer_magic.begin(), column_trailer_magic.end(), trailer.end() - 8)) {
    refuse("column trailer magic", "is not at the end: the column is truncated or bytes follow it");
  }
}

// The groups with the trailer's sizes in agreement.
StringColumnView find_parts(std::span<const std::uint8_t> bytes) {
  StringColumnView view{.type = parse_header(bytes),
                        .string_count = 0,
                        .null_count = 0,
                        .string_bytes = 0,
                        .frame = {},
                        .groups = {}};
  const auto trailer = bytes.last(column_trailer_bytes);
  require_trailer_magic(trailer);
  require_equal(load_little_endian<8>(trailer.data()), load_little_endian<8>(bytes.data() + 8),
                "column trailer copy of the header");
  view.string_count = load_little_endian<8>(trailer.data() + 8);
  view.null_count = load_little_endian<8>(trailer.data() + 16);
  const std::uint64_t frame_bytes = load_little_endian<8>(trailer.data() + 24);
  const std::uint64_t group_bytes = load_little_endian<8>(trailer.data() + 32);
  const std::uint64_t between = bytes.size() - column_header_bytes - column_trailer_bytes;
  if (frame_bytes > between) refuse("column frame bytes", "is more than the column has");
  require_equal(group_bytes, between - frame_bytes, "bytes of the groups");
  view.frame = bytes.subspan(column_header_bytes, frame_bytes);
  view.groups = bytes.subspan(column_header_bytes + frame_bytes, group_bytes);
  require_equal(
      load_little_endian<8>(trailer.data() + checked_trailer_bytes),
      checksum(bytes.subspan(column_header_bytes + frame_bytes, group_bytes + checked_trailer_bytes)),
      "column checksum");
  if (view.string_count > group_bytes / group_entry_bytes * strings_per_group) {
    refuse("string count", "is " + std::to_string(view.string_count) + ", more than the groups can hold");
  }
  return view;
}

// Sums up a group's lengths and nulls into `view`.
void check_strings(StringColumnView& view, const StringGroup& group, std::uint64_t number) {
  require_equal(group.first_byte(), view.string_bytes, name_of_group(number, "first byte"));
  std::uint64_t nulls = 0;
  for (std::uint32_t string = 0; string < group.string_count(); ++string) {
    const std::uint64_t length = group.length(string);
    if (length > std::numeric_limits<std::uint32_t>::max()) {
      refuse(name_of_group(number, "lengths"), "a string has more than 2^32 - 1 bytes");
    }
    view.string_bytes += length;
    if (!group.is_null(string)) continue;
    ++nulls;
    if (length != 0) refuse(name_of_group(number, "lengths"), "a null has bytes");
  }
  // A group adds less than 2^42: the sum stays far below 2^64.
  if (view.string_bytes > max_string_bytes) refuse("string lengths", "add up to more than a frame holds");
  if (group.has_nulls() && nulls == 0) refuse(name_of_group(number, "null flag"), "is 1, but none is null");
  view.null_count += nulls;
}

// Checks an entry before anything that it places is read.
std::size_t check_entry(const StringColumnView& view, std::uint64_t number, std::size_t data_offset) {
  const std::uint8_t* const entry = view.groups.data() + number * group_entry_bytes;
  require_equal(load_little_endian<8>(entry + 8), data_offset, name_of_group(number, "data offset"));
  if (entry[20] > max_length_bits) {
    refuse(name_of_group(number, "length bits"), "is " + std::to_string(entry[20]) + ", expected at most 32");
  }
  if (entry[21] > 1) {
    refuse(name_of_group(number, "null flag"), "is " + std::to_string(entry[21]) + ", expected 0 or 1");
  }
  require_equal(load_little_endian<2>(entry + 22), 0, name_of_group(number, "reserved bytes"));
  const std::uint64_t strings =
      std::min<std::uint64_t>(strings_per_group, view.string_count - number * strings_per_group);
  const std::size_t bytes = bytes_of_bits(strings * entry[20]) + entry[21] * bytes_of_bits(strings);
  if (bytes > view.groups.size() - data_offset) {
    refuse(name_of_group(number, "data"), "is cut short by the end of the groups");
  }
  const auto data = view.groups.subspan(data_offset, bytes);
  const std::size_t length_bytes = bytes_of_bits(strings * entry[20]);
  if (!is_filled_with_zeros(data.first(length_bytes), strings * entry[20]) ||
      !is_filled_with_zeros(data.subspan(length_bytes), entry[21] * strings)) {
    refuse(name_of_group(number, "data"), "is not filled up with 0");
  }
  return bytes;
}

}  // namespace

std::uint64_t StringGroup::length(std::uint32_t string) const {
  const std::uint64_t first_bit = std::uint64_t{string} * length_bits_;
  const std::uint64_t end_bit = first_bit + length_bits_;
  std::uint64_t word = 0;
  for (std::uint64_t byte = first_bit / 8; byte * 8 < end_bit; ++byte) {
    word |= std::uint64_t{lengths_[byte]} << (8 * (byte - first_bit / 8));
  }
  const std::uint64_t mask = (std::uint64_t{1} << length_bits_) - 1;
  return shortest_ + (word >> (first_bit % 8) & mask);
}

bool StringGroup::is_null(std::uint32_t string) const {
  return has_nulls() && !bit_at(validity_, string);
}

StringGroup StringColumnView::group(std::uint64_t number) const {
  const std::uint8_t* const entry = groups.data() + number * group_entry_bytes;
  const auto strings = static_cast<std::uint32_t>(
      std::min<std::uint64_t>(strings_per_group, string_count - number * strings_per_group));
  const auto data = groups.subspan(load_little_endian<8>(entry + 8));
  const std::size_t length_bytes = bytes_of_bits(std::uint64_t{strings} * entry[20]);
  return {load_little_endian<8>(entry),
          strings,
          static_cast<std::uint32_t>(load_little_endian<4>(entry + 16)),
          entry[20],
          data.first(length_bytes),
          data.subspan(length_bytes, entry[21] * bytes_of_bits(strings))};
}

bool starts_with_column_magic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= column_magic.size() &&
         std::equal(column_magic.begin(), column_magic.end(), bytes.begin());
}

std::uint64_t last_column_bytes(std::span<const std::uint8_t> bytes) {
  constexpr std::uint64_t around = column_header_bytes + column_trailer_bytes;
  if (bytes.size() < around) refuse("column", "truncated: " + std::to_string(bytes.size()) + " bytes");
  const auto trailer = bytes.last(column_trailer_bytes);
  require_trailer_magic(trailer);
  const std::uint64_t frame_bytes = load_little_endian<8>(trailer.data() + 24);
  const std::uint64_t group_bytes = load_little_endian<8>(trailer.data() + 32);
  const std::uint64_t before = bytes.size() - around;
  if (frame_bytes > before) refuse("column frame bytes", "is more than there is before the trailer");
  if (group_bytes > before - frame_bytes) {
    refuse("bytes of the groups", "is more than there is before the trailer");
  }
  const std::uint64_t column_bytes = around + frame_bytes + group_bytes;
  if (!starts_with_column_magic(bytes.last(column_bytes))) {
    refuse("column magic", "is not where the trailer says that the column starts");
  }
  return column_bytes;
}

StringColumnView parse_string_column(std::span<const std::uint8_t> bytes) {
  StringColumnView view = find_parts(bytes);
  const std::uint64_t stored_null_count = view.null_count;
  view.null_count = 0;
  std::size_t data_offset = view.group_count() * group_entry_bytes;
  for (std::uint64_t number = 0; number < view.group_count(); ++number) {
    data_offset += check_entry(view, number, data_offset);
    check_strings(view, view.group(number), number);
  }
  require_equal(view.groups.size(), data_offset, "bytes of the groups");
  require_equal(stored_null_count, view.null_count, "null count");
  if (view.type.offset_width == 4 && view.string_bytes > max_narrow_string_bytes) {
    refuse("offset width", "is 4, the strings have " + std::to_string(view.string_bytes) + " bytes");
  }
  return view;
}

void check_column_frame(const StringColumnView& column, std::uint64_t uncompressed_bytes) {
  if (column.string_bytes == uncompressed_bytes) return;
  refuse("string lengths", "add up to " + std::to_string(column.string_bytes) + ", the frame holds " +
                               std::to_string(uncompressed_bytes) + " bytes");
}

std::array<std::uint8_t, column_header_bytes> build_column_header(const ColumnType& type) {
  std::array<std::uint8_t, column_header_bytes> header{};
  std::copy(column_magic.begin(), column_magic.end(), header.begin());
  header[8] = column_version;
  header[9] = static_cast<std::uint8_t>(type.kind);
  header[10] = static_cast<std::uint8_t>(type.offset_width);
  return header;
}

void StringColumnWriter::add_string(std::uint64_t bytes) {
  if (bytes > std::numeric_limits<std::uint32_t>::max()) {
    throw std::length_error("string " + std::to_string(string_count_) + " has " + std::to_string(bytes) +
                            " bytes, a column holds strings of at most 2^32 - 1");
  }
  if (type_.offset_width == 4 && bytes > max_narrow_string_bytes - string_bytes_) {
    throw std::length_error("string " + std::to_string(string_count_) +
                            " ends behind what offsets of 4 bytes can say");
  }
  add(static_cast<std::uint32_t>(bytes), false);
}

void StringColumnWriter::add_null() {
  add(0, true);
  ++null_count_;
}

void StringColumnWriter::add(std::uint32_t length, bool is_null) {
  lengths_.push_back(length);
  nulls_.push_back(is_null);
  ++string_count_;
  string_bytes_ += length;
  if (lengths_.size() == strings_per_group) end_group();
}

void StringColumnWriter::end_group() {
  const auto [shortest, longest] = std::ranges::minmax(lengths_);
  const auto length_bits = static_cast<std::uint32_t>(std::bit_width(longest - shortest));
  const bool has_nulls = std::ranges::find(nulls_, true) != nulls_.end();

  entries_.resize(entries_.size() + group_entry_bytes);
  std::uint8_t* const entry = entries_.data() + entries_.size() - group_entry_bytes;
  store_little_endian<8>(entry, first_byte_);
  store_little_endian<8>(entry + 8, data_.size());
  store_little_endian<4>(entry + 16, shortest);
  entry[20] = static_cast<std::uint8_t>(length_bits);
  entry[21] = has_nulls ? 1 : 0;

  const std::size_t lengths_begin = data_.size();
  data_.resize(lengths_begin + bytes_of_bits(lengths_.size() * length_bits));
  for (std::size_t i = 0; i < lengths_.size(); ++i) {
    const std::uint64_t first_bit = i * length_bits;
    const std::uint64_t word = std::uint64_t{lengths_[i] - shortest} << (first_bit % 8);
    for (std::uint64_t bit = first_bit / 8 * 8; bit < first_bit + length_bits; bit += 8) {
      data_[lengths_begin + bit / 8] |= static_cast<std::uint8_t>(word >> (bit - first_bit / 8 * 8));
    }
  }
  if (has_nulls) {
    const std::size_t validity_begin = data_.size();
    data_.resize(validity_begin + bytes_of_bits(nulls_.size()));
    for (std::size_t i = 0; i < nulls_.size(); ++i) {
      if (!nulls_[i]) data_[validity_begin + i / 8] |= static_cast<std::uint8_t>(1U << (i % 8));
    }
  }
  first_byte_ = string_bytes_;
  lengths_.clear();
  nulls_.clear();
}

std::vector<std::uint8_t> StringColumnWriter::finish(std::uint64_t frame_bytes) {
  if (!lengths_.empty()) end_group();
  for (std::size_t entry = 0; entry < entries_.size(); entry += group_entry_bytes) {
    std::uint8_t* const data_offset = entries_.data() + entry + 8;
    store_little_endian<8>(data_offset, load_little_endian<8>(data_offset) + entries_.size());
  }
  std::vector<std::uint8_t> bytes = std::move(entries_);
  bytes.insert(bytes.end(), data_.begin(), data_.end());
  const std::size_t group_bytes = bytes.size();
  bytes.resize(group_bytes + column_trailer_bytes);
  std::uint8_t* const trailer = bytes.data() + group_bytes;
  const auto header = build_column_header(type_);
  std::copy_n(header.begin() + column_magic.size(), header_fields_bytes, trailer);
  store_little_endian<8>(trailer + 8, string_count_);
  store_little_endian<8>(trailer + 16, null_count_);
  store_little_endian<8>(trailer + 24, frame_bytes);
  store_little_endian<8>(trailer + 32, group_bytes);
  store_little_endian<8>(trailer + checked_trailer_bytes,
                         checksum(std::span(bytes).first(group_bytes + checked_trailer_bytes)));
  std::copy(column_trailer_magic.begin(), column_trailer_magic.end(), trailer + 48);
  return bytes;
}

}  // namespace gsst::format
