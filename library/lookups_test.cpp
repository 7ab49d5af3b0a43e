#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <numeric>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "gsst/lookup.hpp"
#include "library/foreign_array.hpp"
#include "reference_cpu/test_inputs.hpp"

// Short reads: one string of a column, and short ranges of a frame, which remember what they have found out
// about a block. They give what decoding everything gives, and fail where that fails.
namespace gsst::library::lookups {
namespace {

constexpr char untouched = 0x5a;

struct DestroyPlan {
  void operator()(gsst_column_plan* plan) const { gsst_column_plan_destroy(plan); }
};
using OwnedPlan = std::unique_ptr<gsst_column_plan, DestroyPlan>;

std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

// Nulls, empty ones, ones longer than a short read, bytes that no symbol has, and groups of two kinds.
Strings make_strings() {
  const auto text = reference::test::make_text(50'000, 1);
  const auto bytes = reference::test::make_random(20'000, 2);
  std::mt19937 random(3);
  Strings strings;
  for (std::size_t at = 0; at + 3000 < text.size();) {
    const std::size_t size = random() % 50 == 0 ? random() % 3000 : random() % 60;
    strings.emplace_back(text_of(std::span(text).subspan(at, size)));
    at += size;
    if (strings.size() < 800 && random() % 9 == 0) strings.emplace_back();
  }
  for (std::size_t at = 0; at + 60 < bytes.size(); at += 47) {
    strings.emplace_back(text_of(std::span(bytes).subspan(at, at % 48)));
  }
  return strings;
}

struct Layout {
  gsst_format format;
  std::uint64_t block_bytes;
  std::uint32_t level;
  ColumnLayout of_column = ColumnLayout::dense;
};

const std::vector<Layout>& layouts() {
  static const std::vector<Layout> all = {{GSST_FORMAT_BLOCKS, 30'000, 1},
                                          {GSST_FORMAT_SPLITS, 30'000, 1},
                                          {GSST_FORMAT_SPLITS, 700, 1},
                                          {GSST_FORMAT_COALESCED, 30'000, 1},
                                          {GSST_FORMAT_TILES, 500'000, 1},
                                          {GSST_FORMAT_TILES, 30'000, 1},
                                          {GSST_FORMAT_TILES, 900, 1},
                                          {GSST_FORMAT_TILES, 500'000, 3},
                                          {GSST_FORMAT_TILES, 30'000, 3},
                                          {GSST_FORMAT_TILES, 500'000, 5},
                                          {GSST_FORMAT_BLOCKS, 30'000, 1, ColumnLayout::lookup},
                                          {GSST_FORMAT_SPLITS, 700, 1, ColumnLayout::lookup},
                                          {GSST_FORMAT_SPLITS, 500'000, 3, ColumnLayout::lookup}};
  return all;
}

std::string name_of(const Layout& layout) {
  return "format " + std::to_string(layout.format) + ", blocks of " + std::to_string(layout.block_bytes) +
         ", level " + std::to_string(layout.level) +
         (layout.of_column == ColumnLayout::lookup ? ", for lookups" : "");
}

std::vector<std::byte> column_of(const Strings& strings, const char* type, const Layout& layout) {
  const ForeignArray foreign(type, strings);
  auto column = compress_column(foreign.schema, foreign.array,
                                {.format = static_cast<Format>(layout.format),
                                 .block_bytes = layout.block_bytes,
                                 .splits = layout.format == GSST_FORMAT_SPLITS ? 7U : 0U,
                                 .level = layout.level},
                                {.layout = layout.of_column});
  EXPECT_TRUE(column) << column.failure().message;
  return std::move(column).value();
}

OwnedPlan plan_of(std::span<const std::byte> column, bool skip_checksums, std::uint32_t threads = 1) {
  gsst_decompress_options options{};
  options.struct_bytes = sizeof(options);
  options.skip_checksums = skip_checksums ? 1 : 0;
  options.threads = threads;
  gsst_column_plan* plan = nullptr;
  gsst_message message;
  EXPECT_EQ(gsst_column_plan_create(column.data(), column.size(), &options, &plan, &message), GSST_OK)
      << message.text;
  return OwnedPlan(plan);
}

bool gives(const OwnedPlan& plan, std::uint64_t string, const std::optional<std::string>& expected) {
  std::vector<char> output(expected.value_or("").size() + 1, untouched);
  std::size_t bytes = 77;
  int is_null = 77;
  const gsst_error error =
      gsst_column_string(plan.get(), string, output.data(), output.size() - 1, &bytes, &is_null, nullptr);
  return error == GSST_OK && bytes == output.size() - 1 && is_null == (expected ? 0 : 1) &&
         output.back() == untouched && std::string(output.data(), bytes) == expected.value_or("");
}

std::vector<std::uint64_t> any_order(std::size_t count) {
  std::vector<std::uint64_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::ranges::shuffle(numbers, std::mt19937_64(5));
  return numbers;
}

TEST(LibraryLookups, EachStringOfEachLayoutInAnyOrder) {
  const Strings strings = make_strings();
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(name_of(layout));
    for (const char* const type : {layout.level == 1 ? "u" : "Z"}) {
      const std::vector<std::byte> column = column_of(strings, type, layout);
      for (const bool skip_checksums : {false, true}) {
        const OwnedPlan plan = plan_of(column, skip_checksums);
        // The second time everything has been remembered.
        for (int round = 0; round < 2; ++round) {
          for (const std::uint64_t number : any_order(strings.size())) {
            ASSERT_TRUE(gives(plan, number, strings[number])) << number;
          }
        }
      }
    }
  }
}

TEST(LibraryLookups, TheClassGivesStringsAndNulls) {
  const Strings strings = {"alpha", std::nullopt, ""};
  const std::vector<std::byte> column = column_of(strings, "u", {GSST_FORMAT_TILES, 30'000, 1});
  const auto lookup = ColumnLookup::create(column);
  ASSERT_TRUE(lookup);
  std::vector<std::byte> output(8);
  const auto first = lookup.value().string(0, output);
  ASSERT_TRUE(first && first.value());
  EXPECT_EQ(first.value()->size(), 5);
  EXPECT_EQ(std::memcmp(first.value()->data(), "alpha", 5), 0);
  EXPECT_FALSE(lookup.value().string(1, output).value());
  EXPECT_TRUE(lookup.value().string(2, output).value()->empty());
  EXPECT_EQ(lookup.value().string(3, output).failure().error, Error::invalid_argument);
  EXPECT_EQ(ColumnLookup::create(std::span(column).first(20)).failure().error, Error::damaged);
}

TEST(LibraryLookups, SeveralThreadsReadTheSamePlan) {
  const Strings strings = make_strings();
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(name_of(layout));
    const std::vector<std::byte> column = column_of(strings, "u", layout);
    const OwnedPlan plan = plan_of(column, layout.level == 3);
    std::vector<std::thread> threads;
    std::vector<int> wrong(4);
    for (std::size_t i = 0; i < wrong.size(); ++i) {
      threads.emplace_back([&, i] {
        for (const std::uint64_t number : any_order(strings.size())) {
          wrong[i] += gives(plan, number, strings[number]) ? 0 : 1;
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(wrong.size()));
  }
}

TEST(LibraryLookups, BatchesOfAnySizeAndThreadsGiveTheStrings) {
  const Strings strings = make_strings();
  std::vector<std::uint64_t> numbers = any_order(strings.size());
  numbers.insert(numbers.end(), numbers.begin(), numbers.end());
  for (const Layout& layout : layouts()) {
    SCOPED_TRACE(name_of(layout));
    const std::vector<std::byte> column = column_of(strings, "u", layout);
    for (const std::uint32_t threads : {1U, 3U}) {
      auto plan = ColumnPlan::create(column, {.threads = threads});
      ASSERT_TRUE(plan);
      auto taken = plan.value().take(numbers);
      ASSERT_TRUE(taken) << taken.failure().message;
      const auto* const offsets = static_cast<const std::int32_t*>(taken.value().array().buffers[1]);
      const auto* const bytes = static_cast<const char*>(taken.value().array().buffers[2]);
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        ASSERT_EQ(std::string(bytes + offsets[i], bytes + offsets[i + 1]), strings[numbers[i]].value_or(""));
      }
    }
  }
}

// A frame's short ranges, which start and end anywhere, cover it all.
std::vector<Range> short_ranges(std::uint64_t size) {
  std::vector<Range> ranges;
  std::mt19937 random(7);
  std::uint64_t output = 0;
  for (std::uint64_t offset = 0; offset < size;) {
    const std::uint64_t bytes = std::min<std::uint64_t>(1 + random() % 150, size - offset);
    ranges.push_back({.offset = offset, .bytes = bytes, .output_offset = output});
    offset += std::max<std::uint64_t>(1, bytes / 2);
    output += bytes;
  }
  return ranges;
}

TEST(LibraryLookups, DamageIsRefusedWhereDecodingEverythingRefusesIt) {
  auto input = reference::test::make_text(9'000, 1);
  const auto random_bytes = reference::test::make_random(1'500, 2);
  input.insert(input.begin() + 4'000, random_bytes.begin(), random_bytes.end());
  int refused = 0;
  int accepted = 0;
  for (const Layout& layout : layouts()) {
    if (layout.of_column != ColumnLayout::dense) continue;
    SCOPED_TRACE(name_of(layout));
    const auto frame = compress(std::as_bytes(std::span(input)),
                                {.format = static_cast<Format>(layout.format),
                                 .block_bytes = std::min<std::uint64_t>(layout.block_bytes, 6'000),
                                 .splits = layout.format == GSST_FORMAT_SPLITS ? 7U : 0U,
                                 .level = layout.level})
                           .value();
    for (std::size_t position = 0; position < frame.size(); position += 61) {
      std::vector<std::byte> damaged = frame;
      damaged[position] ^= std::byte{0x21};
      const auto plan = DecompressPlan::create(damaged, {.skip_checksums = true});
      if (!plan) continue;
      std::vector<std::byte> whole(plan.value().output_bytes());
      const auto decoded = plan.value().execute(whole);
      std::string problem;
      for (const Range& range : short_ranges(whole.size())) {
        std::vector<std::byte> output(range.bytes + 1, static_cast<std::byte>(untouched));
        const auto read = plan.value().execute_ranges(
            std::vector<Range>{{.offset = range.offset, .bytes = range.bytes, .output_offset = 0}},
            std::span(output).first(range.bytes));
        ASSERT_EQ(output.back(), static_cast<std::byte>(untouched));
        if (!read) {
          if (problem.empty()) problem = read.failure().message;
        } else if (decoded) {
          ASSERT_TRUE(std::equal(output.begin(), output.end() - 1,
                                 whole.begin() + static_cast<std::ptrdiff_t>(range.offset)))
              << "byte " << position << " at " << range.offset;
        }
      }
      ASSERT_EQ(problem, decoded ? "" : decoded.failure().message) << "byte " << position;
      ++(decoded ? accepted : refused);
    }
  }
  EXPECT_GT(refused, 50);
  EXPECT_GT(accepted, 50);
}

TEST(LibraryLookups, ChecksumsAreComparedOnceForEachBlockOfAPlan) {
  const Strings strings = make_strings();
  const std::vector<std::byte> column = column_of(strings, "u", {GSST_FORMAT_SPLITS, 30'000, 1});
  std::vector<std::byte> damaged = column;
  // A code of the first block that decodes to something else.
  damaged[1500] ^= std::byte{1};
  const OwnedPlan plan = plan_of(damaged, false);
  std::vector<char> output(4000);
  std::size_t bytes = 77;
  gsst_message message;
  // Each time: what has failed is not taken for compared.
  for (int i = 0; i < 2; ++i) {
    const gsst_error error =
        gsst_column_string(plan.get(), 0, output.data(), output.size(), &bytes, nullptr, &message);
    EXPECT_TRUE(error == GSST_ERROR_WRONG_CHECKSUM || error == GSST_ERROR_DAMAGED) << error;
    EXPECT_TRUE(std::string(message.text).starts_with("block 0")) << message.text;
    EXPECT_EQ(bytes, 0);
  }
  EXPECT_TRUE(gives(plan, 1200, strings[1200]));

  const auto text = reference::test::make_text(5'000, 1);
  const auto frame = compress(std::as_bytes(std::span(text)),
                              {.format = Format::splits, .block_bytes = 1'000, .splits = 10});
  const auto read = DecompressPlan::create(frame.value()).value();
  std::vector<std::byte> byte(1);
  const std::vector<Range> range = {{.offset = 1'234, .bytes = 1, .output_offset = 0}};
  EXPECT_EQ(read.execute_ranges(range, byte).value().bytes, 1'000);
  EXPECT_EQ(read.execute_ranges(range, byte).value().bytes, 100);
}

TEST(LibraryLookups, MisuseIsRefusedByName) {
  const Strings strings = {"alpha", std::nullopt, "", "delta"};
  std::vector<std::byte> column = column_of(strings, "u", {GSST_FORMAT_TILES, 30'000, 1});
  const OwnedPlan plan = plan_of(column, false);
  std::vector<char> output(5, untouched);
  std::size_t bytes = 77;
  int is_null = 77;
  gsst_message message;
  EXPECT_EQ(gsst_column_string(nullptr, 0, output.data(), 5, &bytes, &is_null, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(std::string(message.text), "plan is null");
  EXPECT_EQ(bytes, 0);
  EXPECT_EQ(gsst_column_string(plan.get(), 0, output.data(), 5, nullptr, &is_null, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(std::string(message.text), "output_bytes is null");
  EXPECT_EQ(gsst_column_string(plan.get(), 0, nullptr, 5, &bytes, &is_null, &message),
            GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(std::string(message.text), "output is null");
  EXPECT_EQ(gsst_column_string(plan.get(), 4, output.data(), 5, &bytes, &is_null, &message),
            GSST_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(std::string(message.text), "there is no string 4, the column has 4");
  EXPECT_EQ(bytes, 0);
  EXPECT_EQ(gsst_column_string(plan.get(), 0, output.data(), 4, &bytes, &is_null, &message),
            GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(bytes, 5);
  EXPECT_EQ(gsst_column_string(plan.get(), 0, column.data() + 20, 5, &bytes, &is_null, &message),
            GSST_ERROR_OVERLAP);
  EXPECT_EQ(bytes, 0);
  EXPECT_EQ(is_null, 77);
  EXPECT_TRUE(std::ranges::all_of(output, [](char byte) { return byte == untouched; }));
  // Neither a null nor an empty string needs an output.
  for (const std::uint64_t number : {1, 2}) {
    EXPECT_EQ(gsst_column_string(plan.get(), number, nullptr, 0, &bytes, &is_null, nullptr), GSST_OK);
    EXPECT_EQ(bytes, 0);
    EXPECT_EQ(is_null, number == 1 ? 1 : 0);
  }
  EXPECT_EQ(gsst_column_string(plan.get(), 3, output.data(), 5, &bytes, nullptr, nullptr), GSST_OK);
  EXPECT_EQ(std::string(output.data(), 5), "delta");
}

}  // namespace
}  // namespace gsst::library::lookups
