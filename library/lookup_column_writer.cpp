#include "library/lookup_column_writer.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "common/format/bytes.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::library {
namespace {

using format::column_header_bytes;
using format::column_magic;
using format::column_trailer_bytes;
using format::store_little_endian;
using format::strings_per_group;

constexpr std::size_t checked_column_trailer_bytes = 40;

std::uint32_t width_of(std::uint64_t largest) {
  return static_cast<std::uint32_t>(std::bit_width(largest));
}

// Writes numbers one after another, from the lowest bit of the first byte on, into bytes that are 0.
class BitWriter {
public:
  explicit BitWriter(std::uint8_t* bytes) : bytes_(bytes) {}

  // `value` has no more than `width` bits, of which a number has at most 57.
  void put(std::uint64_t value, std::uint32_t width) {
    std::uint64_t rest = value << (position_ % 8);
    for (std::uint64_t byte = position_ / 8; rest != 0; ++byte, rest >>= 8) {
      bytes_[byte] |= static_cast<std::uint8_t>(rest);
    }
    position_ += width;
  }

private:
  std::uint8_t* bytes_;
  std::uint64_t position_ = 0;
};

}  // namespace

std::array<std::uint8_t, column_header_bytes> build_lookup_header(const format::ColumnType& type) {
  std::array<std::uint8_t, column_header_bytes> header = format::build_column_header(type);
  header[column_magic.size()] = lookup_column_version;
  header[11] = lookup_layout;
  return header;
}

std::uint64_t most_bytes_of_group(const GroupBounds& bounds, std::uint64_t between_codes) {
  const RecordWidths widths{.bytes = width_of(bounds.bytes),
                            .codes = width_of(2 * bounds.bytes + between_codes),
                            .length = width_of(bounds.record_bytes),
                            .step = width_of(2 * bounds.record_bytes + between_codes),
                            .valid = bounds.has_nulls ? 1U : 0U};
  return lookup_entry_bytes + std::uint64_t{strings_per_group} / strings_per_record * widths.record_bytes();
}

void LookupColumnWriter::add_null() {
  ++null_count_;
  add(0, code_end_, true);
}

void LookupColumnWriter::add(std::uint32_t bytes, std::uint64_t code_end, bool is_null) {
  group_.push_back({.bytes = bytes, .step = code_end - code_end_, .is_null = is_null});
  code_end_ = code_end;
  ++string_count_;
  if (group_.size() == strings_per_group) end_group();
}

// The narrowest fields that hold the group.
LookupEntry LookupColumnWriter::make_entry() const {
  LookupEntry entry{.first_byte = first_byte_, .data_offset = data_.size(), .first_code = first_code_};
  entry.shortest_length = std::ranges::min(group_, {}, &Added::bytes).bytes;
  entry.shortest_step = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      std::ranges::min(group_, {}, &Added::step).step, std::numeric_limits<std::uint32_t>::max()));
  RecordWidths& widths = entry.widths;
  std::uint64_t bytes = 0;
  std::uint64_t codes = 0;
  for (std::size_t first = 0; first < group_.size(); first += strings_per_record) {
    widths.bytes = std::max(widths.bytes, width_of(bytes));
    widths.codes = std::max(widths.codes, width_of(codes));
    std::uint64_t length = 0;
    std::uint64_t step = 0;
    for (const Added& added :
         std::span(group_).subspan(first, std::min<std::size_t>(strings_per_record, group_.size() - first))) {
      bytes += added.bytes;
      codes += added.step;
      length += added.bytes - entry.shortest_length;
      step += added.step - entry.shortest_step;
      if (added.is_null) widths.valid = 1;
    }
    widths.length = std::max(widths.length, width_of(length));
    widths.step = std::max(widths.step, width_of(step));
  }
  return entry;
}

void LookupColumnWriter::write_entry(const LookupEntry& entry) {
  entries_.resize(entries_.size() + lookup_entry_bytes);
  std::uint8_t* const bytes = entries_.data() + entries_.size() - lookup_entry_bytes;
  store_little_endian<8>(bytes, entry.first_byte);
  store_little_endian<8>(bytes + 8, entry.data_offset);
  store_little_endian<8>(bytes + 16, entry.first_code);
  store_little_endian<4>(bytes + 24, entry.shortest_length);
  store_little_endian<4>(bytes + 28, entry.shortest_step);
  bytes[32] = static_cast<std::uint8_t>(entry.widths.bytes);
  bytes[33] = static_cast<std::uint8_t>(entry.widths.codes);
  bytes[34] = static_cast<std::uint8_t>(entry.widths.length);
  bytes[35] = static_cast<std::uint8_t>(entry.widths.step);
  bytes[36] = static_cast<std::uint8_t>(entry.widths.valid);
}

void LookupColumnWriter::write_records(const LookupEntry& entry) {
  const RecordWidths& widths = entry.widths;
  const std::size_t records = (group_.size() + strings_per_record - 1) / strings_per_record;
  const std::size_t begin = data_.size();
  data_.resize(begin + records * widths.record_bytes());
  std::uint64_t bytes = 0;
  std::uint64_t codes = 0;
  for (std::size_t number = 0; number < records; ++number) {
    const std::size_t first = number * strings_per_record;
    const std::size_t count = std::min<std::size_t>(strings_per_record, group_.size() - first);
    const auto strings = std::span(group_).subspan(first, count);
    const auto missing = static_cast<std::uint32_t>(strings_per_record - count);
    BitWriter writer(data_.data() + begin + number * widths.record_bytes());
    writer.put(bytes, widths.bytes);
    writer.put(codes, widths.codes);
    std::uint64_t length = 0;
    for (const Added& added : strings) {
      length += added.bytes - entry.shortest_length;
      writer.put(length, widths.length);
      bytes += added.bytes;
    }
    writer.put(0, missing * widths.length);
    std::uint64_t step = 0;
    for (const Added& added : strings) {
      step += added.step - entry.shortest_step;
      writer.put(step, widths.step);
      codes += added.step;
    }
    writer.put(0, missing * widths.step);
    for (const Added& added : strings) writer.put(added.is_null ? 0 : widths.valid, widths.valid);
  }
}

void LookupColumnWriter::end_group() {
  const LookupEntry entry = make_entry();
  write_entry(entry);
  write_records(entry);
  for (const Added& added : group_) first_byte_ += added.bytes;
  first_code_ = code_end_;
  group_.clear();
}

std::vector<std::uint8_t> LookupColumnWriter::finish(std::uint64_t frame_bytes) {
  if (!group_.empty()) end_group();
  for (std::size_t entry = 0; entry < entries_.size(); entry += lookup_entry_bytes) {
    std::uint8_t* const data_offset = entries_.data() + entry + 8;
    store_little_endian<8>(data_offset, format::load_little_endian<8>(data_offset) + entries_.size());
  }
  std::vector<std::uint8_t> bytes = std::move(entries_);
  bytes.insert(bytes.end(), data_.begin(), data_.end());
  const std::size_t group_bytes = bytes.size();
  bytes.resize(group_bytes + column_trailer_bytes);
  std::uint8_t* const trailer = bytes.data() + group_bytes;
  const auto header = build_lookup_header(type_);
  std::ranges::copy(std::span(header).subspan(column_magic.size()), trailer);
  store_little_endian<8>(trailer + 8, string_count_);
  store_little_endian<8>(trailer + 16, null_count_);
  store_little_endian<8>(trailer + 24, frame_bytes);
  store_little_endian<8>(trailer + 32, group_bytes);
  store_little_endian<8>(
      trailer + checked_column_trailer_bytes,
      format::checksum(std::span(bytes).first(group_bytes + checked_column_trailer_bytes)));
  std::ranges::copy(format::column_trailer_magic, trailer + checked_column_trailer_bytes + 8);
  return bytes;
}

}  // namespace gsst::library
