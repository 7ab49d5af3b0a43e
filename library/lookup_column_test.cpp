#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/frame/checksum.hpp"
#include "gsst/lookup.hpp"
#include "library/columns_in_tests.hpp"
#include "library/foreign_array.hpp"
#include "library/lookup_column.hpp"
#include "library/lookup_column_writer.hpp"
#include "reference_cpu/test_inputs.hpp"

// Columns in the layout for lookups: the strings come back, and what is damaged is named.
namespace gsst::library::lookup_columns {
namespace {

using test::as_column;
using test::Bytes;
using test::bytes_of;
using test::Column;
using test::read_each;

constexpr ColumnOptions for_lookups{.layout = ColumnLayout::lookup};

Column column_of(const Strings& strings, const CompressOptions& options, const char* type = "u") {
  const ForeignArray foreign(type, strings);
  auto column = compress_column(foreign.schema, foreign.array, options, for_lookups);
  EXPECT_TRUE(column) << column.failure().message;
  return column ? std::move(column).value() : Column();
}

std::vector<CompressOptions> frames() {
  // Format::automatic is splits in this layout.
  return {{.format = Format::automatic, .block_bytes = 5'000, .splits = 3},
          {.format = Format::blocks, .block_bytes = 5'000},
          {.format = Format::splits, .block_bytes = 5'000, .splits = 7},
          {.format = Format::splits, .block_bytes = 300, .splits = 64},
          {.format = Format::splits, .block_bytes = 20'000, .splits = 5, .level = 3},
          {.format = Format::blocks, .checksum = Checksum::xxh64_tree}};
}

// Text, bytes that no symbol has, nulls, empty ones, one longer than blocks.
Strings mixed_strings(std::size_t count) {
  const Bytes text = reference::test::make_text(count * 40, 1);
  const Bytes random = reference::test::make_random(count * 40, 2);
  return test::mixed_strings_of(count, text, random);
}

TEST(LookupColumn, EveryFrameGivesTheStringsBack) {
  const Strings strings = mixed_strings(2'500);
  for (const CompressOptions& frame : frames()) {
    for (const char* const type : {"u", "Z"}) {
      const Column column = column_of(strings, frame, type);
      for (const bool skips_checksums : {false, true}) {
        const auto found = read_each(column, skips_checksums);
        ASSERT_TRUE(found) << found.failure().message;
        EXPECT_EQ(found.value(), strings);
      }
    }
  }
}

TEST(LookupColumn, AwkwardColumnsComeBack) {
  for (const Strings& strings :
       {Strings{}, Strings{""}, Strings{std::nullopt}, Strings{"a"}, Strings(3'000, std::nullopt),
        Strings(1'024, "same"), Strings(1'025, ""), Strings{"", std::nullopt, "x", "", std::string(900, 'y')},
        Strings{std::string(300, '\xff'), "\xff", ""}, mixed_strings(9), mixed_strings(8)}) {
    for (const CompressOptions& frame : frames()) {
      const auto found = read_each(column_of(strings, frame), false);
      ASSERT_TRUE(found) << found.failure().message;
      EXPECT_EQ(found.value(), strings);
    }
  }
}

TEST(LookupColumn, TheFrameIsAnOrdinaryOne) {
  const Strings strings = mixed_strings(3'000);
  std::string all;
  for (const auto& string : strings) all += string.value_or("");
  for (const CompressOptions& frame : frames()) {
    const Column column = column_of(strings, frame);
    const auto plan = gsst::ColumnPlan::create(column);
    const auto whole = decompress(plan.value().frame());
    ASSERT_TRUE(whole) << whole.failure().message;
    ASSERT_EQ(whole.value().size(), all.size());
    EXPECT_EQ(std::memcmp(whole.value().data(), all.data(), all.size()), 0);
    const std::vector<std::uint64_t> numbers = {2'998, 5, 0, 3, 10, 41, 5, 1'024, 1'023, 2'048, 1'000};
    const auto found = plan.value().ranges(numbers);
    ASSERT_TRUE(found);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Range& range = found.value().ranges[i];
      EXPECT_EQ(all.substr(range.offset, range.bytes), strings[numbers[i]].value_or(""));
      EXPECT_EQ(found.value().nulls[i], strings[numbers[i]] ? 0 : 1);
    }
  }
}

TEST(LookupColumn, ThreadsAndBytesOfNullsDoNotChangeIt) {
  const Strings strings = mixed_strings(2'000);
  const CompressOptions options{.format = Format::splits, .block_bytes = 3'000, .splits = 4};
  const Column column = column_of(strings, options);
  CompressOptions on_threads = options;
  on_threads.threads = 3;
  EXPECT_EQ(column_of(strings, on_threads), column);
  const ForeignArray foreign("u", strings, "what nobody sees");
  EXPECT_EQ(compress_column(foreign.schema, foreign.array, options, for_lookups).value(), column);
}

TEST(LookupColumn, InfoSaysTheLayout) {
  const Strings strings = mixed_strings(100);
  const Column column = column_of(strings, {});
  const ColumnInfo info = gsst::ColumnPlan::create(column).value().info();
  EXPECT_EQ(info.layout, GSST_COLUMN_LOOKUP);
  EXPECT_EQ(info.string_count, 100);
  const ForeignArray foreign("u", strings);
  const Column dense = compress_column(foreign.schema, foreign.array).value();
  EXPECT_EQ(gsst::ColumnPlan::create(dense).value().info().layout, GSST_COLUMN_DENSE);
  EXPECT_LT(dense.size(), column.size());

  gsst_column_info old{};
  old.struct_bytes = 56;
  old.layout = 77;
  gsst_column_plan* plan = nullptr;
  ASSERT_EQ(gsst_column_plan_create(column.data(), column.size(), nullptr, &plan, nullptr), GSST_OK);
  EXPECT_EQ(gsst_column_plan_info(plan, &old), GSST_OK);
  EXPECT_EQ(old.layout, 77);
  gsst_column_plan_destroy(plan);
}

TEST(LookupColumn, OptionsThatItDoesNotHaveAreRefused) {
  const ForeignArray foreign("u", {"a"});
  for (const Format format : {Format::coalesced, Format::tiles, Format::fsst}) {
    const auto column = compress_column(foreign.schema, foreign.array, {.format = format}, for_lookups);
    ASSERT_FALSE(column);
    EXPECT_EQ(column.failure().error, Error::invalid_argument);
    EXPECT_NE(column.failure().message.find("layout for lookups"), std::string::npos);
  }
  gsst_column_options options{
      .struct_bytes = sizeof(options), .layout = 4, .has_separator = 0, .separator = 0};
  gsst_column_compress_plan* plan = nullptr;
  gsst_message message;
  const auto create = [&] {
    return gsst_column_compress_plan_create_with(&foreign.schema, &foreign.array, nullptr, &options, &plan,
                                                 &message);
  };
  EXPECT_EQ(create(), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(message.text), "column_options: layout is 4, which is no gsst_column_layout");
  options.struct_bytes = 4;
  EXPECT_EQ(create(), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(gsst_column_compress_plan_create_with(&foreign.schema, &foreign.array, nullptr, nullptr, nullptr,
                                                  &message),
            GSST_ERROR_NULL_POINTER);
  for (const std::uint32_t layout : {0U, 1U, 2U, 3U}) {
    options.struct_bytes = sizeof(options);
    options.layout = layout;
    EXPECT_EQ(create(), GSST_OK) << message.text;
    gsst_column_compress_plan_destroy(plan);
  }
}

// Makes the checksum of the groups right again.
void repair(Bytes& column) {
  const LookupColumnView view = [&] {
    LookupColumnView found{};
    const std::uint8_t* const trailer = column.data() + column.size() - format::column_trailer_bytes;
    found.frame =
        std::span(column).subspan(format::column_header_bytes, format::load_little_endian<8>(trailer + 24));
    return found;
  }();
  const std::size_t begin = format::column_header_bytes + view.frame.size();
  const std::size_t place = column.size() - format::column_trailer_bytes + 40;
  format::store_little_endian<8>(column.data() + place,
                                 format::checksum(std::span(column).subspan(begin, place - begin)));
}

struct Damage {
  const char* field;
  // From the first byte of the groups.
  std::ptrdiff_t position;
  std::uint8_t value;
};

TEST(LookupColumn, DamageIsNamed) {
  Strings strings(1'030, "the same bytes");
  for (std::size_t i = 0; i < 1'024; i += 2) strings[i] = std::string(i % 30, 'a');
  strings[1'026].reset();
  const Bytes column = bytes_of(column_of(strings, {.format = Format::blocks}));
  const LookupColumnView view = parse_lookup_column(column);
  const std::ptrdiff_t groups = view.groups.data() - column.data();
  const auto end = static_cast<std::ptrdiff_t>(view.groups.size());
  const LookupEntry first = view.entry(0);
  const auto second_record = static_cast<std::ptrdiff_t>(first.data_offset + first.widths.record_bytes());
  const std::vector<Damage> damages = {
      {"group 0 first byte", 0, 1},       {"group 0 data offset", 8, 81},
      {"group 0 first code", 16, 1},      {"group 0 code ends", 27, 0x7f},
      {"group 0 byte bits", 32, 49},      {"group 0 code bits", 33, 58},
      {"group 0 length bits", 34, 255},   {"group 0 step bits", 35, 58},
      {"group 0 null flag", 36, 2},       {"group 0 reserved bytes", 39, 1},
      {"group 1 first byte", 40, 0},      {"group 1 data offset", 48, 0},
      {"group 1 first code", 56, 0},      {"group 1 null flag", 40 + 36, 2},
      {"group 1 lengths", end - 1, 0x80}, {"group 0 record byte", second_record, 0x55},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(std::string(damage.field) + " at " + std::to_string(damage.position));
    Bytes damaged = column;
    std::uint8_t& byte = damaged[static_cast<std::size_t>(groups + damage.position)];
    ASSERT_NE(byte, damage.value);
    byte = damage.value;
    repair(damaged);
    const auto plan = gsst::ColumnPlan::create(as_column(damaged));
    ASSERT_FALSE(plan);
    EXPECT_EQ(plan.failure().error, Error::damaged);
    EXPECT_TRUE(plan.failure().message.starts_with(damage.field)) << plan.failure().message;
  }
}

TEST(LookupColumn, OtherLayoutsAndVersionsAreRefusedAsSuch) {
  Bytes column = bytes_of(column_of({"a"}, {}));
  const auto error_with = [&](std::size_t position, std::uint8_t value) {
    Bytes changed = column;
    changed[position] = value;
    return gsst::ColumnPlan::create(as_column(changed)).failure();
  };
  EXPECT_EQ(error_with(8, 4).error, Error::unsupported_version);
  EXPECT_EQ(error_with(11, 2).error, Error::unsupported_version);
  EXPECT_EQ(error_with(11, 2).message, "column layout: is 2, this library knows 1");
  EXPECT_EQ(error_with(12, 1).error, Error::damaged);
  // As a reader of the dense layout alone meets it.
  EXPECT_EQ(error_with(8, 1).error, Error::damaged);
}

// The column with the code end of one string moved, and everything else right.
Bytes with_moved_code_end(const Bytes& column, std::uint64_t moved, std::int64_t by) {
  const LookupColumnView view = parse_lookup_column(column);
  LookupColumnWriter writer(view.type);
  for (std::uint64_t number = 0; number < view.string_count; ++number) {
    const CodedString string = view.string(number);
    const std::uint64_t end = string.code_end + (number == moved ? static_cast<std::uint64_t>(by) : 0);
    writer.add_string(static_cast<std::uint32_t>(string.place.bytes), end);
  }
  Bytes changed(column.begin(), view.frame.data() + view.frame.size() - column.data() + column.begin());
  const Bytes end = writer.finish(view.frame.size());
  changed.insert(changed.end(), end.begin(), end.end());
  return changed;
}

TEST(LookupColumn, CodeEndsThatAreWrongAreErrorsOfTheirBlock) {
  const Bytes text = reference::test::make_text(20'000, 1);
  const Bytes random = reference::test::make_random(20'000, 2);
  for (const Bytes& source : {text, random}) {
    Strings strings;
    for (std::size_t at = 0; at < 20'000; at += 50) {
      strings.emplace_back(std::string(source.begin() + static_cast<std::ptrdiff_t>(at),
                                       source.begin() + static_cast<std::ptrdiff_t>(at + 50)));
    }
    // Two blocks, the second of which starts with string 200.
    const Bytes column = bytes_of(column_of(strings, {.format = Format::blocks, .block_bytes = 10'000}, "z"));
    for (const std::uint64_t moved : {0U, 7U, 199U, 200U, 250U, 399U}) {
      for (const std::int64_t by : {-1, 1, -2, 2}) {
        SCOPED_TRACE(std::to_string(moved) + " by " + std::to_string(by));
        const Bytes changed = with_moved_code_end(column, moved, by);
        const std::string block = moved < 200 ? "block 0" : "block 1";
        const auto found = read_each(as_column(changed), false);
        ASSERT_FALSE(found);
        EXPECT_EQ(found.failure().error, Error::damaged);
        EXPECT_NE(found.failure().message.find(block), std::string::npos) << found.failure().message;
        EXPECT_NE(found.failure().message.find("code end"), std::string::npos) << found.failure().message;
        // Without checksums what is read is refused, or has its number of bytes.
        const auto unchecked = read_each(as_column(changed), true);
        if (!unchecked) {
          EXPECT_NE(unchecked.failure().message.find("code end"), std::string::npos);
          continue;
        }
        for (std::size_t i = 0; i < strings.size(); ++i) {
          EXPECT_EQ(unchecked.value()[i]->size(), strings[i]->size());
        }
      }
    }
  }
}

TEST(LookupColumn, EveryDamagedByteIsSeenOrHarmless) {
  const Strings strings = mixed_strings(60);
  for (const CompressOptions& frame : {frames()[1], frames()[4]}) {
    const Bytes column = bytes_of(column_of(strings, frame));
    for (std::size_t position = 0; position < column.size(); ++position) {
      SCOPED_TRACE(position);
      for (const bool repairs : {false, true}) {
        Bytes damaged = column;
        damaged[position] ^= 0x41;
        if (repairs && position + 32 < column.size()) repair(damaged);
        const auto found = read_each(as_column(damaged), false);
        if (!found) {
          EXPECT_NE(found.failure().error, Error::internal) << found.failure().message;
          continue;
        }
        // Unused fields of a symbol table, and what a column says of its kind, may be anything.
        EXPECT_EQ(found.value(), strings);
      }
      Bytes damaged = column;
      damaged[position] ^= 0x41;
      const auto unchecked = read_each(as_column(damaged), true);
      if (!unchecked) {
        EXPECT_NE(unchecked.failure().error, Error::internal) << unchecked.failure().message;
      }
    }
    for (std::size_t size = 0; size < column.size(); ++size) {
      EXPECT_FALSE(gsst::ColumnPlan::create(as_column(column).first(size)));
    }
  }
}

}  // namespace
}  // namespace gsst::library::lookup_columns
