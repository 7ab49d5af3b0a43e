#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/tile_integer/encode/host_encode_plans.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Every encoder of the series that runs on the host's processors: nothing is left to choose, so that its
// frames have the bytes of the codecs'.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::shape_of;
using format::tile_integer::Type;
using stage::Given;
using stage::StageCase;

constexpr std::uint64_t seed_of_host_columns = 93;
constexpr std::uint8_t host_poison = 0xb7;
constexpr std::size_t host_guard_bytes = 128;

const HostEncodePlans* host_plans(const StageCase& one) {
  const stage::RegisteredStage* const stage = stage::find_stage(one.stage, stage::Operation::encode);
  return dynamic_cast<const HostEncodePlans*>(stage->encode.at(one.executor));
}

std::vector<StageCase> host_cases() {
  std::vector<StageCase> cases =
      stage::stage_cases(stage::Operation::encode, format::tile_integer::for_format);
  std::erase_if(cases, [](const StageCase& one) { return host_plans(one) == nullptr; });
  return cases;
}

struct HostColumn {
  ValueBytes bytes;
  Type type;

  format::CodecOptions options() const { return {{"type", static_cast<std::uint64_t>(type)}}; }
};

ValueBytes frame_of_codec(format::BlockFormat format, const HostColumn& column, std::uint64_t block_bytes) {
  return reference::encode_file(reference::codec_of(format), column.bytes,
                                {.block_bytes = block_bytes, .options = column.options(), .threads = 1});
}

class HostIntegerEncodeTest : public testing::TestWithParam<StageCase> {
protected:
  static const HostEncodePlans& plans() { return *host_plans(GetParam()); }

  // The frame of a plan, in memory with guards.
  static ValueBytes run_plan(format::BlockFormat format, const HostColumn& column, std::uint64_t block_bytes,
                             std::size_t shift, std::int64_t threads) {
    const std::unique_ptr<stage::Plan> plan = plans().plan_of({.format = format,
                                                               .input_bytes = column.bytes.size(),
                                                               .block_bytes = block_bytes,
                                                               .options = column.options(),
                                                               .parameters = {{"threads", threads}}});
    const std::uint64_t output_bytes = bytes_of(*plan, stage::Role::output);
    ValueBytes output(output_bytes + 2 * host_guard_bytes + shift, host_poison);
    std::uint8_t* const start = output.data() + host_guard_bytes + shift;
    std::vector<std::uint32_t> status(bytes_of(*plan, stage::Role::status) / sizeof(std::uint32_t), 99);
    std::uint64_t file_bytes = 0;
    stage::enqueue_all(
        *plan,
        std::array{stage::to_read(column.bytes.data(), column.bytes.size()),
                   Given{.data = start, .bytes = output_bytes}, Given{.data = nullptr, .bytes = 0},
                   Given{.data = status.data(), .bytes = status.size() * sizeof(std::uint32_t)},
                   Given{.data = &file_bytes, .bytes = sizeof file_bytes}},
        nullptr);
    EXPECT_EQ(std::ranges::count(status, 0U), std::ssize(status));
    const auto is_poison = [](std::uint8_t byte) { return byte == host_poison; };
    EXPECT_TRUE(std::all_of(output.data(), start, is_poison));
    EXPECT_TRUE(std::all_of(start + output_bytes, output.data() + output.size(), is_poison));
    const stage::Outcome outcome =
        plan->check(std::as_bytes(std::span(status)), std::as_bytes(std::span(&file_bytes, 1)), 0);
    EXPECT_TRUE(outcome.is_complete && !outcome.problem);
    EXPECT_LE(outcome.count, output_bytes);
    return {start, start + std::min(outcome.count, output_bytes)};
  }

  // In all formats.
  static void expect_frames_of_codecs(const HostColumn& column, std::uint64_t block_bytes,
                                      std::size_t shift = 0, std::int64_t threads = 1) {
    for (const format::BlockFormat format : plans().formats()) {
      SCOPED_TRACE(std::string(shape_of(column.type).name) + ", " + std::to_string(column.bytes.size()) +
                   " bytes in blocks of " + std::to_string(block_bytes) + ", shift " + std::to_string(shift) +
                   ", format " + std::to_string(static_cast<int>(format)) + ", seed " +
                   std::to_string(seed_of_host_columns));
      ASSERT_TRUE(run_plan(format, column, block_bytes, shift % 16, threads) ==
                  frame_of_codec(format, column, block_bytes));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, HostIntegerEncodeTest, testing::ValuesIn(host_cases()), stage::case_name);

// `count` values of up to `width` bits above 1000, in runs of up to `most` values.
Values host_values(std::size_t count, unsigned width, std::size_t most, std::mt19937_64& random) {
  Values values;
  while (values.size() < count) {
    values.insert(values.end(), 1 + random() % most, 1000 + lowest_bits(random(), width));
  }
  values.resize(count);
  return values;
}

TEST_P(HostIntegerEncodeTest, EncodesEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_host_columns);
  for (const Type type : all_types) {
    const unsigned most = shape_of(type).max_width();
    Values mixed;
    for (unsigned width = 0; width <= most; ++width) {
      const Values alone = host_values(300, width, 1 + width % 3, random);
      expect_frames_of_codecs({.bytes = bytes_of(alone, type), .type = type}, 1 << 20, width);
      // Each width next to others.
      const Values other = host_values(32, width * 7 % (most + 1), 1, random);
      mixed.insert(mixed.end(), other.begin(), other.end());
      if (HasFatalFailure()) return;
    }
    expect_frames_of_codecs({.bytes = bytes_of(mixed, type), .type = type}, 1 << 20, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_P(HostIntegerEncodeTest, EncodesLengthsAroundEveryBorder) {
  std::mt19937_64 random(seed_of_host_columns);
  for (const Type type : all_types) {
    const std::size_t value_bytes = shape_of(type).value_bytes;
    for (const std::size_t count : {0, 1, 31, 32, 33, 127, 128, 129, 511, 512, 513, 641, 1024, 1025}) {
      HostColumn column = {.bytes = bytes_of(host_values(count, 5, 1 + count % 9, random), type),
                           .type = type};
      column.bytes.insert(column.bytes.end(), count % value_bytes, 0x5a);
      expect_frames_of_codecs(column, 1 << 20, count);
      // Blocks that end within packed blocks and within values, and a last one that is shorter.
      expect_frames_of_codecs(column, 300 * value_bytes + count % value_bytes, count % 13);
      if (HasFatalFailure()) return;
    }
  }
}

// The extremes of a type, next to each other and half of the range apart, and values that rise and fall.
TEST_P(HostIntegerEncodeTest, EncodesExtremes) {
  for (const Type type : all_types) {
    const std::uint64_t least = smallest_value(type);
    for (const auto value : std::vector<std::uint64_t (*)(std::uint64_t index, std::uint64_t least)>{
             [](std::uint64_t index, std::uint64_t from) { return from - index % 2; },
             [](std::uint64_t index, std::uint64_t from) { return from + index % 7 - 3; },
             [](std::uint64_t index, std::uint64_t) { return (index % 2 + index % 3) * 0x8080808080808080; },
             [](std::uint64_t index, std::uint64_t) { return index * 3; },
             [](std::uint64_t index, std::uint64_t) { return 7 - 5 * index; },
             [](std::uint64_t index, std::uint64_t) { return std::uint64_t{1} << index / 32 % 64; }}) {
      Values values(1100);
      for (std::size_t i = 0; i < values.size(); ++i) values[i] = value(i, least);
      expect_frames_of_codecs({.bytes = bytes_of(values, type), .type = type}, 1 << 20);
      if (HasFatalFailure()) return;
    }
  }
}

// Some blocks are raw. Their neighbours are where they would be without threads.
TEST_P(HostIntegerEncodeTest, EncodesBlocksAtTheSameTime) {
  std::mt19937_64 random(seed_of_host_columns);
  for (const Type type : {Type::i16, Type::u32, Type::i64}) {
    Values values;
    for (unsigned block = 0; block < 12; ++block) {
      const Values next =
          host_values(700, block % 3 == 1 ? shape_of(type).max_width() : 5, 1 + block % 4, random);
      values.insert(values.end(), next.begin(), next.end());
    }
    const HostColumn column = {.bytes = bytes_of(values, type), .type = type};
    for (const std::int64_t threads : {0, 1, 2}) {
      expect_frames_of_codecs(column, std::uint64_t{700} * shape_of(type).value_bytes, 5, threads);
      if (HasFatalFailure()) return;
    }
  }
}

// From blocks without a whole value to those that coding makes smaller by one vector of bytes, or not.
TEST_P(HostIntegerEncodeTest, EncodesBlocksOfEverySize) {
  std::mt19937_64 random(seed_of_host_columns);
  for (const Type type : {Type::i8, Type::i32, Type::u64}) {
    const HostColumn column = {.bytes = bytes_of(host_values(60, 3, 4, random), type), .type = type};
    for (std::uint64_t block_bytes = 1; block_bytes < 200; ++block_bytes) {
      expect_frames_of_codecs(column, block_bytes, block_bytes);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(HostIntegerEncodeTest, EncodesFiles) {
  std::mt19937_64 random(seed_of_host_columns);
  constexpr std::uint64_t block_bytes = 2000;
  const HostColumn column = {.bytes = bytes_of(host_values(3121, 9, 2, random), Type::i64),
                             .type = Type::i64};
  for (const format::BlockFormat format : plans().formats()) {
    for (const std::uint64_t memory : {std::uint64_t{5000}, std::uint64_t{1} << 30}) {
      ValueBytes frame;
      const format::EncodeTotals totals =
          plans().encode({.format = format,
                          .settings = {.block_bytes = block_bytes, .options = column.options(), .threads = 3},
                          .memory_bytes = memory},
                         format::reader_of(column.bytes), format::writer_to(frame), {});
      EXPECT_TRUE(frame == frame_of_codec(format, column, block_bytes));
      EXPECT_EQ(totals.blocks, 13U);
      ValueBytes again;
      const format::EncodeTotals of_codec = reference::codec_of(format).encode(
          format::reader_of(column.bytes), format::writer_to(again),
          {.block_bytes = block_bytes, .options = column.options(), .threads = 1}, {});
      EXPECT_EQ(totals.how, of_codec.how);
    }
  }
}

TEST_P(HostIntegerEncodeTest, RefusesWhatItDoesNotTake) {
  const stage::InputToEncode right = {.format = format::tile_integer::rfor_format,
                                      .input_bytes = 100,
                                      .block_bytes = 10,
                                      .options = {{"type", 5}}};
  EXPECT_NO_THROW(plans().plan_of(right));
  const auto refuses = [&](const auto& change) {
    stage::InputToEncode input = right;
    change(input);
    EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
    EXPECT_THROW(plans().describe(input), std::invalid_argument);
  };
  refuses([](stage::InputToEncode& input) { input.format = format::BlockFormat::splits; });
  refuses([](stage::InputToEncode& input) { input.block_bytes = 0; });
  refuses([](stage::InputToEncode& input) { input.block_bytes = format::max_block_bytes + 1; });
  refuses([](stage::InputToEncode& input) { input.options = {{"type", 6}}; });
  refuses([](stage::InputToEncode& input) { input.options = {{"splits", 1}}; });
  refuses([](stage::InputToEncode& input) { input.parameters = {{"no_such_parameter", 1}}; });
  refuses([](stage::InputToEncode& input) { input.input_bytes = 10 * (format::max_block_count + 1); });
}

}  // namespace
}  // namespace gsst::tile_integer
