#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <new>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/gsst/string_column.hpp"
#include "common/frame/checksum.hpp"
#include "gsst/column.hpp"
#include "gsst/lookup.h"
#include "library/foreign_array.hpp"
#include "reference_cpu/test_inputs.hpp"

// Columns of strings through include/gsst/column.h: arrays of Arrow's layout go in and come out the same.
namespace gsst::library {
namespace {

using Column = std::vector<std::uint8_t>;

struct DestroyColumnPlan {
  void operator()(gsst_column_plan* plan) const { gsst_column_plan_destroy(plan); }
  void operator()(gsst_column_compress_plan* plan) const { gsst_column_compress_plan_destroy(plan); }
};
using OwnedColumnPlan = std::unique_ptr<gsst_column_plan, DestroyColumnPlan>;
using OwnedColumnCompressPlan = std::unique_ptr<gsst_column_compress_plan, DestroyColumnPlan>;

gsst_compress_options column_options(gsst_format format = GSST_FORMAT_SPLITS) {
  gsst_compress_options options{};
  options.struct_bytes = sizeof(options);
  options.format = format;
  options.block_bytes = 2000;
  options.splits = 8;
  return options;
}

gsst_error compress_array(const ForeignArray& foreign, const gsst_compress_options& options, Column* column,
                          gsst_message* message) {
  gsst_column_compress_plan* created = nullptr;
  const gsst_error planned =
      gsst_column_compress_plan_create(&foreign.schema, &foreign.array, &options, &created, message);
  const OwnedColumnCompressPlan plan(created);
  if (planned != GSST_OK) return planned;
  column->resize(gsst_column_compress_plan_output_bytes(plan.get()));
  std::size_t bytes = 0;
  const gsst_error error =
      gsst_column_compress_execute(plan.get(), column->data(), column->size(), &bytes, message);
  column->resize(bytes);
  return error;
}

Column column_of(const ForeignArray& foreign, gsst_format format = GSST_FORMAT_SPLITS) {
  Column column;
  gsst_message message;
  EXPECT_EQ(compress_array(foreign, column_options(format), &column, &message), GSST_OK) << message.text;
  return column;
}

OwnedColumnPlan plan_column(const Column& column, bool skip_checksums = false) {
  gsst_decompress_options options{};
  options.struct_bytes = sizeof(options);
  options.skip_checksums = skip_checksums ? 1 : 0;
  gsst_column_plan* created = nullptr;
  gsst_message message;
  EXPECT_EQ(gsst_column_plan_create(column.data(), column.size(), &options, &created, &message), GSST_OK)
      << message.text;
  return OwnedColumnPlan(created);
}

// What an array that the library made holds. Releases it.
Strings read_and_release(ArrowSchema& schema, ArrowArray& array) {
  const bool wide = schema.format == std::string("U") || schema.format == std::string("Z");
  const auto* const validity = static_cast<const std::uint8_t*>(array.buffers[0]);
  const auto* const offsets = static_cast<const std::uint8_t*>(array.buffers[1]);
  const auto offset = [&](std::int64_t place) {
    std::int64_t value = 0;
    std::memcpy(&value, offsets + place * (wide ? 8 : 4), wide ? 8 : 4);
    return value;
  };
  Strings strings;
  std::int64_t nulls = 0;
  for (std::int64_t i = 0; i < array.length; ++i) {
    if (validity != nullptr && (validity[i / 8] >> (i % 8) & 1) == 0) {
      strings.emplace_back();
      ++nulls;
      continue;
    }
    const auto* const data = static_cast<const char*>(array.buffers[2]);
    strings.emplace_back(std::string(data + offset(i), data + offset(i + 1)));
  }
  EXPECT_EQ(array.null_count, nulls);
  array.release(&array);
  schema.release(&schema);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(schema.release, nullptr);
  return strings;
}

Strings decompress_strings(const OwnedColumnPlan& plan, std::uint64_t first, std::uint64_t count,
                           gsst_read_info* info = nullptr) {
  ArrowSchema schema{};
  ArrowArray array{};
  gsst_message message;
  EXPECT_EQ(gsst_column_decompress(plan.get(), first, count, &schema, &array, info, &message), GSST_OK)
      << message.text;
  return array.release == nullptr ? Strings() : read_and_release(schema, array);
}

Strings make_strings(std::size_t count) {
  const auto text = reference::test::make_text(count * 40, 1);
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    strings.emplace_back(std::string(text.begin() + static_cast<std::ptrdiff_t>(i * 40),
                                     text.begin() + static_cast<std::ptrdiff_t>(i * 40 + i % 41)));
    if (i % 7 == 3) strings.back().reset();
  }
  return strings;
}

Strings slice(const Strings& strings, std::size_t first, std::size_t count) {
  const auto begin = strings.begin() + static_cast<std::ptrdiff_t>(first);
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

TEST(LibraryColumn, EveryTypeAndFormatGivesTheStringsBack) {
  const Strings strings = make_strings(2500);
  for (const char* type : {"u", "U", "z", "Z"}) {
    for (const gsst_format format :
         {GSST_FORMAT_BLOCKS, GSST_FORMAT_SPLITS, GSST_FORMAT_COALESCED, GSST_FORMAT_TILES}) {
      const Column column = column_of(ForeignArray(type, strings), format);
      const OwnedColumnPlan plan = plan_column(column);
      ArrowSchema schema{};
      ArrowArray array{};
      ASSERT_EQ(gsst_column_decompress(plan.get(), 0, strings.size(), &schema, &array, nullptr, nullptr),
                GSST_OK);
      EXPECT_EQ(std::string(schema.format), type);
      EXPECT_EQ(read_and_release(schema, array), strings);
    }
  }
}

TEST(LibraryColumn, InfoSaysWhatTheColumnHolds) {
  const Column column = column_of(ForeignArray("Z", {"ab", std::nullopt, "", "cde"}));
  auto info = detail::sized<ColumnInfo>();
  ASSERT_EQ(gsst_column_plan_info(plan_column(column).get(), &info), GSST_OK);
  EXPECT_EQ(info.compressed_bytes, column.size());
  EXPECT_EQ(info.string_count, 4);
  EXPECT_EQ(info.null_count, 1);
  EXPECT_EQ(info.string_bytes, 5);
  EXPECT_EQ(info.kind, GSST_STRING_BYTES);
  EXPECT_EQ(info.offset_width, 8);
  // An entry, one byte of lengths, one of nulls.
  EXPECT_EQ(info.length_bytes, format::column_header_bytes + 24 + 1 + 1 + format::column_trailer_bytes);
}

TEST(LibraryColumn, AwkwardColumnsComeBack) {
  for (const Strings& strings : {Strings{}, Strings{""}, Strings{std::nullopt}, Strings{"a"},
                                 Strings(3000, std::nullopt), Strings(1024, "same"), Strings(1025, "")}) {
    const Column column = column_of(ForeignArray("u", strings));
    EXPECT_EQ(decompress_strings(plan_column(column), 0, strings.size()), strings);
  }
  // What an array of no strings may leave out.
  ForeignArray nothing("u", {});
  std::fill(nothing.buffers.begin(), nothing.buffers.end(), nullptr);
  EXPECT_EQ(decompress_strings(plan_column(column_of(nothing)), 0, 0), Strings{});
}

TEST(LibraryColumn, SlicesOfArraysAreTheirStringsAlone) {
  const Strings strings = make_strings(300);
  for (const auto& [first, count] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 300}, {1, 299}, {7, 100}, {8, 1}, {299, 1}, {300, 0}, {13, 0}}) {
    ForeignArray foreign("u", strings);
    foreign.array.offset = static_cast<std::int64_t>(first);
    foreign.array.length = static_cast<std::int64_t>(count);
    const Column column = column_of(foreign);
    EXPECT_EQ(decompress_strings(plan_column(column), 0, count), slice(strings, first, count));
    EXPECT_EQ(column, column_of(ForeignArray("u", slice(strings, first, count))));
  }
}

TEST(LibraryColumn, BytesOfNullsAreNotStored) {
  const Strings strings = make_strings(100);
  const Column column = column_of(ForeignArray("u", strings, "what nobody sees"));
  EXPECT_EQ(column, column_of(ForeignArray("u", strings)));
  EXPECT_EQ(decompress_strings(plan_column(column), 0, 100), strings);
}

TEST(LibraryColumn, PartsOfColumnsAreDecodedAlone) {
  const Strings strings = make_strings(3000);
  const Column column = column_of(ForeignArray("u", strings));
  const OwnedColumnPlan checked = plan_column(column);
  const OwnedColumnPlan unchecked = plan_column(column, true);
  for (const auto& [first, count] : std::vector<std::pair<std::size_t, std::size_t>>{
           {0, 1}, {1023, 2}, {1024, 1}, {1000, 1100}, {2999, 1}, {3000, 0}, {0, 3000}}) {
    EXPECT_EQ(decompress_strings(checked, first, count), slice(strings, first, count));
    EXPECT_EQ(decompress_strings(unchecked, first, count), slice(strings, first, count));
  }
  auto info = detail::sized<ReadInfo>();
  const OwnedColumnPlan fresh = plan_column(column);
  decompress_strings(fresh, 1030, 1, &info);
  EXPECT_EQ(info.blocks, 1);
  EXPECT_EQ(info.bytes, 2000);
  // The checksum of the block has been compared.
  decompress_strings(fresh, 1030, 1, &info);
  EXPECT_LE(info.bytes, 500);
  decompress_strings(unchecked, 1030, 1, &info);
  EXPECT_LE(info.bytes, 500);

  ArrowSchema schema{};
  ArrowArray array{};
  const std::vector<std::uint64_t> numbers = {2999, 5, 5, 3, 1024, 0};
  ASSERT_EQ(
      gsst_column_take(unchecked.get(), numbers.data(), numbers.size(), &schema, &array, &info, nullptr),
      GSST_OK);
  Strings expected;
  for (const std::uint64_t number : numbers) expected.push_back(strings[number]);
  EXPECT_EQ(read_and_release(schema, array), expected);
  EXPECT_LE(info.bytes, 6 * 250);
  ASSERT_EQ(gsst_column_take(checked.get(), nullptr, 0, &schema, &array, nullptr, nullptr), GSST_OK);
  EXPECT_EQ(read_and_release(schema, array), Strings{});
}

TEST(LibraryColumn, ResultsOfNoVersionAreRefusedBeforeAnythingIsDecompressed) {
  const Column column = column_of(ForeignArray("u", make_strings(10)));
  const OwnedColumnPlan plan = plan_column(column);
  gsst_column_info of_column{};
  EXPECT_EQ(gsst_column_plan_info(plan.get(), &of_column), GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(of_column.compressed_bytes, 0);
  gsst_read_info info{};
  ArrowSchema schema{};
  ArrowArray array{};
  EXPECT_EQ(gsst_column_decompress(plan.get(), 0, 10, &schema, &array, &info, nullptr),
            GSST_ERROR_INVALID_ARGUMENT);
  const std::uint64_t number = 3;
  EXPECT_EQ(gsst_column_take(plan.get(), &number, 1, &schema, &array, &info, nullptr),
            GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
  EXPECT_EQ(info.blocks, 0);
}

TEST(LibraryColumn, CppPlansGiveTheSame) {
  const Strings strings = make_strings(50);
  const ForeignArray foreign("u", strings);
  const auto column = compress_column(foreign.schema, foreign.array,
                                      {.format = Format::splits, .block_bytes = 2000, .splits = 8});
  ASSERT_TRUE(column) << column.failure().message;
  const Column expected = column_of(foreign);
  EXPECT_TRUE(std::ranges::equal(column.value(), std::as_bytes(std::span(expected))));

  const auto plan = gsst::ColumnPlan::create(column.value(), {.skip_checksums = true});
  ASSERT_TRUE(plan) << plan.failure().message;
  EXPECT_EQ(plan.value().info().string_count, 50);
  Result<OwnedArray> some = plan.value().decompress(10, 5);
  ASSERT_TRUE(some);
  // Moved twice, and released by who reads it: not by its owner too.
  OwnedArray owned = std::move(some).value();
  EXPECT_EQ(read_and_release(owned.schema(), owned.array()), slice(strings, 10, 5));
  const std::vector<std::uint64_t> numbers = {49, 0};
  Result<OwnedArray> taken = plan.value().take(numbers);
  ASSERT_TRUE(taken);
  owned = std::move(taken).value();
  EXPECT_EQ(owned.array().length, 2);

  EXPECT_EQ(plan.value().decompress(50, 1).failure().error, Error::invalid_argument);
  EXPECT_EQ(plan.value().take(std::vector<std::uint64_t>{50}).failure().error, Error::invalid_argument);
  EXPECT_EQ(gsst::ColumnPlan::create({}).failure().error, Error::wrong_format);
  EXPECT_EQ(compress_column(foreign.schema, foreign.array, {.format = Format::fsst}).failure().error,
            Error::invalid_argument);
}

// Were its memory allocated first, this would be another error: it is more than there is.
TEST(LibraryColumn, StringsOfMoreBytesThanTheirOffsetsCanSayAreNotTaken) {
  const Column column = column_of(ForeignArray("u", {std::string(std::size_t{1} << 20, 'a')}));
  const OwnedColumnPlan plan = plan_column(column);
  const std::vector<std::uint64_t> numbers(std::size_t{1} << 20);
  for (const std::size_t count : {std::size_t{1} << 11, numbers.size()}) {
    ArrowSchema schema{};
    ArrowArray array{};
    gsst_message message;
    EXPECT_EQ(gsst_column_take(plan.get(), numbers.data(), count, &schema, &array, nullptr, &message),
              GSST_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(message.text).find("2147483647"), std::string::npos) << message.text;
    EXPECT_EQ(array.release, nullptr);
  }
}

// Memory of which only the pages that are used exist.
class SparseMemory {
public:
  explicit SparseMemory(std::size_t size)
      : size_(size),
        bytes_(
            mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {
    if (bytes_ == MAP_FAILED) throw std::bad_alloc();
  }
  SparseMemory(const SparseMemory&) = delete;
  SparseMemory& operator=(const SparseMemory&) = delete;
  ~SparseMemory() { munmap(bytes_, size_); }

  std::uint8_t* data() { return static_cast<std::uint8_t*>(bytes_); }

private:
  std::size_t size_;
  void* bytes_;
};

TEST(LibraryColumn, ASliceIsReadWhoseOffsetsBeginBehindFourGibibytes) {
  constexpr std::size_t begin = (std::size_t{1} << 32) + 12345;
  const Strings strings = make_strings(200);
  ForeignArray foreign("U", strings);
  SparseMemory bytes(begin + foreign.data.size());
  std::ranges::copy(foreign.data, bytes.data() + begin);
  for (std::size_t place = 0; place < foreign.offsets.size(); place += 8) {
    format::store_little_endian<8>(foreign.offsets.data() + place,
                                   begin + format::load_little_endian<8>(foreign.offsets.data() + place));
  }
  foreign.buffers[2] = bytes.data();
  foreign.array.offset = 50;
  foreign.array.length = 100;
  const Column column = column_of(foreign);
  EXPECT_EQ(decompress_strings(plan_column(column), 0, 100), slice(strings, 50, 100));
}

TEST(LibraryColumn, RangesSayWhereStringsAreInTheFrame) {
  const Strings strings = make_strings(3000);
  const Column column = column_of(ForeignArray("u", strings));
  const auto plan = gsst::ColumnPlan::create(std::as_bytes(std::span(column)));
  ASSERT_TRUE(plan) << plan.failure().message;
  const auto decompressed = gsst::decompress(plan.value().frame());
  ASSERT_TRUE(decompressed) << decompressed.failure().message;
  const std::vector<std::byte>& whole = decompressed.value();

  // Strings, among them empty ones (0, 41) and nulls (3, 10), of several groups, one twice.
  const std::vector<std::uint64_t> numbers = {2998, 5, 0, 3, 10, 41, 5, 1024, 1023, 2048};
  const auto found = plan.value().ranges(numbers);
  ASSERT_TRUE(found) << found.failure().message;
  std::uint64_t end = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const gsst_range& range = found.value().ranges[i];
    const auto& expected = strings[numbers[i]];
    EXPECT_EQ(found.value().nulls[i], expected ? 0 : 1);
    EXPECT_EQ(range.output_offset, end);
    ASSERT_LE(range.offset + range.bytes, whole.size());
    const auto* const first = reinterpret_cast<const char*>(whole.data() + range.offset);
    EXPECT_EQ(std::string(first, range.bytes), expected.value_or(""));
    end += range.bytes;
  }
  EXPECT_EQ(found.value().output_bytes, end);
  EXPECT_EQ(std::ranges::count(found.value().nulls, 1), 2);
  EXPECT_EQ(found.value().ranges[2].bytes, 0);

  const auto none = plan.value().ranges({});
  ASSERT_TRUE(none);
  EXPECT_EQ(none.value().output_bytes, 0);
  EXPECT_EQ(plan.value().ranges(std::vector<std::uint64_t>{0, 3000}).failure().error,
            Error::invalid_argument);
}

TEST(LibraryColumn, WrongArgumentsOfRangesAreRefusedAndNothingIsWritten) {
  const OwnedColumnPlan plan = [] {
    static const Column column = column_of(ForeignArray("u", make_strings(20)));
    return plan_column(column);
  }();
  std::array<std::uint64_t, 3> numbers = {19, 2, 20};
  constexpr gsst_range unwritten{.offset = 7, .bytes = 7, .output_offset = 7};
  std::array<gsst_range, 3> ranges = {unwritten, unwritten, unwritten};
  std::array<std::uint8_t, 3> nulls = {7, 7, 7};
  std::uint64_t bytes = 7;
  gsst_message message;
  EXPECT_EQ(gsst_column_ranges(plan.get(), numbers.data(), 3, ranges.data(), nulls.data(), &bytes, &message),
            GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(message.text), "there is no string 20, the column has 20");
  for (const auto& [strings, to, output] :
       std::vector<std::tuple<std::uint64_t*, gsst_range*, std::uint64_t*>>{
           {nullptr, ranges.data(), &bytes},
           {numbers.data(), nullptr, &bytes},
           {numbers.data(), ranges.data(), nullptr}}) {
    EXPECT_EQ(gsst_column_ranges(plan.get(), strings, 2, to, nulls.data(), output, &message),
              GSST_ERROR_NULL_POINTER);
  }
  EXPECT_EQ(gsst_column_ranges(nullptr, numbers.data(), 2, ranges.data(), nulls.data(), &bytes, &message),
            GSST_ERROR_NULL_POINTER);
  auto* const on_numbers = reinterpret_cast<gsst_range*>(numbers.data());
  EXPECT_EQ(gsst_column_ranges(plan.get(), numbers.data(), 1, on_numbers, nulls.data(), &bytes, &message),
            GSST_ERROR_OVERLAP);
  for (void* const shared : {static_cast<void*>(numbers.data()), static_cast<void*>(ranges.data())}) {
    EXPECT_EQ(gsst_column_ranges(plan.get(), numbers.data(), 2, ranges.data(),
                                 static_cast<std::uint8_t*>(shared), &bytes, &message),
              GSST_ERROR_OVERLAP);
  }
  EXPECT_EQ(numbers, (std::array<std::uint64_t, 3>{19, 2, 20}));
  EXPECT_EQ(nulls, (std::array<std::uint8_t, 3>{7, 7, 7}));
  EXPECT_EQ(bytes, 7);
  EXPECT_TRUE(std::ranges::all_of(ranges, [](const gsst_range& range) {
    return range.offset == 7 && range.bytes == 7 && range.output_offset == 7;
  }));
  // Who does not ask for nulls, or for any string.
  EXPECT_EQ(gsst_column_ranges(plan.get(), numbers.data(), 2, ranges.data(), nullptr, &bytes, &message),
            GSST_OK);
  EXPECT_EQ(bytes, ranges[0].bytes + ranges[1].bytes);
  EXPECT_EQ(gsst_column_ranges(plan.get(), nullptr, 0, nullptr, nullptr, &bytes, &message), GSST_OK);
  EXPECT_EQ(bytes, 0);

  const void* frame = nullptr;
  std::size_t frame_bytes = 7;
  EXPECT_EQ(gsst_column_frame(nullptr, &frame, &frame_bytes), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_frame(plan.get(), nullptr, &frame_bytes), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_frame(plan.get(), &frame, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(frame_bytes, 7);
}

TEST(LibraryColumn, ArraysOutliveTheirPlanAndTheColumn) {
  ArrowSchema schema{};
  ArrowArray array{};
  {
    const Column column = column_of(ForeignArray("u", {"a", "bc"}));
    ASSERT_EQ(gsst_column_decompress(plan_column(column).get(), 0, 2, &schema, &array, nullptr, nullptr),
              GSST_OK);
  }
  EXPECT_EQ(read_and_release(schema, array), (Strings{"a", "bc"}));
}

TEST(LibraryColumn, WrongArraysAreRefused) {
  const auto expect_refused = [](const auto& change, const std::string& text) {
    ForeignArray foreign("u", {"ab", "c", std::nullopt});
    change(foreign);
    Column column;
    gsst_message message;
    EXPECT_EQ(compress_array(foreign, column_options(), &column, &message), GSST_ERROR_INVALID_ARGUMENT);
    EXPECT_NE(std::string(message.text).find(text), std::string::npos) << message.text;
  };
  expect_refused([](ForeignArray& foreign) { foreign.schema.format = "i"; }, "format is 'i'");
  expect_refused([](ForeignArray& foreign) { foreign.schema.format = "vu"; }, "format is 'vu'");
  expect_refused([](ForeignArray& foreign) { foreign.schema.format = nullptr; }, "format is null");
  expect_refused([](ForeignArray& foreign) { foreign.schema.dictionary = &foreign.schema; }, "dictionary");
  expect_refused([](ForeignArray& foreign) { foreign.schema.release = nullptr; }, "released");
  expect_refused([](ForeignArray& foreign) { foreign.array.release = nullptr; }, "released");
  expect_refused([](ForeignArray& foreign) { foreign.array.length = -1; }, "negative");
  expect_refused([](ForeignArray& foreign) { foreign.array.n_buffers = 2; }, "3 buffers");
  expect_refused([](ForeignArray& foreign) { foreign.buffers[1] = nullptr; }, "offsets is null");
  expect_refused([](ForeignArray& foreign) { foreign.buffers[2] = nullptr; }, "bytes is null");
  expect_refused([](ForeignArray& foreign) { foreign.offsets[4] = 9; }, "offsets of string 1 are 9 and 3");
  expect_refused([](ForeignArray& foreign) { foreign.offsets[3] = 0xff; }, "offsets of string 0");
  expect_refused(
      [](ForeignArray& foreign) {
        foreign.buffers[0] = nullptr;
        foreign.array.null_count = 1;
      },
      "no buffer that says which");

  Column column;
  gsst_message message;
  gsst_compress_options options = column_options(GSST_FORMAT_FSST);
  EXPECT_EQ(compress_array(ForeignArray("u", {"a"}), options, &column, &message),
            GSST_ERROR_INVALID_ARGUMENT);
}

TEST(LibraryColumn, WrongCallsAreRefused) {
  const Strings strings = {"ab", "c", std::nullopt};
  const ForeignArray foreign("u", strings);
  const Column column = column_of(foreign);
  const OwnedColumnPlan plan = plan_column(column);
  ArrowSchema schema{};
  ArrowArray array{};
  gsst_message message;
  for (const auto& [first, count] :
       std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 4}, {4, 0}, {3, 1}, {1, UINT64_MAX}}) {
    EXPECT_EQ(gsst_column_decompress(plan.get(), first, count, &schema, &array, nullptr, &message),
              GSST_ERROR_INVALID_ARGUMENT);
  }
  const std::uint64_t number = 3;
  EXPECT_EQ(gsst_column_take(plan.get(), &number, 1, &schema, &array, nullptr, &message),
            GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(array.release, nullptr);

  EXPECT_EQ(gsst_column_decompress(nullptr, 0, 1, &schema, &array, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_decompress(plan.get(), 0, 1, nullptr, &array, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_decompress(plan.get(), 0, 1, &schema, nullptr, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_take(plan.get(), nullptr, 1, &schema, &array, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_plan_info(plan.get(), nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_plan_create(column.data(), column.size(), nullptr, nullptr, &message),
            GSST_ERROR_NULL_POINTER);
  gsst_column_compress_plan* compress = nullptr;
  EXPECT_EQ(gsst_column_compress_plan_create(nullptr, &foreign.array, nullptr, &compress, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_compress_plan_create(&foreign.schema, nullptr, nullptr, &compress, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_column_compress_plan_output_bytes(nullptr), 0);
  gsst_column_compress_plan_destroy(nullptr);
  gsst_column_plan_destroy(nullptr);

  ASSERT_EQ(gsst_column_compress_plan_create(&foreign.schema, &foreign.array, nullptr, &compress, &message),
            GSST_OK);
  const OwnedColumnCompressPlan owned(compress);
  Column output(gsst_column_compress_plan_output_bytes(compress));
  std::size_t bytes = 0;
  EXPECT_EQ(gsst_column_compress_execute(compress, output.data(), output.size() - 1, &bytes, &message),
            GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(gsst_column_compress_execute(compress, output.data(), output.size(), nullptr, &message),
            GSST_ERROR_NULL_POINTER);
}

TEST(LibraryColumn, EveryDamagedByteIsSeen) {
  const Strings strings = make_strings(60);
  const Column column = column_of(ForeignArray("u", strings));
  const auto read = [&](const Column& damaged) {
    gsst_column_plan* created = nullptr;
    gsst_message message;
    const gsst_error error =
        gsst_column_plan_create(damaged.data(), damaged.size(), nullptr, &created, &message);
    const OwnedColumnPlan plan(created);
    EXPECT_EQ(message.text[0] == '\0', error == GSST_OK);
    if (error != GSST_OK) return error;
    ArrowSchema schema{};
    ArrowArray array{};
    const gsst_error decoded =
        gsst_column_decompress(plan.get(), 0, strings.size(), &schema, &array, nullptr, nullptr);
    // Unused fields of a symbol table may be anything.
    if (decoded == GSST_OK) {
      EXPECT_EQ(read_and_release(schema, array), strings);
    }
    return decoded;
  };
  for (std::size_t position = 0; position < column.size(); ++position) {
    SCOPED_TRACE(position);
    Column damaged = column;
    damaged[position] ^= 0x41;
    EXPECT_NE(read(damaged), GSST_ERROR_INTERNAL);
  }
  for (std::size_t size = 0; size < column.size(); ++size) {
    EXPECT_NE(read(Column(column.begin(), column.begin() + static_cast<std::ptrdiff_t>(size))), GSST_OK);
  }
  Column next_version = column;
  next_version[8] = 3;
  EXPECT_EQ(read(next_version), GSST_ERROR_UNSUPPORTED_VERSION);
  next_version[0] = 0;
  EXPECT_EQ(read(next_version), GSST_ERROR_WRONG_FORMAT);
}

TEST(LibraryColumn, PartsOfAFileAreFoundFromTheEnd) {
  const Column first = column_of(ForeignArray("u", {"ab", "c", std::nullopt}));
  const Column second = column_of(ForeignArray("u", {"sea shells"}));
  Column both = first;
  both.insert(both.end(), second.begin(), second.end());
  const auto found = gsst::last_column_bytes(std::as_bytes(std::span(both)));
  ASSERT_TRUE(found);
  EXPECT_EQ(found.value(), second.size());

  std::size_t bytes = 1;
  gsst_message message;
  EXPECT_EQ(gsst_last_column_bytes(both.data(), both.size() - 1, &bytes, &message), GSST_ERROR_DAMAGED);
  EXPECT_EQ(bytes, 0);
  EXPECT_EQ(gsst_last_column_bytes(both.data() + 1, both.size() - 1, &bytes, &message),
            GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(gsst_last_column_bytes(nullptr, 1, &bytes, &message), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_last_column_bytes(both.data(), both.size(), nullptr, &message), GSST_ERROR_NULL_POINTER);
}

TEST(LibraryColumn, FrameOfOtherStringsIsRefused) {
  const Column column = column_of(ForeignArray("u", {"abc"}));
  Column other = column_of(ForeignArray("u", {"abcd"}));
  const std::size_t other_frame_bytes =
      format::parse_string_column(other).frame.size() + format::column_header_bytes;
  const format::StringColumnView view = format::parse_string_column(column);
  other.resize(other_frame_bytes);
  format::StringColumnWriter writer(view.type);
  writer.add_string(3);
  const auto end = writer.finish(other_frame_bytes - format::column_header_bytes);
  other.insert(other.end(), end.begin(), end.end());
  gsst_column_plan* created = nullptr;
  gsst_message message;
  EXPECT_EQ(gsst_column_plan_create(other.data(), other.size(), nullptr, &created, &message),
            GSST_ERROR_DAMAGED);
  EXPECT_EQ(std::string(message.text).find("string lengths"), 0) << message.text;
}

// As data/golden/README.md says.
std::uint64_t digest_of(const Strings& strings) {
  std::vector<std::uint8_t> bytes;
  for (const auto& string : strings) {
    bytes.push_back(string ? 1 : 0);
    if (!string) continue;
    bytes.resize(bytes.size() + 4);
    format::store_little_endian<4>(bytes.data() + bytes.size() - 4, string->size());
    bytes.insert(bytes.end(), string->begin(), string->end());
  }
  return format::checksum(bytes);
}

nlohmann::json golden_columns(const char* list_name) {
  std::ifstream list("data/golden/golden.json");
  return nlohmann::json::parse(list).at(list_name);
}

Column read_golden_column(const nlohmann::json& entry) {
  return reference::test::read_file("data/golden/" + entry.at("file").get<std::string>());
}

// The first error of gsst_column_decompress(), or none.
gsst_error read_strings_together(const OwnedColumnPlan& plan, gsst_message& message) {
  auto info = detail::sized<ColumnInfo>();
  gsst_column_plan_info(plan.get(), &info);
  OwnedArray made;
  return gsst_column_decompress(plan.get(), 0, info.string_count, &made.schema(), &made.array(), nullptr,
                                &message);
}

// The first error of gsst_column_string(), or none.
gsst_error read_strings_one_by_one(const OwnedColumnPlan& plan, gsst_message& message) {
  auto info = detail::sized<ColumnInfo>();
  gsst_column_plan_info(plan.get(), &info);
  std::vector<char> output(info.string_bytes);
  for (std::uint64_t number = 0; number < info.string_count; ++number) {
    std::size_t bytes = 0;
    const gsst_error error =
        gsst_column_string(plan.get(), number, output.data(), output.size(), &bytes, nullptr, &message);
    if (error != GSST_OK) return error;
  }
  return GSST_OK;
}

TEST(LibraryColumn, GoldenColumnsGiveTheirStrings) {
  const nlohmann::json entries = golden_columns("valid_columns");
  ASSERT_GT(entries.size(), 10);
  for (const nlohmann::json& entry : entries) {
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const Column column = read_golden_column(entry);
    const OwnedColumnPlan plan = plan_column(column);
    gsst_message message;
    auto info = detail::sized<ColumnInfo>();
    ASSERT_EQ(gsst_column_plan_info(plan.get(), &info), GSST_OK);
    EXPECT_EQ(info.kind, entry.at("kind"));
    EXPECT_EQ(info.offset_width, entry.at("offset_width"));
    EXPECT_EQ(info.string_count, entry.at("strings"));
    EXPECT_EQ(info.null_count, entry.at("nulls"));
    const Strings strings = decompress_strings(plan, 0, info.string_count);
    EXPECT_EQ(digest_of(strings), std::stoull(entry.at("xxh64").get<std::string>(), nullptr, 16));
    EXPECT_EQ(read_strings_one_by_one(plan, message), GSST_OK) << message.text;
  }
}

TEST(LibraryColumn, GoldenInvalidColumnsAreRefusedWithTheirField) {
  const nlohmann::json entries = golden_columns("invalid_columns");
  ASSERT_GT(entries.size(), 20);
  for (const nlohmann::json& entry : entries) {
    SCOPED_TRACE(entry.at("file").get<std::string>() + ": " + entry.at("why").get<std::string>());
    const Column column = read_golden_column(entry);
    gsst_column_plan* created = nullptr;
    gsst_message message;
    gsst_error error = gsst_column_plan_create(column.data(), column.size(), nullptr, &created, &message);
    const OwnedColumnPlan plan(created);
    // Codes of strings are checked where they are read.
    if (error == GSST_OK) error = read_strings_one_by_one(plan, message);
    // What is between strings is checked where they are read together.
    if (error == GSST_OK) error = read_strings_together(plan, message);
    EXPECT_NE(error, GSST_OK);
    EXPECT_NE(error, GSST_ERROR_INTERNAL) << message.text;
    if (error == GSST_ERROR_WRONG_FORMAT) continue;
    const std::string field = entry.at("field");
    EXPECT_NE(std::string(message.text).find(field), std::string::npos) << message.text;
    EXPECT_EQ(error == GSST_ERROR_WRONG_CHECKSUM, field.ends_with("checksum"));
  }
}

}  // namespace
}  // namespace gsst::library
