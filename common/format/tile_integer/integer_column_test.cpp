#include "common/format/tile_integer/integer_column.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/frame/checksum.hpp"

namespace gsst::format::tile_integer {
namespace {

using ColumnBytes = std::vector<std::uint8_t>;

// What is in the frame's place is not looked at.
constexpr std::size_t frame_stand_in_bytes = 5;
constexpr std::size_t after_frame_offset = integer_column_header_bytes + frame_stand_in_bytes;

ColumnBytes integer_column(std::string_view arrow_format, std::uint64_t value_count, std::uint64_t null_count,
                           const ColumnBytes& validity) {
  const auto header = build_integer_column_header();
  ColumnBytes bytes(header.begin(), header.end());
  bytes.resize(after_frame_offset, 0xaa);
  const ColumnBytes end = build_integer_column_end({.arrow_format = arrow_format,
                                                    .values = {},
                                                    .value_count = value_count,
                                                    .null_count = null_count,
                                                    .frame = std::span(bytes).last(frame_stand_in_bytes),
                                                    .validity = validity});
  bytes.insert(bytes.end(), end.begin(), end.end());
  return bytes;
}

// 10 values, of which values 1 and 9 are null.
ColumnBytes column_with_nulls() {
  return integer_column("tdD", 10, 2, {0xfd, 0x01});
}

// The column with `change` made to its trailer, and the right checksum.
template <typename Change>
ColumnBytes with_trailer(ColumnBytes column, const Change& change) {
  std::uint8_t* const trailer = column.data() + column.size() - integer_column_trailer_bytes;
  change(trailer);
  const auto checked =
      std::span(column).first(column.size() - integer_column_trailer_bytes + 48).subspan(after_frame_offset);
  store_little_endian<8>(trailer + 48, checksum(checked));
  return column;
}

void expect_refused(const char* field, const ColumnBytes& column) {
  expect_format_error(std::nullopt, field, [&] { parse_integer_column(column); });
}

TEST(IntegerColumn, GivesTypeAndNullsBack) {
  const ColumnBytes bytes = column_with_nulls();
  const IntegerColumnView view = parse_integer_column(bytes);
  EXPECT_EQ(view.arrow_format, "tdD");
  EXPECT_EQ(view.values, (ColumnValues{4, Type::i32}));
  EXPECT_EQ(view.value_count, 10U);
  EXPECT_EQ(view.null_count, 2U);
  EXPECT_EQ(view.stored_bytes(), 40U);
  EXPECT_EQ(view.frame.size(), frame_stand_in_bytes);
  EXPECT_TRUE(std::ranges::equal(view.validity, ColumnBytes({0xfd, 0x01})));
  EXPECT_TRUE(parse_integer_column(integer_column("L", 0, 0, {})).validity.empty());
}

TEST(IntegerColumn, LastOfSeveralIsFound) {
  const ColumnBytes first = column_with_nulls();
  ColumnBytes both = first;
  const ColumnBytes second = integer_column("l", 3, 0, {});
  both.insert(both.end(), second.begin(), second.end());
  EXPECT_TRUE(ends_with_integer_column_magic(both));
  EXPECT_EQ(last_integer_column_bytes(both), second.size());
  both.resize(first.size());
  EXPECT_EQ(last_integer_column_bytes(both), first.size());
  expect_format_error(std::nullopt, "column frame bytes", [&] {
    last_integer_column_bytes(
        std::span(both).last(integer_column_header_bytes + integer_column_trailer_bytes));
  });
  both[0] = 0;
  expect_format_error(std::nullopt, "column magic", [&] { last_integer_column_bytes(both); });
  expect_format_error(std::nullopt, "column",
                      [&] { last_integer_column_bytes(std::span(both).last(integer_column_trailer_bytes)); });
}

TEST(IntegerColumn, TypesOfArrow) {
  const auto expect_values = [](std::string_view arrow_format, std::uint32_t bytes, Type stored) {
    const auto values = column_values(arrow_format);
    ASSERT_TRUE(values) << arrow_format;
    EXPECT_EQ(*values, (ColumnValues{bytes, stored})) << arrow_format;
  };
  expect_values("c", 1, Type::i8);
  expect_values("C", 1, Type::i16);
  expect_values("S", 2, Type::i32);
  expect_values("I", 4, Type::u32);
  expect_values("ttm", 4, Type::i32);
  expect_values("tDn", 8, Type::i64);
  expect_values("tss:", 8, Type::i64);
  expect_values("tsn:America/New_York", 8, Type::i64);
  expect_values("d:18,-3", 16, Type::i64);
  expect_values("d:1,0,128", 16, Type::i64);
  expect_values("d:18,2,64", 8, Type::i64);
  expect_values("d:9,2,32", 4, Type::i32);
  for (const char* const none :
       {"",       "b",           "e",      "f",         "g",         "u",         "tiM",
        "tdx",    "tss",         "d:",     "d:18",      "d:18,",     "d:19,0",    "d:0,0",
        "d:-1,0", "d:5,x",       "d:5,2,", "d:5,2,256", "d:10,2,32", "d:5,2,64,", "d:99999999999,0",
        "tsu:\n", "tsu:\xc3\xa9"}) {
    EXPECT_FALSE(column_values(none)) << none;
  }
  EXPECT_TRUE(column_values("tss:" + std::string(251, 'x')));
  EXPECT_FALSE(column_values("tss:" + std::string(252, 'x')));
}

TEST(IntegerColumn, DamageIsNamed) {
  const ColumnBytes whole = column_with_nulls();
  const auto with_byte = [&](std::size_t place, std::uint8_t value) {
    ColumnBytes changed = whole;
    changed[place] = value;
    return changed;
  };
  expect_refused("column magic", with_byte(0, 0));
  expect_refused("column version", with_byte(8, 2));
  expect_refused("column header reserved bytes", with_byte(15, 1));
  expect_refused("column trailer magic", with_byte(whole.size() - 1, 0));
  expect_refused("column checksum", with_byte(after_frame_offset, 0xfc));
  expect_refused("column", {whole.begin(), whole.begin() + 79});
  expect_refused("column trailer magic", {whole.begin(), whole.end() - 1});

  const auto with_number = [&](std::size_t field, std::uint64_t number) {
    return with_trailer(whole,
                        [&](std::uint8_t* trailer) { store_little_endian<8>(trailer + field, number); });
  };
  constexpr std::uint64_t huge = ~std::uint64_t{0};
  expect_refused("column trailer copy of the header", with_number(0, 2));
  expect_refused("bytes of nulls", with_number(8, 17));
  expect_refused("bytes of nulls", with_number(8, 8));
  expect_refused("null count", with_number(8, 11));
  expect_refused("value count", with_number(8, huge));
  expect_refused("null count", with_number(16, 1));
  expect_refused("bytes of nulls", with_number(16, 0));
  expect_refused("column frame bytes", with_number(24, huge));
  expect_refused("bytes before the column trailer", with_number(24, 4));
  expect_refused("bytes of nulls", with_number(32, huge));
  expect_refused("bytes of the type", with_number(40, huge));
  expect_refused("bytes before the column trailer", with_number(40, 2));
  expect_refused("column type", integer_column("g", 10, 2, {0xfd, 0x01}));
  expect_refused("nulls", integer_column("i", 10, 2, {0xfd, 0x05}));
  expect_refused("null count", integer_column("i", 0, 1, {}));
  expect_refused("null count", integer_column("i", 10, 1, {0xfd, 0x01}));
}

TEST(IntegerColumn, FrameMustHoldTheValues) {
  const ColumnBytes bytes = column_with_nulls();
  const IntegerColumnView view = parse_integer_column(bytes);
  check_integer_column_frame(view, rfor_format, 40);
  expect_format_error(std::nullopt, "value count", [&] { check_integer_column_frame(view, for_format, 44); });
  expect_format_error(std::nullopt, "format id", [&] { check_integer_column_frame(view, ifor_format, 40); });
}

}  // namespace
}  // namespace gsst::format::tile_integer
