#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/block_statuses.hpp"
#include "common/stage/default_stages.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/output_difference.hpp"
#include "stages/suite/stage_test.hpp"

// Every stage against the codec of its format, with frames that the codec makes.
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
        SCOPED_TRACE("shift " + std::to_string(shift));
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

// Whether the frame's blocks have the checksums of these bytes.
bool has_checksums_of(std::span<const std::uint8_t> frame, std::span<const std::uint8_t> output) {
  const std::vector<format::IndexEntry> entries = format::parse_frame(frame).index.entries;
  return std::ranges::all_of(entries, [&](const format::IndexEntry& entry) {
    const auto block = output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes);
    return format::checksum(entry.record.checksum_kind, block) == entry.record.checksum;
  });
}

// Whether a plan can be made for the frame.
bool is_accepted(std::span<const std::uint8_t> frame) {
  try {
    frame_shape(frame);
    return true;
  } catch (const format::FormatError&) {
    return false;
  }
}

bool is_decoded_by(const reference::Codec& codec, std::span<const std::uint8_t> frame) {
  try {
    reference::decode_file(codec, frame, 1);
    return true;
  } catch (const format::FormatError&) {
    return false;
  }
}

// Payloads that lie: whatever they say, nothing outside the output is touched, and what the codec refuses
// does not pass both the blocks' statuses and their checksums. Blocks before the damaged one are as ever.
TEST_P(StageTest, FindsDamagedPayloadsAndStaysInsideItsBuffers) {
  const std::vector<std::uint8_t> input = reference::test::make_text(4000, 3);
  const std::vector<std::uint8_t> frame = compress(input, 1000, 5);
  const std::vector<format::IndexEntry> entries = format::parse_frame(frame).index.entries;
  const reference::Codec& codec = reference::codec_of(stage().description.format);
  unsigned wrong = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::vector<std::uint8_t> damaged = frame;
    const auto noise = reference::test::make_random(8, seed);
    const std::size_t block = seed % entries.size();
    const format::IndexEntry& entry = entries[block];
    for (std::size_t hit = 0; hit < 4; ++hit) {
      damaged[entry.payload_offset + noise[hit] * std::size_t{257} % entry.record.payload_bytes] =
          noise[hit + 4];
    }
    if (!is_accepted(damaged)) {
      ++wrong;
      continue;
    }
    const DecodeResult result = decode_guarded(damaged, {}, seed % 16);
    if (HasFatalFailure()) return;
    // Blocks need nothing of later ones.
    const std::uint64_t before = entry.uncompressed_offset;
    EXPECT_TRUE(is_output(frame, std::span(input).first(before), result.output().first(before)));
    EXPECT_EQ(std::ranges::count(std::span(result.statuses).first(block), 0U), block);
    const auto problem =
        first_problem(stage().description.format, std::as_bytes(std::span(result.statuses)), 0);
    const bool is_right = !problem && has_checksums_of(damaged, result.output());
    EXPECT_EQ(is_right, is_decoded_by(codec, damaged));
    if (is_right) {
      EXPECT_TRUE(is_output(frame, input, result.output()));
    }
    if (problem) {
      EXPECT_FALSE(problem->description.empty());
    }
    wrong += is_right ? 0 : 1;
  }
  EXPECT_GT(wrong, 10u);
}

// A codec that makes frames of another format.
const reference::Codec& codec_of_another(format::BlockFormat format) {
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->is_framed() && codec->traits().format != format) return *codec;
  }
  throw std::logic_error("frames have one format only");
}

TEST_P(StageTest, RefusesUnknownParametersAndOtherFormats) {
  const std::vector<std::uint8_t> frame = compress(std::vector<std::uint8_t>{'a'}, 10, 1);
  EXPECT_THROW(run_decode(stage(), GetParam().executor, frame, {{"no_such_parameter", 1}}),
               std::invalid_argument);
  for (const Parameter& parameter : stage().description.parameters) {
    EXPECT_THROW(run_decode(stage(), GetParam().executor, frame, {{parameter.name, 1234567}}),
                 std::invalid_argument);
  }
  const std::vector<std::uint8_t> other =
      reference::encode_file(codec_of_another(stage().description.format), std::vector<std::uint8_t>{'a'});
  EXPECT_THROW(run_decode(stage(), GetParam().executor, other), std::invalid_argument);
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

  constexpr std::uint32_t failed = 1;
  const std::array<std::uint32_t, 3> words = {0, failed, 0};
  const Outcome wrong = plan->check(std::as_bytes(std::span(words)), {}, 40);
  ASSERT_TRUE(wrong.problem);
  EXPECT_FALSE(wrong.is_complete);
  EXPECT_EQ(wrong.problem->item, 41U);
  EXPECT_EQ(wrong.problem->description,
            format::rules_of(stage().description.format).describe(failed).problem);
  const Outcome right = plan->check(std::as_bytes(std::span(words).first(1)), {}, 40);
  EXPECT_TRUE(right.is_complete && !right.problem);
  EXPECT_EQ(right.count, 3000U);
  EXPECT_THROW(plans.make({.frame = shape, .parameters = {{"no_such_parameter", 1}}}), std::invalid_argument);
}

class StageInHostMemoryTest : public StageTest {};
INSTANTIATE_TEST_SUITE_P(AllStages, StageInHostMemoryTest,
                         testing::ValuesIn(in_host_memory(stage_cases(Operation::decode))), case_name);

TEST_P(StageInHostMemoryTest, ThreadsUseItsPlanAtTheSameTime) {
  const std::vector<std::uint8_t> input = reference::test::make_text(3000, 1);
  const std::vector<std::uint8_t> frame = compress(input, 1000, 3);
  const std::unique_ptr<Plan> plan =
      stage().decode.at(GetParam().executor).make({.frame = frame_shape(frame)});
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
  for (const std::vector<std::uint8_t>& output : outputs) EXPECT_TRUE(is_output(frame, input, output));
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
    EXPECT_FALSE(stage.decode.empty()) << description.id;
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
    EXPECT_TRUE(handles_format(*standard, format)) << standard->description.id;
  }
}

TEST(StageRegistry, EveryFormatOfAStageHasADefaultStage) {
  for (const Operation operation : operations) {
    // What asks a question names its stage: frames of one format answer several.
    if (operation == Operation::query) continue;
    for (const RegisteredStage& stage : registered_stages(operation)) {
      for (const format::Format& format : format::registered_formats()) {
        if (handles_format(stage, format.id)) expect_default(stage, format.id, operation);
      }
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
