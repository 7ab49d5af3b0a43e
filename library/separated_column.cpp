#include "library/separated_column.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"
#include "library/column.hpp"
#include "library/failure.hpp"

namespace gsst::library {
namespace {

using format::load_little_endian;
using format::store_little_endian;

using ColumnBytes = std::span<const std::uint8_t>;
using ColumnHeader = std::array<std::uint8_t, format::column_header_bytes>;

// Places in the header and in the trailer.
constexpr std::size_t version_at = 8;
constexpr std::size_t flags_at = 11;
constexpr std::size_t separator_at = 12;
constexpr std::size_t reserved_at = 13;
constexpr std::size_t frame_bytes_at = 24;
constexpr std::size_t group_bytes_at = 32;
constexpr std::size_t trailer_checksum_at = 40;
constexpr std::size_t trailer_magic_at = 48;

[[noreturn]] void refuse_separated(const std::string& field, const std::string& problem) {
  throw format::FormatError(std::nullopt, field, problem);
}

void check_flags(ColumnBytes column) {
  if (column[flags_at] != separator_flag) {
    throw ApiError(GSST_ERROR_UNSUPPORTED_VERSION,
                   "column flags: is " + std::to_string(column[flags_at]) + ", this library knows 1");
  }
  if (load_little_endian<3>(column.data() + reserved_at) != 0) {
    refuse_separated("column header reserved bytes", "are not 0");
  }
}

// Bytes of the frame, where the trailer agrees with the column's size and its checksum is right.
std::uint64_t checked_frame_bytes(ColumnBytes column) {
  const ColumnBytes trailer = column.last(format::column_trailer_bytes);
  if (!std::ranges::equal(format::column_trailer_magic, trailer.subspan(trailer_magic_at))) {
    refuse_separated("column trailer magic", "is not at the end: the column is truncated or bytes follow it");
  }
  if (!std::ranges::equal(trailer.first(version_at), column.subspan(version_at, version_at))) {
    refuse_separated("column trailer copy of the header", "is not what the header says");
  }
  const std::uint64_t between = column.size() - format::column_header_bytes - format::column_trailer_bytes;
  const std::uint64_t frame_bytes = load_little_endian<8>(trailer.data() + frame_bytes_at);
  if (frame_bytes > between) refuse_separated("column frame bytes", "is more than the column has");
  if (load_little_endian<8>(trailer.data() + group_bytes_at) != between - frame_bytes) {
    refuse_separated("bytes of the groups", "is not what the column has behind its frame");
  }
  const ColumnBytes checked =
      column.subspan(format::column_header_bytes + frame_bytes, between - frame_bytes + trailer_checksum_at);
  if (load_little_endian<8>(trailer.data() + trailer_checksum_at) != format::checksum(checked)) {
    refuse_separated("column checksum", "is wrong");
  }
  return frame_bytes;
}

// The column without its frame and as if it had no separator, so that lengths are checked as those of every
// dense column.
std::vector<std::uint8_t> without_frame(ColumnBytes column, std::uint64_t frame_bytes) {
  std::vector<std::uint8_t> plain(column.begin(), column.begin() + format::column_header_bytes);
  plain[version_at] = 1;
  plain[flags_at] = 0;
  plain[separator_at] = 0;
  const ColumnBytes end = column.subspan(format::column_header_bytes + frame_bytes);
  plain.insert(plain.end(), end.begin(), end.end());
  std::uint8_t* const trailer = plain.data() + plain.size() - format::column_trailer_bytes;
  store_little_endian<8>(trailer + frame_bytes_at, 0);
  ColumnHeader header{};
  std::copy_n(plain.begin(), header.size(), header.begin());
  repeat_header(std::span(plain).subspan(format::column_header_bytes), header);
  return plain;
}

DenseColumnView parse_separated_column(ColumnBytes column) {
  if (column.size() < format::column_header_bytes + format::column_trailer_bytes) {
    refuse_separated("column", "truncated: " + std::to_string(column.size()) + " bytes");
  }
  check_flags(column);
  const std::uint64_t frame_bytes = checked_frame_bytes(column);
  DenseColumnView view{.strings = format::parse_string_column(without_frame(column, frame_bytes)),
                       .separator = column[separator_at]};
  view.strings.frame = column.subspan(format::column_header_bytes, frame_bytes);
  view.strings.groups = column.subspan(format::column_header_bytes + frame_bytes, view.strings.groups.size());
  return view;
}

std::string name_of_byte(std::uint8_t byte) {
  constexpr const char* digits = "0123456789abcdef";
  return std::string("0x") + digits[byte >> 4] + digits[byte & 15];
}

}  // namespace

bool is_separated_column(ColumnBytes bytes) {
  return format::starts_with_column_magic(bytes) && bytes.size() > version_at &&
         bytes[version_at] == separated_column_version;
}

DenseColumnView parse_dense_column(ColumnBytes column) {
  if (is_separated_column(column)) return parse_separated_column(column);
  return {.strings = parse_column(column), .separator = std::nullopt};
}

void check_dense_frame(const DenseColumnView& column, std::uint64_t uncompressed_bytes) {
  if (column.text_bytes() == uncompressed_bytes) return;
  refuse_separated("string lengths", "add up to " + std::to_string(column.text_bytes()) +
                                         (column.separator ? " with the separators" : "") +
                                         ", the frame holds " + std::to_string(uncompressed_bytes) +
                                         " bytes");
}

ColumnHeader build_dense_header(const format::ColumnType& type, std::optional<std::uint8_t> separator) {
  ColumnHeader header = format::build_column_header(type);
  if (!separator) return header;
  header[version_at] = separated_column_version;
  header[flags_at] = separator_flag;
  header[separator_at] = *separator;
  return header;
}

void repeat_header(std::span<std::uint8_t> end, const ColumnHeader& header) {
  std::uint8_t* const trailer = end.data() + end.size() - format::column_trailer_bytes;
  std::copy(header.begin() + version_at, header.end(), trailer);
  store_little_endian<8>(
      trailer + trailer_checksum_at,
      format::checksum(end.first(end.size() - format::column_trailer_bytes + trailer_checksum_at)));
}

std::vector<std::uint8_t> gather_separated(const ArrowStrings& strings, std::uint64_t string_bytes,
                                           std::uint8_t separator) {
  std::vector<std::uint8_t> gathered;
  gathered.reserve(string_bytes + strings.size());
  for (std::uint64_t number = 0; number < strings.size(); ++number) {
    const auto string = strings.string(number);
    if (string) gathered.insert(gathered.end(), string->begin(), string->end());
    gathered.push_back(separator);
  }
  return gathered;
}

void check_holds_no_separator(const ArrowStrings& strings, std::uint8_t separator) {
  for (std::uint64_t number = 0; number < strings.size(); ++number) {
    const auto string = strings.string(number);
    // No function of C gets the null of an array without bytes.
    if (!string || string->empty()) continue;
    if (std::memchr(string->data(), separator, string->size()) == nullptr) continue;
    throw std::invalid_argument("array: string " + std::to_string(number) + " holds the separator " +
                                name_of_byte(separator));
  }
}

void SeparatorRemover::take(std::uint64_t bytes) {
  const auto* const found = static_cast<const std::uint8_t*>(std::memchr(next_, separator_, bytes + 1));
  if (found != next_ + bytes) {
    refuse_separated("separator",
                     (found == nullptr ? "is not after string " : "is in string ") + std::to_string(string_));
  }
  std::memmove(end_, next_, bytes);
  end_ += bytes;
  next_ += bytes + 1;
  ++string_;
}

}  // namespace gsst::library
