#include "library/gpu_search_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/error.hpp"
#include "common/frame/frame.hpp"
#include "library/failure.hpp"
#include "library/frame_outline.hpp"
#include "library/guarded_memory.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Searches of frames through the library's plan, on the CPU executor. stages/search/tests/query tests the
// stages.
namespace gsst::library {
namespace {

using SearchedBytes = std::vector<std::uint8_t>;
using Positions = std::vector<std::uint64_t>;

constexpr std::uint64_t unwritten_word = 0xcdcdcdcdcdcdcdcd;

// A frame as device memory has it: the plan is made from its outline alone.
GpuSearchPlan plan_of_search(const SearchedBytes& frame, const std::vector<std::string>& patterns,
                             std::uint64_t position_capacity) {
  const FrameOutline outline(frame.size(), [&](std::span<std::uint8_t> to, std::uint64_t offset) {
    std::copy_n(frame.begin() + static_cast<std::ptrdiff_t>(offset), to.size(), to.begin());
  });
  return {stage::Executor::simt, outline.frame(), patterns, position_capacity};
}

struct FoundWords {
  Positions counts;
  // All that there is room for.
  Positions positions;
  std::vector<std::uint32_t> status;
};

template <typename Word>
std::vector<Word> words_of(const GuardedMemory& memory, std::uint64_t count) {
  std::vector<Word> words(count);
  const std::vector<std::uint8_t> bytes = memory.first(count * sizeof(Word));
  if (!bytes.empty()) std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

FoundWords run_search_plan(const GpuSearchPlan& plan, const SearchedBytes& in_memory) {
  GuardedMemory frame(in_memory.size());
  std::ranges::copy(in_memory, frame.data());
  GuardedMemory counts(plan.pattern_count() * sizeof(std::uint64_t));
  GuardedMemory positions(plan.position_count() * sizeof(std::uint64_t));
  GuardedMemory state(plan.state_bytes());
  GuardedMemory scratch(plan.scratch_bytes());
  GuardedMemory status(plan.status_count() * sizeof(std::uint32_t));
  counts.poison(0xcd);
  positions.poison(0xcd);
  status.poison(0xcd);
  plan.prepare(frame.data(), state.data(), nullptr);
  const std::vector<std::uint8_t> prepared = state.first(plan.state_bytes());
  const auto enqueue = [&] {
    plan.enqueue({.frame = frame.data(),
                  .counts = reinterpret_cast<std::uint64_t*>(counts.data()),
                  .positions = reinterpret_cast<std::uint64_t*>(positions.data()),
                  .state = state.data(),
                  .scratch = scratch.data(),
                  .status = reinterpret_cast<std::uint32_t*>(status.data())},
                 nullptr);
  };
  // What is prepared serves again.
  enqueue();
  scratch.poison(0xb7);
  positions.poison(0xcd);
  enqueue();
  EXPECT_TRUE(state.first(plan.state_bytes()) == prepared);
  EXPECT_TRUE(frame.is_intact() && counts.is_intact() && positions.is_intact() && state.is_intact() &&
              scratch.is_intact() && status.is_intact());
  return {.counts = words_of<std::uint64_t>(counts, plan.pattern_count()),
          .positions = words_of<std::uint64_t>(positions, plan.position_count()),
          .status = words_of<std::uint32_t>(status, plan.status_count())};
}

Positions positions_of(const SearchedBytes& text, std::string_view pattern) {
  const std::string_view all(reinterpret_cast<const char*>(text.data()), text.size());
  Positions found;
  for (std::size_t at = all.find(pattern); at != std::string_view::npos; at = all.find(pattern, at + 1)) {
    found.push_back(at);
  }
  return found;
}

// Blocks of text, and one of them stored raw.
SearchedBytes text_to_search(std::size_t block_bytes) {
  SearchedBytes text = reference::test::make_text(3 * block_bytes, 3);
  const SearchedBytes raw = reference::test::make_random(block_bytes, 4);
  text.insert(text.end(), raw.begin(), raw.end());
  const SearchedBytes more = reference::test::make_text(block_bytes / 2, 5);
  text.insert(text.end(), more.begin(), more.end());
  return text;
}

SearchedBytes frame_to_search(const SearchedBytes& text, std::size_t block_bytes, std::uint32_t code_bits) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = block_bytes,
                                    .code_bits = code_bits,
                                    .level = 1,
                                    .threads = 1});
}

std::string part_of(const SearchedBytes& text, std::size_t begin, std::size_t bytes) {
  const auto first = text.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(bytes)};
}

TEST(GpuSearches, FindEachPatternByItself) {
  constexpr std::size_t block_bytes = 4000;
  const SearchedBytes text = text_to_search(block_bytes);
  // Frequent, over the borders of blocks to a raw one and from it, long, and not there.
  const std::vector<std::string> patterns = {"e",
                                             part_of(text, block_bytes - 3, 7),
                                             part_of(text, 3 * block_bytes - 5, 9),
                                             part_of(text, 4 * block_bytes - 2, 6),
                                             part_of(text, 1234, 2000),
                                             std::string("\0\xff never", 8)};
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    SCOPED_TRACE(code_bits);
    const SearchedBytes frame = frame_to_search(text, block_bytes, code_bits);
    const std::uint64_t capacity = positions_of(text, "e").size() + 3;
    for (const std::uint64_t positions : {capacity, std::uint64_t{0}}) {
      const GpuSearchPlan plan = plan_of_search(frame, patterns, positions);
      EXPECT_EQ(plan.position_count(), positions * patterns.size());
      EXPECT_EQ(plan.status_count(), plan.summary().block_count * patterns.size());
      const FoundWords found = run_search_plan(plan, frame);
      EXPECT_NO_THROW(plan.check(found.counts, found.status));
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        const Positions expected = positions_of(text, patterns[i]);
        ASSERT_EQ(found.counts[i], expected.size()) << "pattern " << i;
        if (positions == 0) continue;
        const auto first = found.positions.begin() + static_cast<std::ptrdiff_t>(i * positions);
        Positions of_pattern(first, first + static_cast<std::ptrdiff_t>(positions));
        std::ranges::sort(of_pattern);
        EXPECT_TRUE(std::equal(expected.begin(), expected.end(), of_pattern.begin())) << "pattern " << i;
        EXPECT_EQ(std::ranges::count(of_pattern, unwritten_word),
                  static_cast<std::ptrdiff_t>(positions - expected.size()));
      }
    }
  }
}

TEST(GpuSearches, CountMoreMatchesThanThereIsRoomForAndSaySo) {
  const SearchedBytes text = reference::test::make_text(9000, 1);
  const SearchedBytes frame = frame_to_search(text, 4000, 10);
  const std::vector<std::string> patterns = {"not there", "e"};
  const Positions expected = positions_of(text, "e");
  const GpuSearchPlan plan = plan_of_search(frame, patterns, 5);
  const FoundWords found = run_search_plan(plan, frame);
  EXPECT_EQ(found.counts, (Positions{0, expected.size()}));
  const std::span<const std::uint64_t> of_second = std::span(found.positions).subspan(5);
  EXPECT_TRUE(std::ranges::all_of(
      of_second, [&](std::uint64_t at) { return std::ranges::binary_search(expected, at); }));
  try {
    plan.check(found.counts, found.status);
    FAIL() << "five positions of " << expected.size() << " are all";
  } catch (const ApiError& error) {
    EXPECT_EQ(error.error(), GSST_ERROR_OUTPUT_TOO_SMALL);
    EXPECT_EQ(std::string(error.what()),
              "pattern 1: there are " + std::to_string(expected.size()) + " matches, and room for 5");
  }
}

// Codes are changed, all else is checked when the plan is made.
TEST(GpuSearches, ReportDamagedCodes) {
  constexpr std::size_t block_bytes = 4000;
  const SearchedBytes text = reference::test::make_text(3 * block_bytes, 1);
  const SearchedBytes frame = frame_to_search(text, block_bytes, 8);
  const format::FrameView view = format::parse_frame(frame);
  std::size_t reported = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(seed);
    SearchedBytes changed = frame;
    for (std::size_t i = 0; i < 200; ++i) {
      changed[view.index.entries[1].payload_offset + 48 + 5 * i] =
          static_cast<std::uint8_t>(33 + (i + seed) % 64);
    }
    const GpuSearchPlan plan = plan_of_search(changed, {"e", "th"}, text.size());
    const FoundWords found = run_search_plan(plan, changed);
    try {
      plan.check(found.counts, found.status);
    } catch (const ApiError& error) {
      ++reported;
      EXPECT_EQ(error.error(), GSST_ERROR_DAMAGED);
      EXPECT_NE(std::string(error.what()).find(": block 1: codes of strip"), std::string::npos)
          << error.what();
    }
  }
  EXPECT_EQ(reported, 40u);
}

TEST(GpuSearches, FindNothingWhereThereIsNothing) {
  const SearchedBytes frame = frame_to_search({}, 4000, 8);
  const GpuSearchPlan empty = plan_of_search(frame, {"e"}, 3);
  const FoundWords found = run_search_plan(empty, frame);
  EXPECT_EQ(found.counts, Positions{0});
  EXPECT_NO_THROW(empty.check(found.counts, found.status));
  const SearchedBytes of_text = frame_to_search(reference::test::make_text(5000, 1), 4000, 8);
  const GpuSearchPlan nothing = plan_of_search(of_text, {}, 3);
  EXPECT_EQ(nothing.state_bytes() + nothing.scratch_bytes() + nothing.status_count(), 0u);
  EXPECT_NO_THROW(nothing.check({}, run_search_plan(nothing, of_text).status));
}

TEST(GpuSearches, RefuseWhatAGpuDoesNotSearch) {
  const SearchedBytes text = reference::test::make_text(3000, 1);
  const SearchedBytes frame = frame_to_search(text, 4000, 8);
  const auto refusal_of = [&](const std::vector<std::string>& patterns, std::uint64_t capacity) {
    try {
      plan_of_search(frame, patterns, capacity);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("none");
  };
  EXPECT_EQ(refusal_of({"e", ""}, 1), "pattern 1: has 0 bytes, expected 1 to 4096");
  EXPECT_EQ(refusal_of({std::string(4097, 'e')}, 1), "pattern 0: has 4097 bytes, expected 1 to 4096");
  EXPECT_EQ(refusal_of({std::string(4096, 'e')}, 1), "none");
  EXPECT_NE(refusal_of({"e", "f"}, ~std::uint64_t{0}).find("position_capacity"), std::string::npos);
  const SearchedBytes splits = reference::compress(text, {.format = format::BlockFormat::splits});
  EXPECT_THROW(GpuSearchPlan(stage::Executor::simt, splits, {}, 0), WrongFormat);
}

TEST(GpuSearches, NeedTheGpuOfTheirStage) {
  EXPECT_EQ(GpuSearchPlan::minimum_compute_capability(stage::Executor::simt), 90);
}

}  // namespace
}  // namespace gsst::library
