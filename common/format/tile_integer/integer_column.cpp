#include "common/format/tile_integer/integer_column.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <string>

#include "common/format/bytes.hpp"
#include "common/format/error.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::format::tile_integer {
namespace {

constexpr std::uint8_t integer_column_version = 1;
// Of the trailer: what its checksum covers, besides nulls and type before it.
constexpr std::size_t checked_integer_trailer_bytes = 48;
constexpr std::size_t fields_of_header_bytes = integer_column_header_bytes - integer_column_magic.size();

struct NamedValues {
  std::string_view arrow_format;
  ColumnValues values;
};

constexpr std::array named_values = {
    NamedValues{"c", {1, Type::i8}},    NamedValues{"C", {1, Type::i16}},
    NamedValues{"s", {2, Type::i16}},   NamedValues{"S", {2, Type::i32}},
    NamedValues{"i", {4, Type::i32}},   NamedValues{"I", {4, Type::u32}},
    NamedValues{"l", {8, Type::i64}},   NamedValues{"L", {8, Type::u64}},
    NamedValues{"tdD", {4, Type::i32}}, NamedValues{"tdm", {8, Type::i64}},
    NamedValues{"tts", {4, Type::i32}}, NamedValues{"ttm", {4, Type::i32}},
    NamedValues{"ttu", {8, Type::i64}}, NamedValues{"ttn", {8, Type::i64}},
    NamedValues{"tDs", {8, Type::i64}}, NamedValues{"tDm", {8, Type::i64}},
    NamedValues{"tDu", {8, Type::i64}}, NamedValues{"tDn", {8, Type::i64}},
};

// A time zone follows, or nothing.
constexpr std::array<std::string_view, 4> timestamps = {"tss:", "tsm:", "tsu:", "tsn:"};

[[noreturn]] void refuse_column(const char* field, const std::string& problem) {
  throw FormatError(std::nullopt, field, problem);
}

void require_field(std::uint64_t found, std::uint64_t expected, const char* field) {
  if (found == expected) return;
  refuse_column(field, "is " + std::to_string(found) + ", expected " + std::to_string(expected));
}

// The number at the start of `text`, of which it is removed with the comma that follows.
std::optional<int> take_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return number;
  if (text.size() == 1 || text.front() != ',') return std::nullopt;
  text.remove_prefix(1);
  return number;
}

// `text`: digits, scale and perhaps bits.
std::optional<ColumnValues> values_of_decimal(std::string_view text) {
  const auto digits = take_number(text);
  if (!digits || *digits < 1 || *digits > static_cast<int>(max_decimal_digits) || text.empty()) {
    return std::nullopt;
  }
  if (!take_number(text)) return std::nullopt;
  if (text.empty() || text == "128") return ColumnValues{16, Type::i64};
  if (text == "64") return ColumnValues{8, Type::i64};
  if (text == "32" && *digits <= 9) return ColumnValues{4, Type::i32};
  return std::nullopt;
}

std::size_t bytes_of_validity(std::uint64_t values) {
  return static_cast<std::size_t>((values + 7) / 8);
}

void check_column_header(std::span<const std::uint8_t> bytes) {
  if (!starts_with_integer_column_magic(bytes))
    refuse_column("column magic", "this is no column of integers");
  if (bytes.size() < integer_column_header_bytes + integer_column_trailer_bytes) {
    refuse_column("column", "truncated: " + std::to_string(bytes.size()) + " bytes");
  }
  require_field(bytes[8], integer_column_version, "column version");
  require_field(load_little_endian<7>(bytes.data() + 9), 0, "column header reserved bytes");
}

// The sizes of the parts, as the trailer says them.
struct PartBytes {
  std::uint64_t frame;
  std::uint64_t validity;
  std::uint64_t type;
};

// Throws FormatError for sizes of more than `most` bytes together.
PartBytes part_bytes(std::span<const std::uint8_t> trailer, std::uint64_t most) {
  if (!ends_with_integer_column_magic(trailer)) {
    refuse_column("column trailer magic", "is not at the end: the column is truncated or bytes follow it");
  }
  const PartBytes parts = {.frame = load_little_endian<8>(trailer.data() + 24),
                           .validity = load_little_endian<8>(trailer.data() + 32),
                           .type = load_little_endian<8>(trailer.data() + 40)};
  if (parts.frame > most) refuse_column("column frame bytes", "is more than the column has");
  if (parts.validity > most - parts.frame) refuse_column("bytes of nulls", "is more than the column has");
  if (parts.type > most - parts.frame - parts.validity) {
    refuse_column("bytes of the type", "is more than the column has");
  }
  return parts;
}

void check_validity(const IntegerColumnView& view) {
  if (view.value_count > max_column_values) {
    refuse_column("value count", "is " + std::to_string(view.value_count) + ", more than any column has");
  }
  require_field(view.validity.size(), view.null_count == 0 ? 0 : bytes_of_validity(view.value_count),
                "bytes of nulls");
  // Of no values none is null.
  if (view.validity.empty()) return require_field(view.null_count, 0, "null count");
  std::uint64_t valid = 0;
  for (const std::uint8_t byte : view.validity) valid += static_cast<std::uint64_t>(std::popcount(byte));
  if (view.value_count % 8 != 0 && view.validity.back() >> view.value_count % 8 != 0) {
    refuse_column("nulls", "are not filled up with 0");
  }
  require_field(view.null_count, view.value_count - valid, "null count");
}

}  // namespace

std::optional<ColumnValues> column_values(std::string_view arrow_format) {
  const auto is_printable = [](char c) { return c >= ' ' && c <= '~'; };
  if (arrow_format.size() > max_column_type_bytes || !std::ranges::all_of(arrow_format, is_printable)) {
    return std::nullopt;
  }
  for (const NamedValues& named : named_values) {
    if (arrow_format == named.arrow_format) return named.values;
  }
  for (const std::string_view timestamp : timestamps) {
    if (arrow_format.starts_with(timestamp)) return ColumnValues{8, Type::i64};
  }
  if (arrow_format.starts_with("d:")) return values_of_decimal(arrow_format.substr(2));
  return std::nullopt;
}

bool starts_with_integer_column_magic(std::span<const std::uint8_t> bytes) {
  return bytes.size() >= integer_column_magic.size() &&
         std::equal(integer_column_magic.begin(), integer_column_magic.end(), bytes.begin());
}

bool ends_with_integer_column_magic(std::span<const std::uint8_t> bytes) {
  const auto& magic = integer_column_trailer_magic;
  return bytes.size() >= magic.size() && std::ranges::equal(bytes.last(magic.size()), std::span(magic));
}

std::uint64_t last_integer_column_bytes(std::span<const std::uint8_t> bytes) {
  constexpr std::uint64_t around = integer_column_header_bytes + integer_column_trailer_bytes;
  if (bytes.size() < around) refuse_column("column", "truncated: " + std::to_string(bytes.size()) + " bytes");
  const PartBytes parts = part_bytes(bytes.last(integer_column_trailer_bytes), bytes.size() - around);
  const std::uint64_t column_bytes = around + parts.frame + parts.validity + parts.type;
  if (!starts_with_integer_column_magic(bytes.last(column_bytes))) {
    refuse_column("column magic", "is not where the trailer says that the column starts");
  }
  return column_bytes;
}

IntegerColumnView parse_integer_column(std::span<const std::uint8_t> bytes) {
  check_column_header(bytes);
  const auto trailer = bytes.last(integer_column_trailer_bytes);
  const std::uint64_t between = bytes.size() - integer_column_header_bytes - integer_column_trailer_bytes;
  const PartBytes parts = part_bytes(trailer, between);
  require_field(load_little_endian<8>(trailer.data()),
                load_little_endian<8>(bytes.data() + integer_column_magic.size()),
                "column trailer copy of the header");
  require_field(parts.frame + parts.validity + parts.type, between, "bytes before the column trailer");
  const auto after_frame = bytes.subspan(integer_column_header_bytes + parts.frame);
  require_field(load_little_endian<8>(trailer.data() + checked_integer_trailer_bytes),
                checksum(after_frame.first(parts.validity + parts.type + checked_integer_trailer_bytes)),
                "column checksum");
  const auto type = after_frame.subspan(parts.validity, parts.type);
  const std::string_view arrow_format(reinterpret_cast<const char*>(type.data()), type.size());
  const auto values = column_values(arrow_format);
  if (!values) refuse_column("column type", "is none that a column has");
  const IntegerColumnView view = {.arrow_format = arrow_format,
                                  .values = *values,
                                  .value_count = load_little_endian<8>(trailer.data() + 8),
                                  .null_count = load_little_endian<8>(trailer.data() + 16),
                                  .frame = bytes.subspan(integer_column_header_bytes, parts.frame),
                                  .validity = after_frame.first(parts.validity)};
  check_validity(view);
  return view;
}

void check_integer_column_frame(const IntegerColumnView& column, BlockFormat format,
                                std::uint64_t uncompressed_bytes) {
  if (format != for_format && format != dfor_format && format != rfor_format) {
    refuse_column("format id", "is none of those that columns of integers have");
  }
  if (column.stored_bytes() == uncompressed_bytes) return;
  refuse_column("value count", "makes " + std::to_string(column.stored_bytes()) + " bytes, the frame holds " +
                                   std::to_string(uncompressed_bytes));
}

std::array<std::uint8_t, integer_column_header_bytes> build_integer_column_header() {
  std::array<std::uint8_t, integer_column_header_bytes> header{};
  std::copy(integer_column_magic.begin(), integer_column_magic.end(), header.begin());
  header[8] = integer_column_version;
  return header;
}

std::vector<std::uint8_t> build_integer_column_end(const IntegerColumnView& column) {
  std::vector<std::uint8_t> bytes(column.validity.begin(), column.validity.end());
  bytes.insert(bytes.end(), column.arrow_format.begin(), column.arrow_format.end());
  const std::size_t before = bytes.size();
  bytes.resize(before + integer_column_trailer_bytes);
  std::uint8_t* const trailer = bytes.data() + before;
  const auto header = build_integer_column_header();
  std::copy_n(header.begin() + integer_column_magic.size(), fields_of_header_bytes, trailer);
  store_little_endian<8>(trailer + 8, column.value_count);
  store_little_endian<8>(trailer + 16, column.null_count);
  store_little_endian<8>(trailer + 24, column.frame.size());
  store_little_endian<8>(trailer + 32, column.validity.size());
  store_little_endian<8>(trailer + 40, column.arrow_format.size());
  store_little_endian<8>(trailer + checked_integer_trailer_bytes,
                         checksum(std::span(bytes).first(before + checked_integer_trailer_bytes)));
  std::copy(integer_column_trailer_magic.begin(), integer_column_trailer_magic.end(), trailer + 56);
  return bytes;
}

}  // namespace gsst::format::tile_integer
