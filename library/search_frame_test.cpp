#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>
#include <vector>

#include "gsst/search.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Searching frames gives what searching their text gives.
namespace gsst::library::frame_search {
namespace {

using Places = std::vector<std::pair<std::uint64_t, std::uint64_t>>;

std::string text_of(const std::vector<std::uint8_t>& bytes) {
  return {bytes.begin(), bytes.end()};
}

// Words in lines of very different lengths, and bytes that no symbol has.
std::string make_lines(std::size_t bytes) {
  std::string text = text_of(reference::test::make_text(bytes, 1)) +
                     text_of(reference::test::make_random(9000, 2)) +
                     text_of(reference::test::make_text(bytes / 2, 3));
  std::mt19937 random(4);
  for (std::size_t at = 0; at < text.size(); at += random() % 20 == 0 ? random() % 2000 : random() % 70) {
    text[at] = '\n';
  }
  return text;
}

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

struct Layout {
  format::BlockFormat format;
  std::uint32_t code_bits;
};

// Frames of blocks that lines reach over.
std::vector<std::vector<std::byte>> frames_of(const std::string& text) {
  std::vector<std::vector<std::byte>> frames;
  const std::vector<std::uint8_t> input(text.begin(), text.end());
  for (const Layout layout :
       {Layout{format::BlockFormat::tiles, 8}, Layout{format::BlockFormat::tiles, 10},
        Layout{format::BlockFormat::tiles, 12}, Layout{format::BlockFormat::splits, 8},
        Layout{format::BlockFormat::blocks, 8}, Layout{format::BlockFormat::coalesced, 8}}) {
    reference::CompressOptions options{
        .format = layout.format, .block_bytes = 30'000, .level = 1, .threads = 1};
    if (layout.format == format::BlockFormat::tiles) options.code_bits = layout.code_bits;
    if (layout.format == format::BlockFormat::splits || layout.format == format::BlockFormat::coalesced) {
      options.split_count = 16;
    }
    const auto frame = reference::compress(input, options);
    const auto* const begin = reinterpret_cast<const std::byte*>(frame.data());
    frames.emplace_back(begin, begin + frame.size());
  }
  return frames;
}

bool is_at(std::string_view text, std::size_t place, std::string_view word) {
  return text.substr(place, word.size()) == word;
}

// Of words: the longest at each place, without those that overlap the one before.
Places places_of_words(std::string_view text, const std::vector<std::string>& words) {
  Places places;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::size_t longest = 0;
    for (const std::string& word : words) {
      if (is_at(text, at, word)) longest = std::max(longest, word.size());
    }
    if (longest == 0) continue;
    places.emplace_back(at, longest);
    at += longest - 1;
  }
  return places;
}

Places places_in(const SearchPlan& plan, std::span<const std::byte> frame, const DecompressOptions& options) {
  const auto matches = plan.find(frame, options, 10);
  EXPECT_TRUE(matches) << matches.failure().message;
  Places places;
  for (const Match& match : matches.value()) places.emplace_back(match.offset, match.bytes);
  EXPECT_EQ(plan.count(frame, options).value(), places.size());
  return places;
}

SearchPlan plan_of(const std::vector<Pattern>& patterns, const SearchOptions& options = {}) {
  auto plan = SearchPlan::create(patterns, options);
  EXPECT_TRUE(plan) << plan.failure().message;
  return std::move(plan).value();
}

class SearchFrame : public testing::Test {
protected:
  SearchFrame() : text_(make_lines(150'000)), frames_(frames_of(text_)) {}

  void expect_everywhere(const SearchPlan& plan, const Places& expected, const std::string& name) const {
    for (std::size_t i = 0; i < frames_.size(); ++i) {
      for (const std::uint32_t threads : {1U, 3U}) {
        ASSERT_EQ(places_in(plan, frames_[i], {.threads = threads}), expected) << name << " in frame " << i;
      }
    }
  }

  std::string text_;
  std::vector<std::vector<std::byte>> frames_;
};

TEST_F(SearchFrame, SubstringsAreWhereTheTextHasThem) {
  std::mt19937 random(5);
  for (int round = 0; round < 30; ++round) {
    std::vector<std::string> words;
    std::vector<Pattern> patterns;
    for (std::size_t left = 1 + (round % 3 == 0 ? random() % 12 : 0); left != 0; --left) {
      // Of any bytes, also over line ends and borders of blocks.
      const std::size_t at =
          round % 4 == 1 ? 30'000 * (1 + random() % 4) - random() % 8 : random() % text_.size();
      words.push_back(text_.substr(at, 1 + random() % (round % 5 == 0 ? 300 : 9)));
    }
    patterns.reserve(words.size());
    for (const std::string& word : words) patterns.push_back({.text = word});
    expect_everywhere(plan_of(patterns), places_of_words(text_, words), words.front());
  }
}

TEST_F(SearchFrame, OtherKindsAreMatchedInLines) {
  Places prefixes;
  Places suffixes;
  Places whole;
  const std::string line = [&] {
    const std::size_t begin = text_.find('\n', 70'000) + 1;
    return text_.substr(begin, text_.find('\n', begin) - begin);
  }();
  for (std::size_t begin = 0; begin < text_.size();) {
    const std::size_t end = std::min(text_.find('\n', begin), text_.size());
    const std::string_view found = std::string_view(text_).substr(begin, end - begin);
    if (found.starts_with("a")) prefixes.emplace_back(begin, 1);
    if (found.ends_with("t")) suffixes.emplace_back(end - 1, 1);
    if (found == line && !line.empty()) whole.emplace_back(begin, end - begin);
    begin = end + 1;
  }
  ASSERT_FALSE(prefixes.empty() || suffixes.empty() || whole.empty());
  expect_everywhere(plan_of({{.text = "a", .kind = PatternKind::prefix}}), prefixes, "prefix");
  expect_everywhere(plan_of({{.text = "t", .kind = PatternKind::suffix}}), suffixes, "suffix");
  expect_everywhere(plan_of({{.text = line, .kind = PatternKind::equals}}), whole, "equals");
  expect_everywhere(plan_of({{.text = "\n", .kind = PatternKind::equals}}), {}, "no line has a line end");
}

TEST_F(SearchFrame, CasesAreIgnoredWhereThatIsAskedFor) {
  std::string lower = text_;
  for (char& byte : lower) {
    if (byte >= 'A' && byte <= 'Z') byte = static_cast<char>(byte - 'A' + 'a');
  }
  const std::string word = lower.substr(200, 6);
  std::string upper = word;
  for (char& byte : upper) {
    if (byte >= 'a' && byte <= 'z') byte = static_cast<char>(byte - 'a' + 'A');
  }
  const Pattern pattern{.text = upper};
  expect_everywhere(plan_of({pattern}, {.ignore_case = true}), places_of_words(lower, {word}), upper);
  expect_everywhere(plan_of({pattern}), places_of_words(text_, {upper}), upper);
}

TEST_F(SearchFrame, MoreMatchesThanRoomGiveTheRightCount) {
  const Pattern pattern{.text = "e"};
  const SearchPlan plan = plan_of({pattern});
  const Places expected = places_of_words(text_, {"e"});
  const gsst_pattern c_pattern{.bytes = "e", .size = 1, .kind = GSST_PATTERN_SUBSTRING, .reserved = 0};
  gsst_search_plan* made = nullptr;
  ASSERT_EQ(gsst_search_plan_create(&c_pattern, 1, nullptr, &made, nullptr), GSST_OK);
  const std::unique_ptr<gsst_search_plan, decltype(&gsst_search_plan_destroy)> owned(
      made, gsst_search_plan_destroy);
  std::vector<gsst_match> matches(expected.size(), gsst_match{.offset = 77, .bytes = 77});
  std::uint64_t count = 0;
  gsst_message message;
  const auto search = [&](std::size_t capacity) {
    return gsst_search_frame(made, frames_[2].data(), frames_[2].size(), nullptr, matches.data(), capacity,
                             &count, &message);
  };
  EXPECT_EQ(search(expected.size() - 1), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(count, expected.size());
  EXPECT_EQ(message.text,
            "there are " + std::to_string(count) + " matches, and room for " + std::to_string(count - 1));
  EXPECT_EQ(matches.front().offset, expected.front().first);
  EXPECT_EQ(matches.back().offset, 77U);
  EXPECT_EQ(search(0), GSST_ERROR_OUTPUT_TOO_SMALL);
  EXPECT_EQ(search(expected.size()), GSST_OK);
  EXPECT_EQ(matches.back().offset, expected.back().first);
}

TEST_F(SearchFrame, APlanIsSharedByThreads) {
  const Pattern pattern{.text = "th"};
  const SearchPlan plan = plan_of({pattern});
  const Places expected = places_of_words(text_, {"th"});
  std::vector<Places> found(4);
  std::vector<std::thread> threads;
  for (Places& places : found) {
    threads.emplace_back([&] { places = places_in(plan, frames_[1], {}); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Places& places : found) EXPECT_EQ(places, expected);
}

TEST(SearchFrames, FilesOfFsstAndEmptyFramesAreSearched) {
  const std::string text = make_lines(50'000);
  const auto file = compress(bytes_of(text), {.format = Format::fsst}).value();
  const SearchPlan plan = plan_of({{.text = "an"}});
  EXPECT_EQ(places_in(plan, file, {.format = Format::fsst}), places_of_words(text, {"an"}));
  for (const Format format : {Format::tiles, Format::splits}) {
    EXPECT_EQ(places_in(plan, compress({}, {.format = format}).value(), {}), Places());
    EXPECT_EQ(places_in(plan, compress(bytes_of("banana"), {.format = format}).value(), {}),
              (Places{{1, 2}, {3, 2}}));
  }
}

}  // namespace
}  // namespace gsst::library::frame_search
