#include "common/format/gsst/string_column.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;
// Nothing is a null.
using Lengths = std::vector<std::optional<std::uint64_t>>;

constexpr ColumnType narrow_text{.kind = StringKind::text, .offset_width = 4};
// What stands in the frame's place is not looked at.
constexpr std::size_t made_up_frame_bytes = 3;
constexpr std::size_t groups_offset = column_header_bytes + made_up_frame_bytes;

Bytes column_of(const Lengths& lengths, const ColumnType& type = narrow_text) {
  const auto header = build_column_header(type);
  Bytes bytes(header.begin(), header.end());
  bytes.resize(bytes.size() + made_up_frame_bytes, 0xaa);
  StringColumnWriter writer(type);
  for (const auto& length : lengths) {
    if (length) {
      writer.add_string(*length);
    } else {
      writer.add_null();
    }
  }
  const Bytes end = writer.finish(made_up_frame_bytes);
  bytes.insert(bytes.end(), end.begin(), end.end());
  return bytes;
}

// Makes the checksum right again.
void store_checksum(Bytes& column) {
  const std::size_t place = column.size() - column_trailer_bytes + 40;
  const auto checked = std::span(column).subspan(groups_offset, place - groups_offset);
  store_little_endian<8>(column.data() + place, checksum(checked));
}

void expect_strings(const Lengths& lengths, const ColumnType& type = narrow_text) {
  const Bytes bytes = column_of(lengths, type);
  const StringColumnView view = parse_string_column(bytes);
  EXPECT_EQ(view.type, type);
  ASSERT_EQ(view.string_count, lengths.size());
  EXPECT_EQ(view.frame.size(), made_up_frame_bytes);
  std::uint64_t nulls = 0;
  std::uint64_t end = 0;
  for (std::uint64_t string = 0; string < lengths.size(); ++string) {
    const StringGroup group = view.group(string / strings_per_group);
    const auto in_group = static_cast<std::uint32_t>(string % strings_per_group);
    if (in_group == 0) {
      EXPECT_EQ(group.first_byte(), end);
    }
    ASSERT_EQ(group.length(in_group), lengths[string].value_or(0)) << string;
    ASSERT_EQ(group.is_null(in_group), !lengths[string]) << string;
    nulls += lengths[string] ? 0 : 1;
    end += lengths[string].value_or(0);
  }
  EXPECT_EQ(view.null_count, nulls);
  EXPECT_EQ(view.string_bytes, end);
}

TEST(StringColumn, GivesLengthsAndNullsBack) {
  expect_strings({});
  expect_strings({0});
  expect_strings({std::nullopt});
  expect_strings({5, std::nullopt, 0, 300, 7});
  for (const std::size_t count : {1023UL, 1024UL, 1025UL, 3000UL}) {
    Lengths lengths(count, 27);
    expect_strings(lengths);
    for (std::size_t i = 0; i < count; i += 3) lengths[i] = i % 200;
    expect_strings(lengths);
    lengths[count - 1] = std::nullopt;
    expect_strings(lengths);
  }
}

TEST(StringColumn, EveryNumberOfBitsIsPacked) {
  for (unsigned bits = 0; bits <= 32; ++bits) {
    const std::uint64_t longest = (std::uint64_t{1} << bits) - 1;
    Lengths lengths;
    for (std::uint64_t i = 0; i < 20; ++i) lengths.emplace_back(i % 3 == 0 ? longest : longest / (i + 1));
    expect_strings(lengths, {.kind = StringKind::bytes, .offset_width = 8});
  }
}

TEST(StringColumn, LengthsThatAreAlikeTakeNoBits) {
  const std::size_t around = column_header_bytes + made_up_frame_bytes + column_trailer_bytes;
  EXPECT_EQ(column_of(Lengths(1024, 27)).size(), around + group_entry_bytes);
  Lengths lengths(1024, 27);
  lengths[0] = 26;
  EXPECT_EQ(column_of(lengths).size(), around + group_entry_bytes + 1024 / 8);
}

TEST(StringColumn, TooLongStringsAreRefusedByTheWriter) {
  constexpr std::uint64_t too_long = std::uint64_t{1} << 32;
  EXPECT_THROW(column_of({too_long}, {.kind = StringKind::text, .offset_width = 8}), std::length_error);
  EXPECT_THROW(column_of({max_narrow_string_bytes, 1}), std::length_error);
  EXPECT_NO_THROW(column_of({max_narrow_string_bytes, 0}));
}

// What one byte of a column damages, with a checksum that is right again.
struct Damage {
  const char* field;
  // From the first byte of the groups; before them for a header, behind them for a trailer.
  std::ptrdiff_t position;
  std::uint8_t value;
};

TEST(StringColumn, DamageIsNamed) {
  // Two groups: 24 + 24 bytes of entries; then 128 * 6 bits of lengths and 128 bytes of nulls; then 1 length.
  Lengths lengths(1025, 40);
  for (std::size_t i = 0; i < 1024; i += 2) lengths[i] = i % 38;
  lengths[0] = std::nullopt;
  const Bytes column = column_of(lengths);
  const auto groups = static_cast<std::ptrdiff_t>(groups_offset);
  const auto trailer = static_cast<std::ptrdiff_t>(column.size() - column_trailer_bytes) - groups;
  const std::vector<Damage> damages = {
      {"group 0 first byte", 0, 1},
      {"group 0 data offset", 8, 49},
      {"group 0 first byte", 7, 255},
      {"group 0 lengths", 16, 1},
      {"group 0 length bits", 20, 33},
      {"group 0 null flag", 21, 2},
      {"group 0 reserved bytes", 22, 1},
      {"group 1 first byte", 24, 0},
      {"group 1 data offset", 24 + 8, 1},
      {"group 0 lengths", 48 + 768, 0},
      {"group 0 null flag", 48 + 768, 255},
      {"null count", trailer + 16, 2},
      {"bytes of the groups", trailer + 32, 0},
      {"column frame bytes", trailer + 31, 255},
      {"bytes of the groups", trailer + 24, 255},
      {"string count", trailer + 15, 255},
      {"column trailer copy of the header", trailer + 1, 2},
      {"column trailer magic", trailer + 55, 0},
      {"column magic", -groups, 0},
      {"column version", 8 - groups, 2},
      {"string kind", 9 - groups, 3},
      {"offset width", 10 - groups, 5},
      {"column header reserved bytes", 15 - groups, 1},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(std::string(damage.field) + " at " + std::to_string(damage.position));
    Bytes damaged = column;
    std::uint8_t& byte = damaged[static_cast<std::size_t>(groups + damage.position)];
    ASSERT_NE(byte, damage.value);
    byte = damage.value;
    store_checksum(damaged);
    expect_format_error(std::nullopt, damage.field, [&] { parse_string_column(damaged); });
  }
}

TEST(StringColumn, BitsBehindTheLastOneAreZero) {
  const Bytes column = column_of({1, 2, std::nullopt});
  const std::size_t trailer = column.size() - column_trailer_bytes;
  // Three lengths of two bits, then three bits for the null.
  for (const std::size_t position : {trailer - 2, trailer - 1}) {
    Bytes damaged = column;
    damaged[position] |= 0x80;
    store_checksum(damaged);
    expect_format_error(std::nullopt, "group 0 data", [&] { parse_string_column(damaged); });
  }
}

// 24 bytes say that 1024 strings have 2^32 - 1 bytes each: their sum must not exceed 64 bits.
TEST(StringColumn, SumsThatNoFrameHoldsAreRefused) {
  constexpr ColumnType wide{.kind = StringKind::bytes, .offset_width = 8};
  constexpr std::uint64_t longest = 0xffffffff;
  constexpr std::uint64_t groups = max_string_bytes / (longest * strings_per_group) + 1;
  const auto header = build_column_header(wide);
  Bytes column(header.begin(), header.end());
  column.resize(column.size() + made_up_frame_bytes + groups * group_entry_bytes + column_trailer_bytes);
  for (std::uint64_t group = 0; group < groups; ++group) {
    std::uint8_t* const entry = column.data() + groups_offset + group * group_entry_bytes;
    store_little_endian<8>(entry, group * longest * strings_per_group);
    store_little_endian<8>(entry + 8, groups * group_entry_bytes);
    store_little_endian<4>(entry + 16, longest);
  }
  std::uint8_t* const trailer = column.data() + column.size() - column_trailer_bytes;
  std::copy(header.begin() + 8, header.end(), trailer);
  store_little_endian<8>(trailer + 8, groups * strings_per_group);
  store_little_endian<8>(trailer + 24, made_up_frame_bytes);
  store_little_endian<8>(trailer + 32, groups * group_entry_bytes);
  std::copy(column_trailer_magic.begin(), column_trailer_magic.end(), trailer + 48);
  store_checksum(column);
  expect_format_error(std::nullopt, "string lengths", [&] { parse_string_column(column); });
}

TEST(StringColumn, EveryByteOutsideOfTheFrameIsChecked) {
  const Bytes column = column_of({1, 2, std::nullopt, 4});
  for (std::size_t position = 0; position < column.size(); ++position) {
    if (position >= column_header_bytes && position < column_header_bytes + made_up_frame_bytes) continue;
    Bytes damaged = column;
    damaged[position] ^= 0x41;
    EXPECT_THROW(parse_string_column(damaged), FormatError) << position;
  }
  for (std::size_t size = 0; size < column.size(); ++size) {
    EXPECT_THROW(parse_string_column(std::span(column).first(size)), FormatError) << size;
  }
  Bytes longer = column;
  longer.push_back(0);
  EXPECT_THROW(parse_string_column(longer), FormatError);
}

TEST(StringColumn, PartsAreFoundFromTheEnd) {
  const Bytes first = column_of({5, std::nullopt, 70000});
  const Bytes second = column_of({});
  Bytes both = first;
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_EQ(last_column_bytes(both), second.size());
  EXPECT_EQ(last_column_bytes(std::span(both).first(first.size())), first.size());

  const auto expect_refused = [](const Bytes& bytes, const char* field) {
    expect_format_error(std::nullopt, field, [&] { last_column_bytes(bytes); });
  };
  const auto with_trailer_field = [&](std::size_t offset, std::uint64_t value) {
    Bytes changed = both;
    store_little_endian<8>(changed.data() + changed.size() - column_trailer_bytes + offset, value);
    return changed;
  };
  expect_refused(Bytes(71), "column");
  expect_refused(Bytes(both.begin(), both.end() - 1), "column trailer magic");
  expect_refused(with_trailer_field(24, both.size()), "column frame bytes");
  expect_refused(with_trailer_field(32, UINT64_MAX), "bytes of the groups");
  expect_refused(with_trailer_field(24, made_up_frame_bytes + 1), "column magic");
}

TEST(StringColumn, LengthsMustBeThoseOfTheFrame) {
  const Bytes column = column_of({3, 4});
  const StringColumnView view = parse_string_column(column);
  EXPECT_NO_THROW(check_column_frame(view, 7));
  expect_format_error(std::nullopt, "string lengths", [&] { check_column_frame(view, 8); });
}

}  // namespace
}  // namespace gsst::format
