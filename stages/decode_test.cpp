#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "common/encode_stage/encode_stage.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/stage_test.hpp"

// Every stage against the oracle, with what the oracle compresses.
namespace gsst::stage {
namespace {

using reference::test::NamedInput;

// The default, then each value of each parameter alone.
std::vector<ParameterValues> parameter_choices(const Description& stage) {
  std::vector<ParameterValues> choices = {{}};
  for (const Parameter& parameter : stage.parameters) {
    for (const std::int64_t value : parameter.values) choices.push_back({{parameter.name, value}});
  }
  return choices;
}

TEST_P(StageTest, DecodesEveryAwkwardInput) {
  constexpr std::array<std::uint32_t, 5> split_counts = {1, 3, 32, 33, 256};
  std::size_t shift = 0;
  for (const NamedInput& input : reference::test::awkward_inputs()) {
    // Each number of splits meets inputs of every kind: their count is no multiple of five.
    const std::uint32_t split_count = split_counts[shift % split_counts.size()];
    SCOPED_TRACE(input.name + ", " + std::to_string(split_count) + " splits, shift " + std::to_string(shift));
    expect_decodes(compress(input.bytes, 7001, split_count), input.bytes, {}, shift % 17);
    if (HasFatalFailure()) return;
    ++shift;
  }
}

TEST_P(StageTest, DecodesWithEveryParameterValue) {
  const std::vector<std::uint8_t> input = reference::test::make_mixed(20000, 31);
  for (const std::uint32_t split_count : {31u, 257u}) {
    const std::vector<std::uint8_t> frame = compress(input, 3333, split_count);
    for (const ParameterValues& parameters : parameter_choices(stage().description)) {
      SCOPED_TRACE(parameters.empty()
                       ? std::string("defaults")
                       : parameters.begin()->first + " = " + std::to_string(parameters.begin()->second));
      expect_decodes(frame, input, parameters, 5);
      if (HasFatalFailure()) return;
    }
  }
}

// Every alignment of input and output, and block sizes around every border of the buffers.
TEST_P(StageTest, DecodesAtEveryAlignment) {
  for (std::size_t size = 1; size <= 400; size += size < 140 ? 1 : 13) {
    const std::vector<std::uint8_t> input = reference::test::make_mixed(3 * size, size);
    expect_decodes(compress(input, size, 3), input, {}, size % 129);
    if (HasFatalFailure()) return;
  }
}

// Behind the codes of a frame's only block stand fewer bytes than the widest transfer has: at some addresses
// the last one would reach over the frame's end.
TEST_P(StageTest, DecodesTheEndOfAFrameWithTransfersOfEveryWidth) {
  const std::vector<std::uint8_t> input = reference::test::make_mixed(3000, 32);
  const std::vector<std::uint8_t> frame = compress(input, input.size(), 33);
  for (const Parameter& parameter : stage().description.parameters) {
    if (!parameter.compile_time) continue;
    for (const std::int64_t value : parameter.values) {
      for (std::size_t shift = 0; shift < 128; shift += 16) {
        SCOPED_TRACE(parameter.name + " = " + std::to_string(value) + ", shift " + std::to_string(shift));
        expect_decodes(frame, input, {{parameter.name, value}}, shift);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST_P(StageTest, DecodesRandomStructuredInputs) {
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<std::uint8_t> input = reference::test::make_mixed(1000 + seed * 977, seed);
    const auto split_count = static_cast<std::uint32_t>(1 + seed * 7 % 64);
    expect_decodes(compress(input, 500 + seed * 401, split_count), input, {}, seed);
    if (HasFatalFailure()) return;
  }
}

TEST_P(StageTest, DecodesAnEmptyFrame) {
  expect_decodes(compress({}, 1000, 4), {}, {}, 0);
}

// Where the codes of a block stand in a frame.
struct CodePlace {
  std::size_t begin;
  std::size_t end;
};

CodePlace place_of_codes(std::span<const std::uint8_t> frame, std::size_t block) {
  const format::FrameView view = format::parse_frame(frame);
  const format::IndexEntry& entry = view.index.entries.at(block);
  if (view.header.format != format::BlockFormat::tiles) {
    // The last 150 bytes of a block are codes.
    const std::size_t end = entry.payload_offset + entry.record.payload_bytes;
    return {.begin = end - 150, .end = end};
  }
  const format::TilesHeader header(frame.data() + entry.payload_offset);
  const auto* const codes = header.tile(0);
  const std::size_t begin = static_cast<std::size_t>(codes - frame.data());
  return {.begin = begin, .end = begin + header.code_count()};
}

// Codes that lie: whatever they say, nothing outside the output is touched, and the block's status tells. The
// steps of a ladder take turns.
TEST_P(StageTest, ReportsDamagedCodesAndStaysInsideItsBuffers) {
  const std::vector<std::uint8_t> input = reference::test::make_text(16000, 3);
  // Large enough that no format stores them raw.
  const std::vector<std::uint8_t> frame = compress(input, 4000, 5);
  const std::vector<ParameterValues> steps = steps_of(stage().description);
  unsigned reported = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<std::uint8_t> damaged = frame;
    const auto noise = reference::test::make_random(16, seed);
    const std::size_t block = seed % 4;
    const CodePlace codes = place_of_codes(frame, block);
    for (std::size_t hit = 0; hit < 4; ++hit) {
      damaged[codes.begin + (noise[hit] * std::size_t{257}) % (codes.end - codes.begin)] = noise[hit + 4];
    }
    const std::vector<std::uint32_t> expected = oracle_statuses(damaged);
    for (const ParameterValues& parameters : {ParameterValues(), steps[seed % steps.size()]}) {
      const DecodeResult result = decode_guarded(damaged, parameters, seed % 16);
      if (HasFatalFailure()) return;
      EXPECT_EQ(result.statuses, expected) << (parameters.empty() ? 0 : parameters.begin()->second);
    }
    reported += expected[block] == 0 ? 0 : 1;
  }
  EXPECT_GT(reported, 10u);
}

TEST_P(StageTest, RefusesUnknownParametersAndOtherFormats) {
  const std::vector<std::uint8_t> frame = compress(std::vector<std::uint8_t>{'a'}, 10, 1);
  EXPECT_THROW(run_decode(stage(), GetParam().executor, frame, {{"no_such_parameter", 1}}),
               std::invalid_argument);
  EXPECT_THROW(run_decode(stage(), GetParam().executor, frame,
                          {{stage().description.parameters.front().name, 1234567}}),
               std::invalid_argument);
  const auto other = stage().description.format == format::BlockFormat::blocks ? format::BlockFormat::splits
                                                                               : format::BlockFormat::blocks;
  EXPECT_THROW(run_decode(stage(), GetParam().executor,
                          reference::compress(std::vector<std::uint8_t>{'a'}, {.format = other})),
               std::invalid_argument);
}

TEST_P(StageTest, ItsPlanSaysWhatMemoryItNeedsAndWhatWentWrong) {
  const std::vector<std::uint8_t> frame = compress(reference::test::make_text(3000, 1), 1000, 3);
  const FrameOnDevice shape = frame_shape(frame);
  const DecodePlans& plans = stage().decode.at(GetParam().executor);
  const std::unique_ptr<Plan> plan = plans.make({.frame = shape});
  const std::unique_ptr<Plan> apart = plans.make({.frame = shape, .index_is_apart = true});
  ASSERT_EQ(plan->parts().size(), 4U);
  ASSERT_EQ(apart->parts().size(), 5U);
  const std::array roles = {Role::input, Role::output, Role::scratch, Role::status, Role::input};
  for (std::size_t i = 0; i < roles.size(); ++i) EXPECT_EQ(apart->parts()[i].role, roles[i]);
  EXPECT_EQ(apart->parts()[0].bytes, frame.size());
  EXPECT_EQ(apart->parts()[1].bytes, 3000U);
  EXPECT_EQ(apart->parts()[3].bytes, 3 * sizeof(std::uint32_t));
  EXPECT_EQ(apart->parts()[4].bytes, 3 * format::index_entry_bytes);
  EXPECT_EQ(plan->phases().size(), 1U);

  constexpr auto too_short = static_cast<std::uint32_t>(BlockStatus::output_too_short);
  const std::array<std::uint32_t, 3> words = {0, too_short, 0};
  const Outcome wrong = plan->check(std::as_bytes(std::span(words)), {}, 40);
  ASSERT_TRUE(wrong.problem);
  EXPECT_FALSE(wrong.is_complete);
  EXPECT_EQ(wrong.problem->item, 41U);
  EXPECT_EQ(wrong.problem->description, "decode to fewer bytes than stated");
  const Outcome right = plan->check(std::as_bytes(std::span(words).first(1)), {}, 40);
  EXPECT_TRUE(right.is_complete && !right.problem);
  EXPECT_EQ(right.count, 3000U);
  EXPECT_THROW(plans.make({.frame = shape, .parameters = {{"no_such_parameter", 1}}}), std::invalid_argument);
}

TEST_P(StageTest, ThreadsUseItsPlanAtTheSameTime) {
  if (GetParam().executor == Executor::gpu) GTEST_SKIP() << "in memory of the host";
  const std::vector<std::uint8_t> input = reference::test::make_text(3000, 1);
  const std::vector<std::uint8_t> frame = compress(input, 1000, 3);
  const std::unique_ptr<Plan> plan = stage().decode.at(Executor::simt).make({.frame = frame_shape(frame)});
  const auto decode = [&](std::vector<std::uint8_t>& output) {
    output.resize(input.size());
    std::vector<std::uint64_t> scratch(bytes_of(*plan, Role::scratch) / sizeof(std::uint64_t) + 1);
    std::array<std::uint32_t, 3> status{};
    enqueue_all(
        *plan,
        std::array{to_read(frame.data(), frame.size()), Given{.data = output.data(), .bytes = output.size()},
                   Given{.data = scratch.data(), .bytes = scratch.size() * sizeof(std::uint64_t)},
                   Given{.data = status.data(), .bytes = sizeof status}},
        nullptr);
  };
  std::array<std::vector<std::uint8_t>, 3> outputs;
  {
    std::vector<std::jthread> threads;
    for (std::vector<std::uint8_t>& output : outputs) threads.emplace_back(decode, std::ref(output));
  }
  for (const std::vector<std::uint8_t>& output : outputs) EXPECT_TRUE(output == input);
}

TEST_P(StageTest, ItsPlanForNoBlocksEnqueuesNothing) {
  const std::unique_ptr<Plan> plan =
      stage().decode.at(GetParam().executor).make({.frame = frame_shape(compress({}, 1000, 3))});
  // Where a kernel would write.
  std::array<Given, 4> nothing{};
  nothing[0].bytes = plan->parts()[0].bytes;
  nothing[2].bytes = plan->parts()[2].bytes;
  EXPECT_NO_THROW(plan->enqueue(nothing, nullptr, 0));
}

TEST(StageRegistry, HasEachStageOnceWithItsBase) {
  ASSERT_FALSE(registered_stages(Operation::decode).empty());
  for (const RegisteredStage& stage : registered_stages(Operation::decode)) {
    const Description& description = stage.description;
    EXPECT_TRUE(stage.decode.contains(Executor::simt)) << description.id;
    EXPECT_FALSE(description.title.empty() || description.section.empty()) << description.id;
    EXPECT_TRUE(description.base.empty() || find_stage(description.base, Operation::decode) != nullptr)
        << description.id;
    for (const Parameter& parameter : description.parameters) {
      EXPECT_EQ(std::ranges::count(parameter.values, parameter.default_value), 1)
          << description.id << parameter.name;
    }
  }
}

void expect_default(const RegisteredStage& stage, format::BlockFormat format, Operation operation) {
  for (const Executor executor : {Executor::simt, Executor::gpu}) {
    if (!is_registered_for(stage, executor)) continue;
    SCOPED_TRACE(stage.description.id + ", format " + std::string(format::block_format_name(format)));
    const RegisteredStage* const standard = default_stage(format, operation, executor);
    ASSERT_NE(standard, nullptr);
    EXPECT_TRUE(is_registered_for(*standard, executor)) << standard->description.id;
    const bool handles_format =
        standard->description.format == format ||
        (operation == Operation::encode && format == format::BlockFormat::tiles && writes_tiles(*standard));
    EXPECT_TRUE(handles_format) << standard->description.id;
  }
}

TEST(StageRegistry, EveryFormatOfAStageHasADefaultStage) {
  for (const Operation operation : operations) {
    for (const RegisteredStage& stage : registered_stages(operation)) {
      expect_default(stage, stage.description.format, operation);
      if (writes_tiles(stage)) expect_default(stage, format::BlockFormat::tiles, operation);
    }
  }
}

TEST(StageRegistry, EveryDefaultStageIsThere) {
  for (const DefaultStage& line : default_stages()) {
    const auto format = format::block_format_from_name(line.format);
    ASSERT_TRUE(format) << line.format;
    EXPECT_NE(default_stage(*format, line.operation, line.executor), nullptr) << line.stage;
  }
}

}  // namespace
}  // namespace gsst::stage
