#include "library/column_choice.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gsst/column.hpp"
#include "library/foreign_array.hpp"
#include "reference_cpu/test_inputs.hpp"

// The automatic layout of columns is the one that is worth its bytes.
namespace gsst::library::column_choice {
namespace {

using Column = std::vector<std::byte>;

// Strings of `bytes` bytes of text each.
Strings text_strings(std::size_t count, std::size_t bytes) {
  const auto text = reference::test::make_text(count * bytes, 1);
  Strings strings;
  for (std::size_t i = 0; i < count; ++i) {
    const auto first = text.begin() + static_cast<std::ptrdiff_t>(i * bytes);
    strings.emplace_back(std::string(first, first + static_cast<std::ptrdiff_t>(bytes)));
  }
  return strings;
}

Column compress_with(const Strings& strings, ColumnLayout layout, const CompressOptions& options = {},
                     const char* type = "u") {
  const ForeignArray foreign(type, strings);
  auto column = compress_column(foreign.schema, foreign.array, options, {.layout = layout});
  EXPECT_TRUE(column) << column.failure().message;
  return column ? *column : Column();
}

std::uint32_t layout_of(const Column& column) {
  return gsst::ColumnPlan::create(column).value().info().layout;
}

TEST(ColumnChoice, TheLayoutIsTheOneThatIsWorthItsBytes) {
  for (const CompressOptions& options :
       {CompressOptions{}, CompressOptions{.format = Format::blocks}, CompressOptions{.level = 3},
        CompressOptions{.format = Format::splits, .block_bytes = 20'000, .splits = 4, .threads = 2}}) {
    bool has_dense = false;
    bool has_lookup = false;
    for (const std::size_t bytes : {1U, 8U, 40U, 3'000U}) {
      const Strings strings = text_strings(24'000 / bytes, bytes);
      const Column dense = compress_with(strings, ColumnLayout::dense, options);
      const Column lookup = compress_with(strings, ColumnLayout::lookup, options);
      const bool is_worth_it = lookup.size() <= dense.size() + dense.size() / 4;
      (is_worth_it ? has_lookup : has_dense) = true;
      EXPECT_EQ(compress_with(strings, ColumnLayout::automatic, options), is_worth_it ? lookup : dense)
          << bytes;
    }
    EXPECT_TRUE(has_dense);
    EXPECT_TRUE(has_lookup);
  }
}

TEST(ColumnChoice, AwkwardColumnsHaveALayoutToo) {
  for (const Strings& strings : {Strings{}, Strings{""}, Strings{std::nullopt}, Strings(3'000, std::nullopt),
                                 Strings{std::string(300, '\xff'), "", "x"}}) {
    for (const char* const type : {"u", "Z"}) {
      const Column column = compress_with(strings, ColumnLayout::automatic, {}, type);
      EXPECT_TRUE(column == compress_with(strings, ColumnLayout::dense, {}, type) ||
                  column == compress_with(strings, ColumnLayout::lookup, {}, type));
    }
  }
}

TEST(ColumnChoice, LongColumnsAreSampledAllOverTheirLength) {
  const CompressOptions splits{.format = Format::splits};
  // Long strings and then short ones: a sample of the beginning alone would take another layout.
  Strings strings = text_strings(270, 3'000);
  const Strings others = text_strings(1'200'000, 3);
  strings.insert(strings.end(), others.begin(), others.end());
  EXPECT_EQ(layout_of(compress_with(strings, ColumnLayout::automatic, splits)), GSST_COLUMN_DENSE);
  strings.resize(270);
  EXPECT_EQ(layout_of(compress_with(strings, ColumnLayout::automatic, splits)), GSST_COLUMN_LOOKUP);
}

TEST(ColumnChoice, LongStringsAndNullsAreSampledUpToTheirLimits) {
  Strings strings(1'100'000, std::nullopt);
  strings.push_back(std::string(600'000, 'x'));
  const Strings texts = text_strings(1'300, 3'000);
  strings.insert(strings.end(), texts.begin(), texts.end());
  const Column column = compress_with(strings, ColumnLayout::automatic);
  const bool is_dense = layout_of(column) == GSST_COLUMN_DENSE;
  EXPECT_EQ(column, compress_with(strings, is_dense ? ColumnLayout::dense : ColumnLayout::lookup));
}

TEST(ColumnChoice, WhatOnlyDenseColumnsHaveMakesThemDense) {
  const Strings strings = text_strings(100, 3'000);
  ASSERT_EQ(layout_of(compress_with(strings, ColumnLayout::automatic)), GSST_COLUMN_LOOKUP);
  for (const Format format : {Format::tiles, Format::coalesced}) {
    EXPECT_EQ(compress_with(strings, ColumnLayout::automatic, {.format = format}),
              compress_with(strings, ColumnLayout::dense, {.format = format}));
  }
  const ForeignArray foreign("u", strings);
  const ColumnOptions separated{.layout = ColumnLayout::automatic, .separator = std::uint8_t{0}};
  const ColumnOptions dense{.separator = std::uint8_t{0}};
  EXPECT_EQ(compress_column(foreign.schema, foreign.array, {}, separated).value(),
            compress_column(foreign.schema, foreign.array, {}, dense).value());
}

TEST(ColumnChoice, WhatEveryColumnRefusesIsRefused) {
  const ForeignArray foreign("u", {"abc"});
  const ColumnOptions automatic{.layout = ColumnLayout::automatic};
  const auto fsst = compress_column(foreign.schema, foreign.array, {.format = Format::fsst}, automatic);
  EXPECT_EQ(fsst.failure().error, Error::invalid_argument);
  ForeignArray broken("u", {"abc", "d"});
  // The first string ends before it begins.
  broken.offsets[4] = 0xff;
  broken.offsets[5] = broken.offsets[6] = broken.offsets[7] = 0xff;
  const auto refused = compress_column(broken.schema, broken.array, {}, automatic);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().error, Error::invalid_argument);
}

}  // namespace
}  // namespace gsst::library::column_choice
