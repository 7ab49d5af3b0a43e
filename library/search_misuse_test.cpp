#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gsst/search.hpp"
#include "library/foreign_array.hpp"
#include "reference_cpu/test_inputs.hpp"

// Wrong arguments and damaged input of searches: every one gives its code and a text.
namespace gsst::library::search_misuse {
namespace {

gsst_pattern pattern_of(const char* text, std::uint32_t kind = GSST_PATTERN_SUBSTRING) {
  return {.bytes = text, .size = std::string(text).size(), .kind = kind, .reserved = 0};
}

struct DestroySearch {
  void operator()(gsst_search_plan* plan) const { gsst_search_plan_destroy(plan); }
};
using OwnedSearch = std::unique_ptr<gsst_search_plan, DestroySearch>;

OwnedSearch make_search(const char* text, std::uint32_t kind = GSST_PATTERN_SUBSTRING) {
  const gsst_pattern pattern = pattern_of(text, kind);
  gsst_search_plan* plan = nullptr;
  EXPECT_EQ(gsst_search_plan_create(&pattern, 1, nullptr, &plan, nullptr), GSST_OK);
  return OwnedSearch(plan);
}

// The error of a plan, and its text.
std::pair<gsst_error, std::string> refusal(const std::vector<gsst_pattern>& patterns,
                                           const gsst_search_options* options = nullptr) {
  gsst_message message;
  auto* plan = reinterpret_cast<gsst_search_plan*>(&message);
  const gsst_error error =
      gsst_search_plan_create(patterns.data(), patterns.size(), options, &plan, &message);
  EXPECT_EQ(plan, nullptr);
  return {error, message.text};
}

TEST(SearchMisuse, PlansSayWhatIsWrongWithTheirPatterns) {
  using Refusal = std::pair<gsst_error, std::string>;
  const gsst_pattern good = pattern_of("x");
  EXPECT_EQ(refusal({good, pattern_of("a", 9)}),
            Refusal(GSST_ERROR_INVALID_ARGUMENT, "pattern 1: kind is 9, expected a gsst_pattern_kind"));
  gsst_pattern wrong = good;
  wrong.reserved = 1;
  EXPECT_EQ(refusal({wrong}), Refusal(GSST_ERROR_INVALID_ARGUMENT, "pattern 0: reserved is not 0"));
  wrong = good;
  wrong.bytes = nullptr;
  EXPECT_EQ(refusal({good, wrong}), Refusal(GSST_ERROR_NULL_POINTER, "pattern 1: bytes is null"));
  EXPECT_EQ(refusal({pattern_of("ab\\", GSST_PATTERN_LIKE)}),
            Refusal(GSST_ERROR_INVALID_ARGUMENT, "pattern 0: byte 2: a backslash at the end"));
  gsst_search_options options{};
  EXPECT_EQ(refusal({good}, &options).first, GSST_ERROR_INVALID_ARGUMENT);
  options.struct_bytes = sizeof(options);
  options.utf8 = 2;
  EXPECT_EQ(refusal({good}, &options),
            Refusal(GSST_ERROR_INVALID_ARGUMENT, "options: utf8 is 2, expected 0 or 1"));
  gsst_search_plan* plan = nullptr;
  EXPECT_EQ(gsst_search_plan_create(nullptr, 1, nullptr, &plan, nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(gsst_search_plan_create(&good, 1, nullptr, nullptr, nullptr), GSST_ERROR_NULL_POINTER);
  gsst_search_plan_destroy(nullptr);
}

TEST(SearchMisuse, NullPointersAndWrongInputAreRefused) {
  const OwnedSearch plan = make_search("x");
  const std::vector<std::byte> frame = compress({}).value();
  std::uint64_t count = 5;
  const auto search = [&](const gsst_search_plan* of, const void* bytes, std::size_t size,
                          std::uint64_t* to) {
    return gsst_search_frame(of, bytes, size, nullptr, nullptr, 0, to, nullptr);
  };
  EXPECT_EQ(search(nullptr, frame.data(), frame.size(), &count), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(count, 0U);
  EXPECT_EQ(search(plan.get(), nullptr, frame.size(), &count), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(search(plan.get(), frame.data(), frame.size(), nullptr), GSST_ERROR_NULL_POINTER);
  EXPECT_EQ(search(plan.get(), frame.data(), frame.size() - 1, &count), GSST_ERROR_DAMAGED);
  EXPECT_EQ(search(plan.get(), "text", 4, &count), GSST_ERROR_WRONG_FORMAT);
  EXPECT_EQ(search(plan.get(), frame.data(), frame.size(), &count), GSST_OK);
  gsst_decompress_options options{};
  options.struct_bytes = sizeof(options);
  options.threads = 5000;
  EXPECT_EQ(gsst_search_frame(plan.get(), frame.data(), frame.size(), &options, nullptr, 0, &count, nullptr),
            GSST_ERROR_INVALID_ARGUMENT);
  ArrowSchema schema{};
  ArrowArray array{};
  for (auto* const function : {gsst_search_column, gsst_search_column_counts}) {
    EXPECT_EQ(function(plan.get(), frame.data(), frame.size(), nullptr, &schema, &array, &count, nullptr),
              GSST_ERROR_WRONG_FORMAT);
    EXPECT_EQ(function(nullptr, frame.data(), frame.size(), nullptr, &schema, &array, &count, nullptr),
              GSST_ERROR_NULL_POINTER);
    EXPECT_EQ(function(plan.get(), frame.data(), frame.size(), nullptr, nullptr, &array, &count, nullptr),
              GSST_ERROR_NULL_POINTER);
    EXPECT_EQ(function(plan.get(), frame.data(), frame.size(), nullptr, &schema, nullptr, &count, nullptr),
              GSST_ERROR_NULL_POINTER);
  }
  EXPECT_EQ(schema.release, nullptr);
  EXPECT_EQ(array.release, nullptr);
}

// Damage gives a status or another answer: what is not looked at is not checked. It never reads outside.
TEST(SearchMisuse, DamageGivesAStatus) {
  const auto text = reference::test::make_text(6000, 1);
  Strings strings;
  for (std::size_t at = 0; at + 30 < text.size(); at += 20 + at % 11) {
    strings.emplace_back(std::string(text.begin() + static_cast<std::ptrdiff_t>(at),
                                     text.begin() + static_cast<std::ptrdiff_t>(at) + 20 + at % 11));
  }
  ForeignArray array("u", strings);
  const std::string rare(text.begin() + 2900, text.begin() + 2912);
  const std::vector<OwnedSearch> plans = [&] {
    std::vector<OwnedSearch> made;
    for (const char* word : {rare.c_str(), "e"}) made.push_back(make_search(word));
    made.push_back(make_search(("%" + rare + "%a%").c_str(), GSST_PATTERN_LIKE));
    return made;
  }();
  for (const Format format : {Format::tiles, Format::splits}) {
    const CompressOptions options{.format = format, .block_bytes = 2000, .level = 1};
    const auto column = compress_column(array.schema, array.array, options).value();
    const auto frame = compress(std::as_bytes(std::span(text)), options).value();
    std::size_t refused = 0;
    for (std::size_t at = 0; at < column.size(); ++at) {
      for (const unsigned change : {0x01U, 0x80U, 0xffU}) {
        const OwnedSearch& plan = plans[(at + change) % plans.size()];
        std::vector<std::byte> damaged = column;
        damaged[at] ^= static_cast<std::byte>(change);
        OwnedArray found;
        const gsst_error error = gsst_search_column(plan.get(), damaged.data(), damaged.size(), nullptr,
                                                    &found.schema(), &found.array(), nullptr, nullptr);
        EXPECT_TRUE(error == GSST_OK || error == GSST_ERROR_DAMAGED || error == GSST_ERROR_WRONG_CHECKSUM ||
                    error == GSST_ERROR_WRONG_FORMAT || error == GSST_ERROR_UNSUPPORTED_VERSION)
            << error << " at " << at;
        if (error != GSST_OK) ++refused;
        if (at >= frame.size()) continue;
        damaged = frame;
        damaged[at] ^= static_cast<std::byte>(change);
        std::uint64_t count = 0;
        const gsst_error of_frame = gsst_search_frame(plan.get(), damaged.data(), damaged.size(), nullptr,
                                                      nullptr, 0, &count, nullptr);
        EXPECT_NE(of_frame, GSST_ERROR_INTERNAL) << at;
      }
    }
    EXPECT_GT(refused, column.size() / 2);
  }
}

// What a search on codes is: most of the text is not decoded.
TEST(SearchMisuse, CodesThatAreNotLookedAtAreNotDecoded) {
  auto text = reference::test::make_text(200'000, 1);
  for (std::size_t at = 0; at < text.size(); at += 60) text[at] = '\n';
  const CompressOptions options{.format = Format::tiles, .block_bytes = 100'000, .level = 1};
  std::vector<std::byte> frame = compress(std::as_bytes(std::span(text)), options).value();
  frame[frame.size() / 2] ^= std::byte{0xff};
  ASSERT_FALSE(decompress(frame));
  const auto rare = SearchPlan::create(Pattern{.text = "no such word"}).value();
  EXPECT_EQ(rare.count(frame).value(), 0U);
  EXPECT_FALSE(SearchPlan::create(Pattern{.text = "_", .kind = PatternKind::like}).value().count(frame));
}

}  // namespace
}  // namespace gsst::library::search_misuse
