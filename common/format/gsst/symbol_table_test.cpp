#include "common/format/gsst/symbol_table.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/gsst/test_tables.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t count_offset = 1;
constexpr std::size_t flag_offset = 8;
constexpr std::size_t histogram_offset = 9;

SymbolTable every_length() {
  return table_of(
      {"ab", "cde", "fghi", "jklmn", "opqrst", "uvwxyz0", "12345678", "a", std::string_view("\0", 1)});
}

Bytes stored(const SymbolTable& table) {
  Bytes bytes(stored_symbol_table_bytes(table));
  EXPECT_EQ(write_symbol_table(table, bytes), bytes.size());
  return bytes;
}

void expect_round_trip(const SymbolTable& table) {
  Bytes bytes = stored(table);
  const std::size_t table_bytes = bytes.size();
  bytes.push_back(0x77);
  const ParsedSymbolTable parsed = parse_symbol_table(bytes, 0);
  EXPECT_EQ(parsed.table, table);
  EXPECT_EQ(parsed.stored_bytes, table_bytes);
}

TEST(SymbolTable, RoundTripsWithSymbolsOfEveryLength) {
  expect_round_trip(every_length());
}

TEST(SymbolTable, RoundTripsWithoutSymbols) {
  expect_round_trip(SymbolTable{});
  EXPECT_EQ(stored_symbol_table_bytes(SymbolTable{}), symbol_table_header_bytes);
}

TEST(SymbolTable, RoundTripsWithMostSymbolsOfEachLength) {
  for (unsigned length = 1; length <= max_symbol_length; ++length) {
    SCOPED_TRACE(length);
    expect_round_trip(full_table(max_symbol_count, length));
  }
  EXPECT_EQ(stored_symbol_table_bytes(full_table(max_symbol_count, 8)), max_symbol_table_bytes);
}

TEST(SymbolTable, StoresBytesOfSpecification) {
  const Bytes bytes = stored(table_of({"xy", "xyz", "q"}));
  const Bytes expected = {1, 3, 0, 0, 0x0a, 0x14, 0x34, 0x01, 0,   1,   1,  1,
                          0, 0, 0, 0, 0,    'x',  'y',  'x',  'y', 'z', 'q'};
  EXPECT_EQ(bytes, expected);
}

TEST(SymbolTable, SuffixLimitCountsLeadingPairsThatStartNoLongerSymbol) {
  EXPECT_EQ(stored(table_of({"ab", "cd", "ef", "efg", "a"}))[3], 2);
  EXPECT_EQ(stored(table_of({"ab", "abc"}))[3], 0);
  EXPECT_EQ(stored(table_of({"ab", "cd"}))[3], 2);
  EXPECT_EQ(stored(table_of({"abc"}))[3], 0);
}

TEST(SymbolTable, ReaderIgnoresEncoderFields) {
  Bytes bytes = stored(every_length());
  bytes[2] = 0xfe;
  bytes[3] = 0xff;
  EXPECT_EQ(parse_symbol_table(bytes, 0).table, every_length());
}

TEST(SymbolTable, RejectsEveryTruncation) {
  const Bytes bytes = stored(every_length());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    expect_format_error(3, size < symbol_table_header_bytes ? "symbol table" : "symbols",
                        [&] { parse_symbol_table(std::span(bytes).first(size), 3); });
  }
}

TEST(SymbolTable, RejectsEveryOtherEndiannessMark) {
  for (unsigned mark = 0; mark < 256; ++mark) {
    if (mark == 1) continue;
    Bytes bytes = stored(every_length());
    bytes[0] = static_cast<std::uint8_t>(mark);
    expect_format_error(0, "version word", [&] { parse_symbol_table(bytes, 0); });
  }
}

TEST(SymbolTable, RejectsOtherVersionInEachByte) {
  for (std::size_t byte = 4; byte < 8; ++byte) {
    Bytes bytes = stored(every_length());
    bytes[byte] ^= 0x40;
    expect_format_error(std::nullopt, "version word", [&] { parse_symbol_table(bytes, std::nullopt); });
  }
}

TEST(SymbolTable, RejectsEveryZeroTerminatedFlagButZero) {
  for (unsigned flag = 1; flag < 256; ++flag) {
    Bytes bytes = stored(every_length());
    bytes[flag_offset] = static_cast<std::uint8_t>(flag);
    expect_format_error(0, "zero-terminated flag", [&] { parse_symbol_table(bytes, 0); });
  }
}

TEST(SymbolTable, SaysThatZeroTerminatedTablesAreNotSupported) {
  Bytes bytes = stored(every_length());
  bytes[flag_offset] = 1;
  try {
    parse_symbol_table(bytes, 0);
    ADD_FAILURE() << "accepted";
  } catch (const FormatError& error) {
    EXPECT_NE(std::string(error.what()).find("not supported"), std::string::npos) << error.what();
  }
}

TEST(SymbolTable, RejectsHistogramThatIsNotTheCount) {
  for (std::size_t entry = 0; entry < 8; ++entry) {
    for (const int change : {-1, 1}) {
      Bytes bytes = stored(every_length());
      bytes[histogram_offset + entry] = static_cast<std::uint8_t>(bytes[histogram_offset + entry] + change);
      expect_format_error(0, "length histogram", [&] { parse_symbol_table(bytes, 0); });
    }
  }
  Bytes bytes = stored(every_length());
  ++bytes[count_offset];
  expect_format_error(0, "length histogram", [&] { parse_symbol_table(bytes, 0); });
}

TEST(SymbolTable, RejectsHistogramThatIsTheCountOnlyInItsLowestByte) {
  Bytes bytes = stored(SymbolTable{});
  bytes[histogram_offset] = 255;
  bytes[histogram_offset + 1] = 1;
  bytes.resize(bytes.size() + 257);
  expect_format_error(0, "length histogram", [&] { parse_symbol_table(bytes, 0); });
}

TEST(SymbolTable, WriterRefusesLengthsThatCannotBeStored) {
  Bytes bytes(max_symbol_table_bytes);
  SymbolTable table = table_of({"ab", "abc"});
  table.lengths[1] = 0;
  EXPECT_THROW(write_symbol_table(table, bytes), std::invalid_argument);
  table.lengths[1] = 9;
  EXPECT_THROW(write_symbol_table(table, bytes), std::invalid_argument);
}

TEST(SymbolTable, WriterRefusesCodesOutOfStoredOrder) {
  Bytes bytes(max_symbol_table_bytes);
  EXPECT_THROW(write_symbol_table(table_of({"abc", "ab"}), bytes), std::invalid_argument);
  EXPECT_THROW(write_symbol_table(table_of({"a", "ab"}), bytes), std::invalid_argument);
}

TEST(SymbolTable, WriterRefusesOutputThatIsTooSmall) {
  Bytes bytes(stored_symbol_table_bytes(every_length()) - 1);
  EXPECT_THROW(write_symbol_table(every_length(), bytes), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::format
