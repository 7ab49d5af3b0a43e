#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/search/shared/rows_question.hpp"
#include "stages/search/tests/query/run_search.hpp"
#include "stages/suite/test_sample.hpp"

// Stage search/09_rows marks the rows in which memmem() finds the pattern.
namespace gsst::search::kernels {
namespace {

using RowBorders = std::vector<std::uint64_t>;

struct MarkedRows {
  std::vector<std::uint8_t> bitmap;
  stage::Outcome outcome;
  // Whether bytes around the plan's memory were changed.
  bool has_left_memory = false;
};

std::unique_ptr<stage::Plan> rows_plan(const stage::StageCase& stage_case, const SearchedText& frame,
                                       const std::string& question, std::uint64_t output_bytes) {
  return stage::find_stage(stage_case.stage, stage::Operation::query)
      ->query.at(stage_case.executor)
      .make({.frames = {stage::frame_shape(frame)}, .question = question, .output_bytes = output_bytes});
}

template <typename Buffer>
MarkedRows run_rows_in(const stage::Plan& plan, stage::Executor executor, const SearchedText& frame,
                       const RowBorders& borders) {
  Buffer input(frame);
  SearchedText border_bytes(borders.size() * sizeof(std::uint64_t));
  std::memcpy(border_bytes.data(), borders.data(), border_bytes.size());
  Buffer border_input(border_bytes);
  std::vector<stage::Given> given = {stage::to_read(input.data(), frame.size())};
  std::vector<SearchMemory<Buffer>> memory;
  memory.reserve(plan.parts().size());
  for (const stage::Part& part : plan.parts().subspan(1)) {
    if (part.role == stage::Role::input) {
      given.push_back(stage::to_read(border_input.data(), border_bytes.size()));
    } else {
      memory.emplace_back(part.bytes);
      given.push_back(memory.back().given());
    }
  }
  plan.prepare(given, nullptr);
  stage::enqueue_all(plan, given, nullptr);
  // What an execution leaves must not matter to the next one.
  if (gsst::test::test_sample().is_whole()) stage::enqueue_all(plan, given, nullptr);
  stage::wait_for(executor);
  MarkedRows marked;
  for (std::size_t part = 0; part < memory.size(); ++part) {
    memory[part].read_back();
    marked.has_left_memory |= memory[part].is_left(plan.parts()[part + 1].bytes);
  }
  marked.bitmap = memory[0].content();
  const std::vector<std::uint8_t> result = memory[1].content();
  const std::vector<std::uint8_t> status = memory[4].content();
  marked.outcome = plan.check(std::as_bytes(std::span(status)), std::as_bytes(std::span(result)), 0);
  return marked;
}

MarkedRows run_rows(const stage::StageCase& stage_case, const SearchedText& frame,
                    const RowsQuestion& question, const RowBorders& borders) {
  const auto plan =
      rows_plan(stage_case, frame, rows_question(question), row_bitmap_bytes(question.rows) + 40);
#if GSST_WITH_CUDA
  if (stage_case.executor == stage::Executor::gpu) {
    return run_rows_in<cuda::DeviceBuffer>(*plan, stage_case.executor, frame, borders);
  }
#endif
  return run_rows_in<AlignedHostBuffer>(*plan, stage_case.executor, frame, borders);
}

bool has_match(const SearchedText& row, const SearchedText& pattern, RowMatch match) {
  const FoundPositions places = row.empty() ? FoundPositions() : positions_in_text(row, pattern);
  return std::ranges::any_of(places, [&](std::uint64_t place) {
    const bool is_at_begin = place == 0;
    const bool is_at_end = place + pattern.size() == row.size();
    return match == RowMatch::anywhere || (match == RowMatch::at_begin && is_at_begin) ||
           (match == RowMatch::at_end && is_at_end) ||
           (match == RowMatch::whole_row && is_at_begin && is_at_end);
  });
}

class RowsTest : public testing::TestWithParam<stage::StageCase> {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases =
        stage::stage_cases(stage::Operation::query, format::BlockFormat::tiles);
    std::erase_if(cases, [](const stage::StageCase& one) { return one.stage != "search/09_rows"; });
    return cases;
  }

protected:
  static void expect_rows(const SearchedText& frame, const SearchedText& text, const SearchedText& pattern,
                          const RowBorders& borders, RowMatch match) {
    RowsQuestion question{.pattern = {pattern.begin(), pattern.end()},
                          .rows = borders.size() - 1,
                          .most_matches = positions_in_text(text, pattern).size() + 1,
                          .match = match};
    SCOPED_TRACE("pattern of " + std::to_string(pattern.size()) + " bytes, match " +
                 std::to_string(static_cast<int>(match)) + ", " + std::to_string(question.rows) + " rows");
    std::vector<std::uint8_t> expected(row_bitmap_bytes(question.rows));
    std::uint64_t count = 0;
    for (std::size_t row = 0; row < question.rows; ++row) {
      const SearchedText bytes(text.begin() + static_cast<std::ptrdiff_t>(borders[row]),
                               text.begin() + static_cast<std::ptrdiff_t>(borders[row + 1]));
      if (!has_match(bytes, pattern, match)) continue;
      expected[row / 8] = static_cast<std::uint8_t>(expected[row / 8] | 1u << row % 8);
      ++count;
    }
    const MarkedRows marked = run_rows(GetParam(), frame, question, borders);
    ASSERT_FALSE(marked.outcome.problem);
    ASSERT_TRUE(marked.outcome.is_complete);
    ASSERT_EQ(marked.outcome.count, count);
    ASSERT_EQ(marked.bitmap, expected);
    ASSERT_FALSE(marked.has_left_memory);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, RowsTest, testing::ValuesIn(RowsTest::cases()), stage::case_name);

// Rows of 0 to `most_bytes` bytes, over `text`. Some text may be in front of the first and after the last.
RowBorders random_borders(std::size_t text_bytes, std::size_t most_bytes, std::mt19937_64& random) {
  RowBorders borders = {random() % 5};
  while (true) {
    const std::uint64_t next = borders.back() + random() % (most_bytes + 1);
    if (next > text_bytes) return borders;
    borders.push_back(next);
  }
}

constexpr std::array all_row_matches = {RowMatch::anywhere, RowMatch::at_begin, RowMatch::at_end,
                                        RowMatch::whole_row};

SearchedText frame_of_rows(const SearchedText& text, std::uint32_t code_bits) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = 10'000,
                                    .code_bits = code_bits,
                                    .codes_per_lane = 16,
                                    .level = 1,
                                    .threads = 1});
}

// Patterns that begin or end rows, are all of them, and go over their borders and those of blocks.
TEST_P(RowsTest, MarksRowsWithMatches) {
  std::mt19937_64 random(3);
  const SearchedText text = reference::test::make_text(25'000, 3);
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    // Under a tool one width, each tool its own.
    if (!sample.is_whole() && sample.first % 3 != choice++) continue;
    const SearchedText frame = frame_of_rows(text, code_bits);
    for (const std::size_t most_bytes : {3u, 40u, 3000u}) {
      const RowBorders borders = random_borders(text.size(), most_bytes, random);
      for (unsigned i = 0; i < 3; ++i) {
        const std::size_t row = random() % (borders.size() - 1);
        const auto begin = text.begin() + static_cast<std::ptrdiff_t>(borders[row]);
        const auto end = text.begin() + static_cast<std::ptrdiff_t>(borders[row + 1]);
        const std::ptrdiff_t part = std::max<std::ptrdiff_t>(1, std::min<std::ptrdiff_t>(end - begin, 1 + i));
        for (const RowMatch match : all_row_matches) {
          // The row's first bytes, its last ones, and all of it.
          ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, {begin, begin + part}, borders, match));
          if (end - text.begin() >= part) {
            ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, {end - part, end}, borders, match));
          }
          if (begin != end) {
            ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, {begin, end}, borders, match));
          }
        }
      }
      ASSERT_NO_FATAL_FAILURE(expect_rows(frame, text, {'z', 'q', 'z'}, borders, RowMatch::anywhere));
    }
  }
}

TEST_P(RowsTest, MarksNothingWithoutRows) {
  const SearchedText text = reference::test::make_text(3000, 3);
  const SearchedText frame = frame_of_rows(text, 10);
  expect_rows(frame, text, {'e'}, {0}, RowMatch::anywhere);
  expect_rows(frame, text, {'e'}, {0, 3000}, RowMatch::anywhere);
  const SearchedText nothing;
  expect_rows(frame_of_rows(nothing, 10), nothing, {'e'}, {0, 0, 0}, RowMatch::anywhere);
}

TEST_P(RowsTest, SaysHowManyMatchesNeedRoom) {
  const SearchedText text = reference::test::make_text(20'000, 3);
  const SearchedText frame = frame_of_rows(text, 10);
  const std::uint64_t matches = positions_in_text(text, {'e'}).size();
  for (const std::uint64_t room : {std::uint64_t{1}, matches - 1}) {
    const MarkedRows marked = run_rows(GetParam(), frame, {.pattern = "e", .rows = 1, .most_matches = room},
                                       RowBorders{0, text.size()});
    EXPECT_FALSE(marked.outcome.problem);
    EXPECT_FALSE(marked.outcome.is_complete);
    EXPECT_EQ(marked.outcome.count, matches);
    EXPECT_FALSE(marked.has_left_memory);
  }
}

TEST_P(RowsTest, RefusesWhatItCannotAnswer) {
  const SearchedText frame = frame_of_rows(reference::test::make_text(1000, 1), 10);
  const auto make = [&](const std::string& question, std::uint64_t room) {
    return rows_plan(GetParam(), frame, question, room);
  };
  const std::string question = rows_question({.pattern = "a", .rows = 65, .most_matches = 1});
  EXPECT_NE(make(question, 16), nullptr);
  EXPECT_THROW(make(question, 15), std::invalid_argument);
  EXPECT_THROW(make(question.substr(0, question.size() - 1), 16), std::invalid_argument) << "no pattern";
  EXPECT_THROW(make(question.substr(0, 20), 16), std::invalid_argument);
  EXPECT_THROW(make(rows_question({.pattern = "a", .rows = 65, .most_matches = 0}), 16),
               std::invalid_argument);
  EXPECT_THROW(make(rows_question({.pattern = "a", .rows = ~std::uint64_t{0}}), 16), std::invalid_argument);
  std::string unknown = question;
  unknown[11] = 4;
  EXPECT_THROW(make(unknown, 16), std::invalid_argument);
}

// A damaged block is a problem of the frame's, as it is of searches for positions.
TEST_P(RowsTest, ReportsDamagedStrips) {
  SearchedText text(4000, 'a');
  const SearchedText random = reference::test::make_text(4000, 1);
  text.insert(text.end(), random.begin(), random.end());
  const SearchedText frame = frame_of_rows(text, 10);
  unsigned problems = 0;
  for (std::size_t i = 0; i < 40; ++i) {
    SearchedText damaged = frame;
    damaged[frame.size() / 4 + i * frame.size() / 100] ^= 0x55;
    try {
      const MarkedRows marked =
          run_rows(GetParam(), damaged, {.pattern = "a", .rows = 1, .most_matches = text.size() * 8},
                   RowBorders{0, text.size()});
      EXPECT_FALSE(marked.has_left_memory);
      if (!marked.outcome.problem) continue;
      ++problems;
      EXPECT_FALSE(marked.outcome.is_complete);
      EXPECT_EQ(marked.outcome.count, 0u);
    } catch (const format::FormatError&) {
    }
  }
  EXPECT_NE(problems, 0u);
}

TEST(RowsQuestionTest, IsReadAsItWasWritten) {
  const RowsQuestion question{.pattern = std::string("a\0b", 3),
                              .rows = std::uint64_t{1} << 40 | 5,
                              .most_matches = 7,
                              .match = RowMatch::at_end};
  const auto read = read_rows_question(rows_question(question));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->pattern, question.pattern);
  EXPECT_EQ(read->rows, question.rows);
  EXPECT_EQ(read->most_matches, question.most_matches);
  EXPECT_EQ(read->match, question.match);
  EXPECT_FALSE(read_rows_question("a pattern"));
  EXPECT_EQ(row_bitmap_bytes(0), 0u);
  EXPECT_EQ(row_bitmap_bytes(64), 8u);
  EXPECT_EQ(row_bitmap_bytes(65), 16u);
}

}  // namespace
}  // namespace gsst::search::kernels
