#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/tile_integer/layouts.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/frame_shape.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/tests/query/run_query.hpp"

// Stages that decode a column into its sum give the sum of the values that were encoded.
namespace gsst::tile_integer {
namespace {

constexpr std::uint64_t seed_of_sums = 137;
// Values of a tile of 16 packed blocks.
constexpr std::uint64_t tile_of_sums = 16 * 128;

using SummedNumbers = std::vector<std::uint32_t>;

std::uint64_t wrapped_sum(const SummedNumbers& column) {
  std::uint32_t sum = 0;
  for (const std::uint32_t value : column) sum += value;
  return sum;
}

// Values of up to `width` bits above 1000.
SummedNumbers summed_numbers(std::size_t count, unsigned width, std::mt19937_64& random) {
  SummedNumbers column(count);
  for (std::uint32_t& value : column) {
    value = static_cast<std::uint32_t>(random() & ((std::uint64_t{1} << width) - 1)) + 1000;
  }
  return column;
}

// Each 32 values have a width of their own, from `least` to `most`.
SummedNumbers summed_numbers_of_widths(std::size_t count, unsigned least, unsigned most,
                                       std::mt19937_64& random) {
  SummedNumbers column;
  while (column.size() < count) {
    const auto width = static_cast<unsigned>(least + random() % (most - least + 1));
    const SummedNumbers values = summed_numbers(32, width, random);
    column.insert(column.end(), values.begin(), values.end());
  }
  column.resize(count);
  return column;
}

class SumsTest : public testing::TestWithParam<stage::StageCase> {
protected:
  static void expect_sum(const SummedNumbers& column, std::uint64_t block_values, std::size_t shift = 0,
                         const stage::ParameterValues& parameters = {}) {
    expect_sum_of(compressed_column(format_of(GetParam()), column, block_values * sizeof(std::uint32_t)),
                  column, block_values, shift, parameters);
  }

  static void expect_sum_of(const std::vector<std::uint8_t>& frame, const SummedNumbers& column,
                            std::uint64_t block_values, std::size_t shift,
                            const stage::ParameterValues& parameters) {
    SCOPED_TRACE(std::to_string(column.size()) + " values, blocks of " + std::to_string(block_values) +
                 ", address + " + std::to_string(shift) + ", seed " + std::to_string(seed_of_sums));
    const std::vector<std::vector<std::uint8_t>> frames = {frame};
    const std::unique_ptr<stage::Plan> plan =
        query_plan(GetParam().stage, GetParam().executor, "sum", 8, frames, parameters);
    const QueryResult result = run_plan(*plan, GetParam().executor, frames, shift);
    EXPECT_FALSE(result.has_left_memory);
    EXPECT_FALSE(result.outcome.problem);
    EXPECT_TRUE(result.outcome.is_complete);
    EXPECT_EQ(result.outcome.count, 1u);
    EXPECT_EQ(result.sums, std::vector<std::uint64_t>{wrapped_sum(column)});
  }

  static void expect_refused(const std::string& question, std::uint64_t output_bytes,
                             const std::vector<std::vector<std::uint8_t>>& frames) {
    EXPECT_THROW(query_plan(GetParam().stage, GetParam().executor, question, output_bytes, frames),
                 std::invalid_argument);
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, SumsTest, testing::ValuesIn(query_cases(true)), stage::case_name);

// Plain columns are frames of format `for`.
class PlainSumsTest : public SumsTest {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases = query_cases(true);
    std::erase_if(cases, [](const auto& one) { return format_of(one) != format::tile_integer::for_format; });
    return cases;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, PlainSumsTest, testing::ValuesIn(PlainSumsTest::cases()),
                         stage::case_name);

// Stages that are a ladder: of the other tests most run its last step alone.
class SumsLadderTest : public SumsTest {
public:
  static std::vector<stage::StageCase> cases() {
    std::vector<stage::StageCase> cases = query_cases(true);
    std::erase_if(cases, [](const auto& one) { return steps(one).empty(); });
    return cases;
  }

protected:
  static std::vector<std::int64_t> steps(const stage::StageCase& one) {
    for (const stage::Parameter& parameter :
         stage::find_stage(one.stage, stage::Operation::query)->description.parameters) {
      if (parameter.name == "step") return parameter.values;
    }
    return {};
  }

  // By each step, in blocks that end within a packed block and after it.
  static void expect_sum_of_steps(const SummedNumbers& column, std::size_t shift = 0) {
    for (const std::int64_t step : steps(GetParam())) {
      SCOPED_TRACE("step " + std::to_string(step));
      expect_sum(column, 2100, shift, {{"step", step}});
      expect_sum(column, 16384, shift, {{"step", step}});
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, SumsLadderTest, testing::ValuesIn(SumsLadderTest::cases()),
                         stage::case_name);

TEST_P(SumsLadderTest, StepsSumEveryLength) {
  std::mt19937_64 random(seed_of_sums);
  for (const std::size_t count : {0, 1, 127, 128, 129, 511, 512, 513, 4097}) {
    expect_sum_of_steps(summed_numbers_of_widths(count, 0, 32, random), count % 2 == 0 ? 0 : 4);
  }
}

TEST_P(SumsLadderTest, StepsSumTheWidestAndTheNarrowestValues) {
  std::mt19937_64 random(seed_of_sums);
  SummedNumbers column = summed_numbers(4500, 31, random);
  const SummedNumbers equal(4500, 5);
  column.insert(column.end(), equal.begin(), equal.end());
  expect_sum_of_steps(column, 1);
}

TEST_P(SumsLadderTest, StepsSumRawBlocksBetweenOthers) {
  std::mt19937_64 random(seed_of_sums);
  SummedNumbers column = summed_numbers_of_widths(2100, 0, 12, random);
  for (const unsigned width : {32U, 9U}) {
    const SummedNumbers more = summed_numbers(4500, width, random);
    column.insert(column.end(), more.begin(), more.end());
  }
  expect_sum_of_steps(column);
}

TEST_P(SumsTest, SumsEveryWidth) {
  std::mt19937_64 random(seed_of_sums);
  for (unsigned width = 0; width <= 32; ++width) {
    expect_sum(summed_numbers(8189, width, random), 16384);
    if (HasFailure()) return;
  }
}

// Miniblocks of a warp that differ, within each class of widths and between them.
TEST_P(SumsTest, SumsMixedWidths) {
  std::mt19937_64 random(seed_of_sums);
  for (const auto& [least, most] : {std::pair{0U, 8U}, {3U, 16U}, {17U, 32U}, {0U, 32U}}) {
    expect_sum(summed_numbers_of_widths(3 * tile_of_sums, least, most, random), 1 << 20);
  }
}

TEST_P(SumsTest, SumsEveryLength) {
  std::mt19937_64 random(seed_of_sums);
  for (const std::size_t count : {0, 1, 31, 127, 128, 129, 1023, 1024, 1153, 2047, 2048, 2049, 4097}) {
    expect_sum(summed_numbers_of_widths(count, 5, 9, random), 1 << 20, count % 2 == 0 ? 0 : 4);
  }
}

// More tiles than warps, and blocks that end within a tile and within a packed block.
TEST_P(SumsTest, SumsManyBlocksWithEveryParameter) {
  std::mt19937_64 random(seed_of_sums);
  const SummedNumbers column = summed_numbers_of_widths(8 * tile_of_sums, 0, 12, random);
  for (const stage::Parameter& parameter :
       stage::find_stage(GetParam().stage, stage::Operation::query)->description.parameters) {
    for (const std::int64_t value : parameter.values) {
      expect_sum(column, 2100, 0, {{parameter.name, value}});
      expect_sum(column, 30000, 0, {{parameter.name, value}});
    }
  }
}

TEST_P(SumsTest, SumsRawBlocksBetweenOthers) {
  std::mt19937_64 random(seed_of_sums);
  SummedNumbers column = summed_numbers_of_widths(3 * tile_of_sums, 0, 12, random);
  const SummedNumbers raw = summed_numbers(4500, 32, random);
  column.insert(column.begin() + 2100, raw.begin(), raw.end());
  expect_sum(column, 2100);
  expect_sum(column, 2100, 1);
  // More of them than a thread block sums at a time.
  const SummedNumbers more = summed_numbers(12'000, 32, random);
  column.insert(column.begin() + 6000, more.begin(), more.end());
  expect_sum(column, 6000);
  expect_sum(column, 6000, 2);
}

// Tiles of the widest values that are not raw need all of the shared memory.
TEST_P(SumsTest, SumsTheWidestValues) {
  std::mt19937_64 random(seed_of_sums);
  SummedNumbers column = summed_numbers(7 * tile_of_sums, 32, random);
  const SummedNumbers equal(2 * tile_of_sums, 5);
  column.insert(column.end(), equal.begin(), equal.end());
  expect_sum(column, 1 << 20);
}

// Blocks with less than a thread block sums at a time, just that, and several times that with some words
// left; of these the last one ends at once or in the middle.
TEST_P(PlainSumsTest, SumsPlainColumns) {
  std::mt19937_64 random(seed_of_sums);
  for (const auto& [count, block_values] : {std::pair{5000U, 2100U}, {4096U, 4096U}, {22'003U, 9001U}}) {
    const SummedNumbers column = summed_numbers(count, 32, random);
    const auto frame = column_frame("", column, Storage::plain, block_values * sizeof(std::uint32_t));
    for (const std::size_t shift : {0, 1, 4}) expect_sum_of(frame, column, block_values, shift, {});
  }
}

// A tile of wide values in a column of narrow ones has no room in a slot.
TEST_P(SumsTest, SumsTilesThatAreLargerThanMost) {
  std::mt19937_64 random(seed_of_sums);
  SummedNumbers column = summed_numbers(40 * tile_of_sums, 2, random);
  const SummedNumbers wide = summed_numbers_of_widths(2 * tile_of_sums, 20, 32, random);
  column.insert(column.begin() + 3 * tile_of_sums, wide.begin(), wide.end());
  expect_sum(column, 1 << 20);
  expect_sum(column, 1 << 20, 3);
}

// What follows the last value in its packed block is no value, whatever a file has there.
TEST_P(SumsTest, LeavesOutPadding) {
  const format::BlockFormat format = format_of(GetParam());
  // What a start points to: how many values, and the words before their bits.
  const bool is_interleaved = format == format::tile_integer::ifor_format;
  const bool is_vertical = format == format::tile_integer::vfor_format;
  const std::size_t unit_values = is_interleaved ? 1024 : is_vertical ? 4096 : 128;
  const std::size_t first_words = is_interleaved || is_vertical ? 1 : 2;
  // With as many equal ones before it that two values of 2 bits are not stored raw.
  SummedNumbers column(unit_values + 2, 7);
  column.back() = 9;
  std::vector<std::uint8_t> frame = compressed_column(format, column, 32768);
  stage::FrameOnDevice shape = stage::frame_shape(frame);
  shape.bytes = frame.data();
  const auto payload = static_cast<std::size_t>(shape.block(0, frame.data()).payload - frame.data());
  // After the header and three starts: words of values 16 to 31 of a miniblock, or of the third lane, where
  // only the first or the first two have a value.
  const std::size_t words = 16 + 3 * 4 + 2 * 4 * first_words;
  frame.at(payload + words + (first_words == 1 ? 8 : 4)) = 0xff;
  const std::vector<std::vector<std::uint8_t>> frames = {frame};
  const std::unique_ptr<stage::Plan> plan =
      query_plan(GetParam().stage, GetParam().executor, "sum", 8, frames);
  EXPECT_EQ(run_plan(*plan, GetParam().executor, frames).sums,
            std::vector<std::uint64_t>{wrapped_sum(column)});
}

TEST_P(SumsTest, RefusesWhatItCannotSum) {
  using format::tile_integer::Type;
  const auto frame_of = [](format::BlockFormat format, Type type, std::size_t bytes) {
    return reference::encode_file(reference::codec_of(format), std::vector<std::uint8_t>(bytes),
                                  {.options = {{"type", static_cast<std::uint64_t>(type)}}});
  };
  const format::BlockFormat format = format_of(GetParam());
  const auto good = frame_of(format, Type::u32, 4096);
  expect_refused("mean", 8, {good});
  expect_refused("sum", 7, {good});
  expect_refused("sum", 8, {good, good});
  expect_refused("sum", 8, {frame_of(format::tile_integer::dfor_format, Type::u32, 4096)});
  expect_refused("sum", 8, {frame_of(format, Type::i64, 4096)});
  expect_refused("sum", 8, {frame_of(format, Type::u32, 4097)});
}

}  // namespace
}  // namespace gsst::tile_integer
