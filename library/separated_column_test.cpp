#include "library/separated_column.hpp"

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
#include "reference_cpu/test_inputs.hpp"

// Columns with a separator: the strings come back without it, and what is damaged is named.
namespace gsst::library::separated_columns {
namespace {

using test::as_column;
using test::Bytes;
using test::bytes_of;
using test::Column;
using test::read_each;

constexpr std::uint8_t separator = '\n';
constexpr ColumnOptions with_separator{.separator = separator};

Result<Column> try_column(const Strings& strings, const CompressOptions& options,
                          const ColumnOptions& column_options = with_separator, const char* type = "u") {
  const ForeignArray foreign(type, strings);
  return compress_column(foreign.schema, foreign.array, options, column_options);
}

Column column_of(const Strings& strings, const CompressOptions& options, const char* type = "u") {
  auto column = try_column(strings, options, with_separator, type);
  EXPECT_TRUE(column) << column.failure().message;
  return column ? std::move(column).value() : Column();
}

Strings strings_of(OwnedArray& owned) {
  const ArrowArray& array = owned.array();
  const auto* const validity = static_cast<const std::uint8_t*>(array.buffers[0]);
  const auto* const data = static_cast<const char*>(array.buffers[2]);
  const std::string format = owned.schema().format;
  const bool is_wide = format == "U" || format == "Z";
  const auto offset = [&](std::size_t place) {
    return is_wide ? static_cast<const std::int64_t*>(array.buffers[1])[place]
                   : std::int64_t{static_cast<const std::int32_t*>(array.buffers[1])[place]};
  };
  Strings strings;
  for (std::size_t i = 0; i < static_cast<std::size_t>(array.length); ++i) {
    strings.emplace_back();
    if (validity != nullptr && (validity[i / 8] >> (i % 8) & 1) == 0) continue;
    strings.back() = std::string(data + offset(i), data + offset(i + 1));
  }
  return strings;
}

// All strings as one array.
Result<Strings> read_all(std::span<const std::byte> column, const DecompressOptions& options = {}) {
  const auto plan = gsst::ColumnPlan::create(column, options);
  if (!plan) return plan.failure();
  auto array = plan.value().decompress(0, plan.value().info().string_count);
  if (!array) return array.failure();
  return strings_of(*array);
}

std::vector<CompressOptions> frames() {
  return {{.format = Format::automatic},
          {.format = Format::tiles, .block_bytes = 5'000, .level = 3},
          {.format = Format::blocks, .block_bytes = 301},
          {.format = Format::splits, .block_bytes = 5'000, .splits = 7, .checksum = Checksum::xxh64_tree},
          {.format = Format::coalesced, .block_bytes = 5'000, .splits = 3}};
}

// Text, bytes that no symbol has, nulls, empty ones, one longer than blocks. None holds the separator.
Strings mixed_strings(std::size_t count) {
  Bytes text = reference::test::make_text(count * 40 + 13'000, 1);
  Bytes random = reference::test::make_random(count * 40, 2);
  for (Bytes* const source : {&text, &random}) std::ranges::replace(*source, separator, std::uint8_t{'.'});
  return test::mixed_strings_of(count, text, random);
}

std::string text_of(const Strings& strings) {
  std::string text;
  for (const auto& string : strings) text += string.value_or("") + static_cast<char>(separator);
  return text;
}

TEST(SeparatedColumn, EveryFrameGivesTheStringsBack) {
  const Strings strings = mixed_strings(2'500);
  for (const CompressOptions& frame : frames()) {
    for (const char* const type : {"u", "Z"}) {
      const Column column = column_of(strings, frame, type);
      for (const DecompressOptions& options :
           {DecompressOptions{}, DecompressOptions{.threads = 3, .skip_checksums = true}}) {
        const auto found = read_all(column, options);
        ASSERT_TRUE(found) << found.failure().message;
        EXPECT_EQ(found.value(), strings);
      }
      const auto each = read_each(column);
      ASSERT_TRUE(each) << each.failure().message;
      EXPECT_EQ(each.value(), strings);
    }
  }
}

TEST(SeparatedColumn, AwkwardColumnsComeBack) {
  for (const Strings& strings :
       {Strings{}, Strings{""}, Strings{std::nullopt}, Strings{"a"}, Strings(3'000, std::nullopt),
        Strings(1'024, "same"), Strings(1'025, ""), Strings{"", std::nullopt, "x", "", std::string(900, 'y')},
        Strings{std::string(300, '\xff'), "\xff", ""}, mixed_strings(9)}) {
    for (const CompressOptions& frame : frames()) {
      const Column column = column_of(strings, frame);
      const auto found = read_all(column);
      ASSERT_TRUE(found) << found.failure().message;
      EXPECT_EQ(found.value(), strings);
      EXPECT_EQ(read_each(column).value(), strings);
    }
  }
}

TEST(SeparatedColumn, AnyByteCanBeTheSeparator) {
  for (const unsigned byte : {0U, 1U, 127U, 128U, 255U}) {
    const ColumnOptions options{.separator = static_cast<std::uint8_t>(byte)};
    const auto column = try_column({"ab", "", std::nullopt, "c"}, {}, options);
    ASSERT_TRUE(column) << column.failure().message;
    EXPECT_EQ(read_all(column.value()).value(), (Strings{"ab", "", std::nullopt, "c"}));
    const ColumnInfo info = gsst::ColumnPlan::create(column.value()).value().info();
    EXPECT_EQ(info.has_separator, 1);
    EXPECT_EQ(info.separator, byte);
  }
}

TEST(SeparatedColumn, SomeStringsAreThoseOfTheWholeColumn) {
  const Strings strings = mixed_strings(3'000);
  const Column column = column_of(strings, frames()[1]);
  const auto plan = gsst::ColumnPlan::create(column);
  for (const auto& [first, count] :
       {std::pair(0U, 1U), {1U, 2'999U}, {1'020U, 10U}, {2'999U, 1U}, {7U, 0U}}) {
    auto array = plan.value().decompress(first, count);
    ASSERT_TRUE(array) << array.failure().message;
    EXPECT_EQ(strings_of(*array), Strings(strings.begin() + first, strings.begin() + first + count));
  }
  const std::vector<std::uint64_t> numbers = {2'998, 5, 0, 3, 10, 41, 5, 1'024, 1'023, 2'048, 1'000};
  auto taken = plan.value().take(numbers);
  ASSERT_TRUE(taken) << taken.failure().message;
  Strings expected;
  for (const std::uint64_t number : numbers) expected.push_back(strings[number]);
  EXPECT_EQ(strings_of(*taken), expected);
}

TEST(SeparatedColumn, TheFrameHasTheSeparatorAfterEachString) {
  const Strings strings = mixed_strings(3'000);
  const std::string text = text_of(strings);
  for (const CompressOptions& frame : frames()) {
    const Column column = column_of(strings, frame);
    const auto plan = gsst::ColumnPlan::create(column);
    const auto whole = decompress(plan.value().frame());
    ASSERT_TRUE(whole) << whole.failure().message;
    ASSERT_EQ(whole.value().size(), text.size());
    EXPECT_EQ(std::memcmp(whole.value().data(), text.data(), text.size()), 0);
    const std::vector<std::uint64_t> numbers = {2'998, 5, 0, 3, 10, 41, 5, 1'024, 1'023, 2'048, 1'000};
    const auto found = plan.value().ranges(numbers);
    ASSERT_TRUE(found);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const Range& range = found.value().ranges[i];
      EXPECT_EQ(text.substr(range.offset, range.bytes), strings[numbers[i]].value_or(""));
      EXPECT_EQ(text[range.offset + range.bytes], '\n');
      EXPECT_EQ(found.value().nulls[i], strings[numbers[i]] ? 0 : 1);
      bytes += range.bytes;
    }
    EXPECT_EQ(found.value().output_bytes, bytes);
  }
}

TEST(SeparatedColumn, ThreadsAndBytesOfNullsDoNotChangeIt) {
  const Strings strings = mixed_strings(2'000);
  const CompressOptions options{.format = Format::splits, .block_bytes = 3'000, .splits = 4};
  const Column column = column_of(strings, options);
  CompressOptions on_threads = options;
  on_threads.threads = 3;
  EXPECT_EQ(column_of(strings, on_threads), column);
  // The bytes of nulls may be any.
  const ForeignArray foreign("u", strings, "what\nnobody sees");
  EXPECT_EQ(compress_column(foreign.schema, foreign.array, options, with_separator).value(), column);
}

TEST(SeparatedColumn, InfoCountsNoSeparator) {
  const Strings strings = {"ab", "", std::nullopt, "cde"};
  const Column column = column_of(strings, {});
  const ColumnInfo info = gsst::ColumnPlan::create(column).value().info();
  EXPECT_EQ(info.layout, GSST_COLUMN_DENSE);
  EXPECT_EQ(info.string_bytes, 5);
  EXPECT_EQ(info.string_count, 4);
  EXPECT_EQ(info.null_count, 1);
  EXPECT_EQ(info.compressed_bytes, column.size());
  const Column without = try_column(strings, {}, {}).value();
  const ColumnInfo info_without = gsst::ColumnPlan::create(without).value().info();
  EXPECT_EQ(info_without.has_separator, 0);
  EXPECT_EQ(info_without.separator, 0);
  EXPECT_EQ(info_without.length_bytes, info.length_bytes);

  // Of a program that was compiled before there were separators.
  gsst_column_info old{};
  old.struct_bytes = 64;
  old.separator = 77;
  gsst_column_plan* plan = nullptr;
  ASSERT_EQ(gsst_column_plan_create(column.data(), column.size(), nullptr, &plan, nullptr), GSST_OK);
  EXPECT_EQ(gsst_column_plan_info(plan, &old), GSST_OK);
  EXPECT_EQ(old.string_count, 4);
  EXPECT_EQ(old.separator, 77);
  gsst_column_plan_destroy(plan);
}

TEST(SeparatedColumn, TheFirstStringThatHoldsTheSeparatorIsNamed) {
  Strings strings = mixed_strings(1'500);
  strings[1'234] = "two\nlines";
  strings[1'300] = "\n";
  const auto column = try_column(strings, {});
  ASSERT_FALSE(column);
  EXPECT_EQ(column.failure().error, Error::invalid_argument);
  EXPECT_EQ(column.failure().message, "array: string 1234 holds the separator 0x0a");
}

TEST(SeparatedColumn, OptionsThatItDoesNotHaveAreRefused) {
  const ForeignArray foreign("u", {"a"});
  gsst_column_compress_plan* plan = nullptr;
  gsst_message message;
  const auto error_of = [&](const gsst_column_options& options) -> std::string {
    const gsst_error error = gsst_column_compress_plan_create_with(&foreign.schema, &foreign.array, nullptr,
                                                                   &options, &plan, &message);
    gsst_column_compress_plan_destroy(plan);
    return error == GSST_OK ? "" : message.text;
  };
  constexpr std::uint32_t size = sizeof(gsst_column_options);
  EXPECT_EQ(error_of({size, GSST_COLUMN_LOOKUP, 1, '\n'}),
            "column_options: the layout for lookups has no separator");
  EXPECT_EQ(error_of({size, GSST_COLUMN_DENSE, 2, '\n'}),
            "column_options: has_separator is 2, expected 0 or 1");
  EXPECT_EQ(error_of({size, GSST_COLUMN_DENSE, 1, 256}),
            "column_options: separator is 256, which is no byte");
  EXPECT_EQ(error_of({size, GSST_COLUMN_DENSE, 0, 1}),
            "column_options: separator is 1, but has_separator is 0");
  EXPECT_EQ(error_of({size, GSST_COLUMN_DEFAULT, 1, 0}), "");
  // Of a program that was compiled before there were separators: what follows is not read.
  EXPECT_EQ(error_of({8, GSST_COLUMN_DENSE, 7, 7}), "");
  EXPECT_NE(error_of({size + 4, GSST_COLUMN_DENSE, 1, 0}), "");
  const auto fsst = compress_column(foreign.schema, foreign.array, {.format = Format::fsst}, with_separator);
  EXPECT_EQ(fsst.failure().error, Error::invalid_argument);
}

std::size_t trailer_of(const Bytes& column) {
  return column.size() - format::column_trailer_bytes;
}

// Makes the checksum of the groups right again.
void repair(Bytes& column) {
  const std::size_t trailer = trailer_of(column);
  const std::size_t begin =
      format::column_header_bytes + format::load_little_endian<8>(column.data() + trailer + 24);
  const auto checked = std::span<const std::uint8_t>(column).subspan(begin, trailer + 40 - begin);
  format::store_little_endian<8>(column.data() + trailer + 40, format::checksum(checked));
}

struct Damage {
  const char* field;
  std::size_t position;
  std::uint8_t value;
};

TEST(SeparatedColumn, DamageIsNamed) {
  const Bytes column = bytes_of(column_of(mixed_strings(1'100), {}));
  const DenseColumnView view = parse_dense_column(column);
  const auto groups = static_cast<std::size_t>(view.strings.groups.data() - column.data());
  const std::size_t trailer = trailer_of(column);
  const std::vector<Damage> damages = {
      {"string kind", 9, 0},
      {"offset width", 10, 2},
      {"column header reserved bytes", 13, 1},
      {"column header reserved bytes", 15, 1},
      {"column trailer copy of the header", trailer, 1},
      {"group 1", trailer + 8, static_cast<std::uint8_t>(column[trailer + 8] - 1)},
      {"string count", trailer + 15, 1},
      {"null count", trailer + 16, 255},
      {"column frame bytes", trailer + 31, 1},
      {"bytes of the groups", trailer + 32, static_cast<std::uint8_t>(column[trailer + 32] - 1)},
      {"column checksum", trailer + 40, static_cast<std::uint8_t>(column[trailer + 40] ^ 1)},
      {"column trailer magic", trailer + 48, 0},
      {"group 0 first byte", groups, 1},
      {"group 1 data offset", groups + 24 + 8, 1},
      {"group 0 lengths", groups + 16, 1},
      {"group 0 length bits", groups + 20, 33},
      {"group 1 reserved bytes", groups + 24 + 22, 1},
  };
  for (const Damage& damage : damages) {
    SCOPED_TRACE(std::string(damage.field) + " at " + std::to_string(damage.position));
    Bytes damaged = column;
    ASSERT_NE(damaged[damage.position], damage.value);
    damaged[damage.position] = damage.value;
    // A header is right if the trailer repeats it.
    if (damage.position < 16) damaged[trailer + damage.position - 8] = damage.value;
    const bool is_checked =
        damage.position < 16 || (damage.position >= groups && damage.position < trailer + 24);
    if (is_checked) repair(damaged);
    const auto plan = gsst::ColumnPlan::create(as_column(damaged));
    ASSERT_FALSE(plan);
    EXPECT_TRUE(plan.failure().message.starts_with(damage.field)) << plan.failure().message;
    EXPECT_EQ(plan.failure().error,
              damage.field == std::string("column checksum") ? Error::wrong_checksum : Error::damaged);
  }
  for (std::size_t size = 0; size < column.size(); size += size < 200 ? 1 : 37) {
    EXPECT_FALSE(gsst::ColumnPlan::create(as_column(column).first(size)));
  }
}

TEST(SeparatedColumn, OtherFlagsAndVersionsAreRefusedAsSuch) {
  const Bytes column = bytes_of(column_of({"a"}, {}));
  const auto failure_with = [&](std::size_t position, std::uint8_t value) {
    Bytes changed = column;
    changed[position] = value;
    return gsst::ColumnPlan::create(as_column(changed)).failure();
  };
  EXPECT_EQ(failure_with(8, 4).error, Error::unsupported_version);
  EXPECT_EQ(failure_with(11, 0).error, Error::unsupported_version);
  EXPECT_EQ(failure_with(11, 3).message, "column flags: is 3, this library knows 1");
  // As a reader of columns without separators alone meets it.
  EXPECT_EQ(failure_with(8, 1).error, Error::damaged);
}

// A column whose frame holds `text`, whatever the lengths of `strings` say.
Bytes column_around(const std::string& text, const Strings& strings) {
  const CompressOptions options{.format = Format::blocks};
  const auto frame = compress(std::as_bytes(std::span(text)), options).value();
  format::StringColumnWriter writer({.kind = format::StringKind::text, .offset_width = 4});
  for (const auto& string : strings) {
    if (string) {
      writer.add_string(string->size());
    } else {
      writer.add_null();
    }
  }
  const auto header = build_dense_header({.kind = format::StringKind::text, .offset_width = 4}, separator);
  Bytes end = writer.finish(frame.size());
  repeat_header(end, header);
  Bytes column(header.begin(), header.end());
  const Bytes frame_bytes = bytes_of(frame);
  column.insert(column.end(), frame_bytes.begin(), frame_bytes.end());
  column.insert(column.end(), end.begin(), end.end());
  return column;
}

TEST(SeparatedColumn, TextThatDoesNotAgreeWithTheLengthsIsRefused) {
  const Strings strings = {"ab", std::nullopt, "c"};
  EXPECT_EQ(read_all(as_column(column_around("ab\n\nc\n", strings))).value(), strings);
  const auto failure_of = [&](const std::string& text) {
    return read_all(as_column(column_around(text, strings))).failure();
  };
  EXPECT_EQ(failure_of("ab\n\nc").message,
            "string lengths: add up to 6 with the separators, the frame holds 5 bytes");
  EXPECT_EQ(failure_of("ab\n\nc\nd").error, Error::damaged);
  EXPECT_EQ(failure_of("ab;\nc\n").message, "separator: is not after string 0");
  EXPECT_EQ(failure_of("ab\nxc\n").message, "separator: is not after string 1");
  EXPECT_EQ(failure_of("ab\n\nc;").message, "separator: is not after string 2");
  EXPECT_EQ(failure_of("a\n\n\nc\n").message, "separator: is in string 0");
  EXPECT_EQ(failure_of("a\n\n\nc\n").error, Error::damaged);
  // One string alone has its bytes, whatever is after it.
  const Bytes other = column_around("ab;\nc\n", strings);
  EXPECT_EQ(read_each(as_column(other)).value(), strings);
}

TEST(SeparatedColumn, EveryDamagedByteIsSeenOrHarmless) {
  const Strings strings = mixed_strings(60);
  for (const CompressOptions& frame : {frames()[0], frames()[2]}) {
    const Bytes column = bytes_of(column_of(strings, frame));
    for (std::size_t position = 0; position < column.size(); ++position) {
      SCOPED_TRACE(position);
      for (const bool repairs : {false, true}) {
        Bytes damaged = column;
        damaged[position] ^= 0x41;
        if (repairs && position + 32 < column.size()) repair(damaged);
        const auto found = read_all(as_column(damaged));
        if (!found) {
          EXPECT_NE(found.failure().error, Error::internal) << found.failure().message;
          continue;
        }
        // What a column says of its kind may be anything.
        EXPECT_EQ(found.value(), strings);
      }
    }
  }
}

}  // namespace
}  // namespace gsst::library::separated_columns
