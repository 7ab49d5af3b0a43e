#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "gsst/search.hpp"
#include "library/foreign_array.hpp"
#include "reference_cpu/test_inputs.hpp"

// Searching columns gives what searching each string gives.
namespace gsst::library::column_search {
namespace {

using Answers = std::vector<std::optional<std::uint64_t>>;

// No string holds it.
constexpr char separator = '\xfe';

std::string text_of(std::span<const std::uint8_t> bytes) {
  return {bytes.begin(), bytes.end()};
}

// Nulls, empty ones, some longer than blocks, and bytes that no symbol has.
Strings make_strings() {
  const auto text = reference::test::make_text(400'000, 1);
  auto bytes = reference::test::make_random(20'000, 2);
  std::ranges::replace(bytes, static_cast<std::uint8_t>(separator), std::uint8_t{0});
  std::mt19937 random(3);
  Strings strings;
  for (std::size_t at = 0; at + 70'000 < text.size();) {
    const std::size_t size = random() % 2000 == 0 ? random() % 70'000 : random() % 60;
    strings.emplace_back(text_of(std::span(text).subspan(at, size)));
    at += size;
    if (random() % 9 == 0) strings.emplace_back();
    if (random() % 40 == 0) strings.emplace_back("");
  }
  strings.emplace_back(text_of(std::span(text).last(70'000)));
  for (std::size_t at = 0; at + 60 < bytes.size(); at += 47) {
    strings.emplace_back(text_of(std::span(bytes).subspan(at, at % 48)));
  }
  strings.emplace_back("");
  return strings;
}

std::vector<std::vector<std::byte>> columns_of(const Strings& strings, const char* type) {
  ForeignArray array(type, strings);
  std::vector<std::vector<std::byte>> columns;
  for (const CompressOptions& options :
       {CompressOptions{.format = Format::tiles, .block_bytes = 30'000, .level = 1},
        CompressOptions{.format = Format::tiles, .block_bytes = 30'000, .level = 3},
        CompressOptions{.format = Format::tiles, .level = 1},
        CompressOptions{.format = Format::splits, .block_bytes = 30'000, .splits = 16},
        CompressOptions{.format = Format::blocks, .block_bytes = 1000}}) {
    columns.push_back(compress_column(array.schema, array.array, options).value());
  }
  const ColumnOptions separated{.separator = static_cast<std::uint8_t>(separator)};
  for (const CompressOptions& options :
       {CompressOptions{.format = Format::tiles, .block_bytes = 30'000, .level = 1},
        CompressOptions{.format = Format::tiles, .block_bytes = 30'000, .level = 3},
        CompressOptions{.format = Format::splits, .block_bytes = 30'000, .splits = 16},
        CompressOptions{.format = Format::blocks, .block_bytes = 61}}) {
    columns.push_back(compress_column(array.schema, array.array, options, separated).value());
  }
  const ColumnOptions for_lookups{.layout = ColumnLayout::lookup};
  columns.push_back(compress_column(array.schema, array.array, {.block_bytes = 30'000}, for_lookups).value());
  return columns;
}

template <typename Value>
std::uint64_t value_of(const ArrowArray& array, std::size_t i) {
  return static_cast<std::uint64_t>(static_cast<const Value*>(array.buffers[1])[i]);
}

// Checks the array's shape as Arrow has it.
Answers answers_of(FoundStrings found, const std::string& format) {
  const ArrowArray& array = found.array.array();
  EXPECT_EQ(found.array.schema().format, format);
  EXPECT_EQ(array.n_buffers, 2);
  EXPECT_EQ(array.offset, 0);
  const auto* const validity = static_cast<const std::uint8_t*>(array.buffers[0]);
  EXPECT_EQ(validity == nullptr, array.null_count == 0);
  Answers answers;
  std::int64_t nulls = 0;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(array.length); ++i) {
    if (validity != nullptr && (validity[i / 8] >> (i % 8) & 1) == 0) {
      ++nulls;
      answers.emplace_back();
      continue;
    }
    if (format == "b")
      answers.emplace_back(static_cast<const std::uint8_t*>(array.buffers[1])[i / 8] >> (i % 8) & 1);
    if (format == "i") answers.emplace_back(value_of<std::int32_t>(array, i));
    if (format == "l") answers.emplace_back(value_of<std::int64_t>(array, i));
    total += *answers.back();
  }
  EXPECT_EQ(nulls, array.null_count);
  EXPECT_EQ(total, found.total);
  return answers;
}

template <typename Ask>
Answers ask_each(const Strings& strings, const Ask& ask) {
  Answers answers;
  for (const auto& string : strings) {
    answers.push_back(string ? std::optional<std::uint64_t>(ask(*string)) : std::nullopt);
  }
  return answers;
}

std::uint64_t count_in(std::string_view string, std::string_view word) {
  std::uint64_t count = 0;
  for (std::size_t at = string.find(word); at != std::string_view::npos;
       at = string.find(word, at + word.size())) {
    ++count;
  }
  return count;
}

SearchPlan plan_for(std::string_view text, PatternKind kind) {
  return SearchPlan::create(Pattern{.text = text, .kind = kind}).value();
}

class SearchColumn : public testing::Test {
protected:
  SearchColumn() : strings_(make_strings()), columns_(columns_of(strings_, "u")) {}

  template <typename Ask>
  void expect_matches(const SearchPlan& plan, const Ask& ask, const std::string& name) const {
    const Answers expected = ask_each(strings_, ask);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      for (const std::uint32_t threads : {1U, 3U}) {
        auto found = plan.match_column(columns_[i], {.threads = threads});
        ASSERT_TRUE(found) << found.failure().message;
        ASSERT_TRUE(answers_of(std::move(found).value(), "b") == expected) << name << " in column " << i;
      }
    }
  }

  void expect_counts(const SearchPlan& plan, const std::string& word) const {
    const Answers expected =
        ask_each(strings_, [&](const std::string& string) { return count_in(string, word); });
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      auto found = plan.count_in_column(columns_[i], {.threads = 2, .skip_checksums = i % 2 == 0});
      ASSERT_TRUE(found) << found.failure().message;
      ASSERT_TRUE(answers_of(std::move(found).value(), "i") == expected) << word << " in column " << i;
    }
  }

  Strings strings_;
  std::vector<std::vector<std::byte>> columns_;
};

TEST_F(SearchColumn, WordsOfTheTextAreFoundInTheirStringsAlone) {
  std::string all;
  for (const auto& string : strings_) all += string.value_or("");
  std::mt19937 random(4);
  for (int round = 0; round < 24; ++round) {
    // Over borders of strings and of blocks too.
    const std::size_t at =
        round % 4 == 0 ? 30'000 * (1 + random() % 5) - random() % 8 : random() % all.size();
    const std::string word = all.substr(at, 1 + random() % (round % 5 == 0 ? 100 : 12));
    const auto has = [&](const std::string& string) { return string.find(word) != std::string::npos; };
    expect_matches(plan_for(word, PatternKind::substring), has, word);
    expect_counts(plan_for(word, PatternKind::substring), word);
    const auto starts = [&](const std::string& string) { return string.starts_with(word); };
    expect_matches(plan_for(word, PatternKind::prefix), starts, word);
    const auto ends = [&](const std::string& string) { return string.ends_with(word); };
    expect_matches(plan_for(word, PatternKind::suffix), ends, word);
  }
}

TEST_F(SearchColumn, WholeStringsAreFound) {
  std::vector<std::string> wanted = {"", "no such string", *strings_.front()};
  for (std::size_t i = 7; i < strings_.size(); i += 97) wanted.push_back(strings_[i].value_or("x"));
  for (const std::size_t count : {std::size_t{1}, std::size_t{3}, wanted.size()}) {
    std::vector<Pattern> patterns;
    for (std::size_t i = 0; i < count; ++i)
      patterns.push_back({.text = wanted[i], .kind = PatternKind::equals});
    const auto equals = [&](const std::string& string) {
      return std::find(wanted.begin(), wanted.begin() + static_cast<std::ptrdiff_t>(count), string) !=
             wanted.begin() + static_cast<std::ptrdiff_t>(count);
    };
    expect_matches(SearchPlan::create(patterns).value(), equals, std::to_string(count));
  }
}

TEST_F(SearchColumn, LikeAndSeveralPatternsAreFound) {
  const std::string first = strings_[20].value_or("word").substr(0, 3);
  const std::string second = strings_[40].value_or("other").substr(0, 3);
  const std::string like = "%" + first + "%" + second + "%";
  const auto is_like = [&](const std::string& string) {
    const std::size_t at = string.find(first);
    return at != std::string::npos && string.find(second, at + first.size()) != std::string::npos;
  };
  expect_matches(plan_for(like, PatternKind::like), is_like, like);
  expect_matches(
      plan_for("%", PatternKind::like), [](const std::string&) { return true; }, "%");
  expect_matches(
      plan_for("", PatternKind::substring), [](const std::string&) { return true; }, "nothing");
  expect_matches(
      plan_for("_", PatternKind::like), [](const std::string& string) { return string.size() == 1; }, "_");
  const std::vector<Pattern> both = {{.text = first, .kind = PatternKind::prefix},
                                     {.text = second, .kind = PatternKind::suffix}};
  const auto either = [&](const std::string& string) {
    return string.starts_with(first) || string.ends_with(second);
  };
  expect_matches(SearchPlan::create(both).value(), either, "prefix or suffix");
  expect_matches(
      SearchPlan::create(std::vector<Pattern>()).value(), [](const std::string&) { return false; }, "none");
}

TEST_F(SearchColumn, NoMatchHoldsTheSeparator) {
  const auto never = [](const std::string&) { return false; };
  const std::string line(1, separator);
  for (const std::string& word :
       {line, *strings_[0] + line, line + line, *strings_[0] + line + *strings_[1]}) {
    for (const PatternKind kind :
         {PatternKind::substring, PatternKind::prefix, PatternKind::suffix, PatternKind::equals}) {
      expect_matches(plan_for(word, kind), never, "the separator");
    }
    expect_counts(plan_for(word, PatternKind::substring), word);
  }
  // One of two words alone cannot be.
  const std::string word = strings_[20].value_or("word").substr(0, 3);
  const std::vector<Pattern> both = {{.text = line, .kind = PatternKind::substring},
                                     {.text = word, .kind = PatternKind::substring}};
  const auto has = [&](const std::string& string) { return string.find(word) != std::string::npos; };
  expect_matches(SearchPlan::create(both).value(), has, "one of two words");
}

TEST(SearchColumns, LettersThatAreNoSeparatorAreFoundInAnyCase) {
  const Strings strings = {"banana", "", std::nullopt, "xyz", "a"};
  const ForeignArray array("u", strings);
  const ColumnOptions separated{.separator = static_cast<std::uint8_t>('A')};
  const auto column = compress_column(array.schema, array.array, {}, separated).value();
  for (const char* const text : {"A", "a", "nA"}) {
    const auto plan = SearchPlan::create(Pattern{.text = text}, {.ignore_case = true}).value();
    auto found = plan.match_column(column);
    const std::uint64_t is_alone = std::string(text).size() == 1 ? 1 : 0;
    EXPECT_EQ(answers_of(std::move(found).value(), "b"), (Answers{1, 0, std::nullopt, 0, is_alone}));
  }
}

TEST(SearchColumns, CountsOfWideColumnsAreWideAndNoNullsHaveNoBuffer) {
  const Strings strings = {"banana", "", "an", "nan"};
  for (const auto& [type, format] :
       {std::pair("u", "i"), std::pair("z", "i"), std::pair("U", "l"), std::pair("Z", "l")}) {
    for (const auto& column : columns_of(strings, type)) {
      auto found = plan_for("an", PatternKind::substring).count_in_column(column);
      EXPECT_EQ(answers_of(std::move(found).value(), format), (Answers{2, 0, 1, 1}));
    }
  }
  for (const auto& column : columns_of({}, "u")) {
    auto found = plan_for("an", PatternKind::substring).match_column(column);
    EXPECT_EQ(answers_of(std::move(found).value(), "b"), Answers());
  }
}

}  // namespace
}  // namespace gsst::library::column_search
