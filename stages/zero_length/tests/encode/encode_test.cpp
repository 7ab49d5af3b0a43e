#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/zero_length/dictionary.hpp"
#include "common/format/zero_length/markers.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/zero_length/tests/dictionary_inputs.hpp"
#include "stages/zero_length/tests/inputs.hpp"
#include "stages/zero_length/tests/marked_inputs.hpp"
#include "stages/zero_length/tests/parameter_choices.hpp"

// Every encoder of the series whose memory is the host's: nothing is left to choose, so that its files have
// the bytes of the codec's.
namespace gsst::zero_length {
namespace {

using format::zero_length::bare_format;
using format::zero_length::dictionary_format;
using format::zero_length::frame_format;
using format::zero_length::markers_format;
using stage::Executor;
using stage::Given;
using stage::Operation;
using stage::StageCase;
using test::Bytes;

constexpr std::uint8_t poison = 0xb7;
constexpr std::size_t guard_bytes = 256;
// Of the addresses of all parts of all plans.
constexpr std::size_t most_alignment = 256;

class ZeroLengthEncodeTest : public testing::TestWithParam<StageCase> {
protected:
  const stage::RegisteredStage& stage() const {
    return *stage::find_stage(GetParam().stage, Operation::encode);
  }
  const stage::EncodePlans& plans() const { return *stage().encode.at(GetParam().executor); }

  bool is_slow() const { return GetParam().executor == Executor::simt; }

  // Kernels write the kind that is not one chain of operations for a whole block.
  format::ChecksumKind checksum_kind() const {
    return GetParam().executor == Executor::cpu ? format::ChecksumKind::xxh64
                                                : format::ChecksumKind::xxh64_tree;
  }

  Bytes encode(format::BlockFormat format, const Bytes& input, std::uint64_t block_bytes,
               unsigned threads = 1, const format::CodecOptions& options = {}) const {
    Bytes file;
    plans().encode(
        {.format = format, .settings = {.block_bytes = block_bytes, .options = options, .threads = threads}},
        format::reader_of(input), format::writer_to(file), {});
    return file;
  }

  // The file of a plan, in memory with guards whose start is `shift` bytes from an aligned address.
  Bytes execute(format::BlockFormat format, const Bytes& input, std::uint64_t block_bytes, std::size_t shift,
                const stage::ParameterValues& parameters = {},
                const format::CodecOptions& options = {}) const {
    const std::unique_ptr<stage::Plan> plan = plans().plan_of({.format = format,
                                                               .input_bytes = input.size(),
                                                               .block_bytes = block_bytes,
                                                               .options = options,
                                                               .parameters = parameters});
    const std::uint64_t output_bytes = bytes_of(*plan, stage::Role::output);
    Bytes output(output_bytes + 2 * guard_bytes + shift, poison);
    std::uint8_t* const start = output.data() + guard_bytes + shift;
    const std::uint64_t state_bytes = bytes_of(*plan, stage::Role::state);
    Bytes state(state_bytes + 3 * most_alignment, poison);
    const auto misaligned = reinterpret_cast<std::uintptr_t>(state.data()) % most_alignment;
    std::uint8_t* const state_start = state.data() + 2 * most_alignment - misaligned;
    std::vector<std::uint32_t> status(bytes_of(*plan, stage::Role::status) / sizeof(std::uint32_t), 99);
    std::uint64_t file_bytes = 0;
    stage::enqueue_all(
        *plan,
        std::array{stage::to_read(input.data(), input.size()), Given{.data = start, .bytes = output_bytes},
                   Given{.data = state_start, .bytes = state_bytes},
                   Given{.data = status.data(), .bytes = status.size() * sizeof(std::uint32_t)},
                   Given{.data = &file_bytes, .bytes = sizeof file_bytes}},
        nullptr);
    EXPECT_EQ(std::ranges::count(status, 0U), static_cast<std::ptrdiff_t>(status.size()));
    const auto is_poison = [](std::uint8_t byte) { return byte == poison; };
    EXPECT_TRUE(std::all_of(output.data(), start, is_poison));
    EXPECT_TRUE(std::all_of(start + output_bytes, output.data() + output.size(), is_poison));
    EXPECT_TRUE(std::all_of(state.data(), state_start, is_poison));
    EXPECT_TRUE(std::all_of(state_start + state_bytes, state.data() + state.size(), is_poison));
    const stage::Outcome outcome =
        plan->check(std::as_bytes(std::span(status)), std::as_bytes(std::span(&file_bytes, 1)), 0);
    EXPECT_TRUE(outcome.is_complete && !outcome.problem);
    EXPECT_EQ(outcome.count, file_bytes);
    EXPECT_LE(file_bytes, output_bytes);
    return {start, start + std::min(file_bytes, output_bytes)};
  }

  void expect_bytes_of_codec(const Bytes& input, std::uint64_t block_bytes, std::size_t shift) const {
    for (const format::BlockFormat format : {bare_format, frame_format}) {
      const Bytes expected = reference::encode_file(
          reference::codec_of(format), input,
          {.block_bytes = block_bytes, .checksum_kind = checksum_kind(), .threads = 1});
      // Where it is slow, one of both: they are the same kernels.
      if (!is_slow() || format == frame_format) {
        ASSERT_TRUE(encode(format, input, block_bytes) == expected);
      }
      if (is_slow() && format != bare_format) continue;
      for (const stage::ParameterValues& instructions : test::instruction_choices(stage().description)) {
        ASSERT_TRUE(execute(format, input, block_bytes, shift, instructions) == expected);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthEncodeTest,
                         testing::ValuesIn(stage::in_host_memory(stage::stage_cases(Operation::encode,
                                                                                    frame_format))),
                         stage::case_name);

TEST_P(ZeroLengthEncodeTest, EncodesEveryRunAtEveryOffset) {
  for (std::size_t offset = 0; offset < test::offsets_tested; ++offset) {
    Bytes input;
    for (std::size_t run = 0; run <= test::longest_run_tested; ++run) {
      const Bytes piece = test::run_at(offset, run);
      input.insert(input.end(), piece.begin(), piece.end());
      input.push_back(0x43);
    }
    SCOPED_TRACE(offset);
    expect_bytes_of_codec(input, 1 << 20, offset);
    if (!is_slow()) expect_bytes_of_codec(input, 1000 + offset, offset);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthEncodeTest, EncodesEveryShortStringBetweenOtherBytes) {
  Bytes input;
  test::for_each_short_string(8, [&](const Bytes& string) {
    input.insert(input.end(), string.begin(), string.end());
    input.push_back(0x41);
  });
  expect_bytes_of_codec(input, 1 << 20, 3);
}

// All strings of a length in one file, each in a block of its own. Kernels take whole warps for a block.
TEST_P(ZeroLengthEncodeTest, EncodesEveryShortStringAsABlock) {
  const std::size_t longest = is_slow() ? 5 : 8;
  std::vector<Bytes> inputs(longest + 1);
  test::for_each_short_string(longest, [&](const Bytes& string) {
    Bytes& input = inputs[string.size()];
    input.insert(input.end(), string.begin(), string.end());
  });
  for (std::size_t length = 1; length <= longest; ++length) {
    expect_bytes_of_codec(inputs[length], length, 1);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthEncodeTest, EncodesEveryBlockSize) {
  const Bytes input = test::random_mix(700, 5);
  for (std::uint64_t block_bytes = 1; block_bytes <= 701; block_bytes += is_slow() ? 5 : 1) {
    SCOPED_TRACE(block_bytes);
    expect_bytes_of_codec(input, block_bytes, block_bytes % 17);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthEncodeTest, EncodesRandomMixes) {
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_bytes_of_codec(test::random_mix(seed * 97 % 9000, seed), 2000, seed % 64);
    if (HasFatalFailure()) return;
  }
}

// More than the batches of each number of threads, and the bytes of any other.
TEST_P(ZeroLengthEncodeTest, EncodesNothingAndTheWorst) {
  expect_bytes_of_codec({}, 1000, 0);
  for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    expect_bytes_of_codec(Bytes(5000, byte), 1000, 3);
    expect_bytes_of_codec(Bytes(5001, byte), 1 << 20, 3);
  }
}

// 2 n + 16 bytes a block, and the guard block.
TEST_P(ZeroLengthEncodeTest, ThePlanSaysTheWorstCase) {
  const auto plan = plans().plan_of({.format = bare_format, .input_bytes = 2500, .block_bytes = 1000});
  EXPECT_EQ(bytes_of(*plan, stage::Role::output), 2 * 2500U + 3 * 16 + 8);
  EXPECT_EQ(execute(bare_format, Bytes(2500, 0xff), 1000, 0).size(), 2 * 2500U + 3 * 16 + 8);
}

TEST_P(ZeroLengthEncodeTest, RefusesWhatItDoesNotTake) {
  const stage::InputToEncode right = {.format = frame_format, .input_bytes = 100, .block_bytes = 10};
  EXPECT_NO_THROW(plans().plan_of(right));
  const auto refuses = [&](const stage::InputToEncode& input) {
    EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
    EXPECT_THROW(plans().describe(input), std::invalid_argument);
  };
  stage::InputToEncode input = right;
  input.format = format::BlockFormat::splits;
  refuses(input);
  input = right;
  input.block_bytes = 0;
  refuses(input);
  input.block_bytes = format::max_block_bytes + 1;
  refuses(input);
  input = right;
  input.options = {{"splits", 1}};
  refuses(input);
  input = right;
  input.parameters = {{"no_such_parameter", 1}};
  refuses(input);
}

// What stages of the executor cpu do with several threads.
class ZeroLengthHostEncodeTest : public ZeroLengthEncodeTest {};

std::vector<StageCase> cases_of_the_host() {
  std::vector<StageCase> cases = stage::stage_cases(Operation::encode, frame_format);
  std::erase_if(cases, [](const StageCase& stage) { return stage.executor != Executor::cpu; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthHostEncodeTest, testing::ValuesIn(cases_of_the_host()),
                         stage::case_name);

TEST_P(ZeroLengthHostEncodeTest, EncodesBlocksAtTheSameTime) {
  Bytes input = test::random_floats(std::size_t{5} << 20, 1, 1);
  // Blocks that are stored raw, some of them in the midst of others.
  std::fill_n(input.begin() + (std::size_t{3} << 20), 400'000, std::uint8_t{0xff});
  for (const std::uint64_t block_bytes : {std::uint64_t{30'011}, std::uint64_t{1} << 20}) {
    for (const format::BlockFormat format : {bare_format, frame_format}) {
      const Bytes expected = reference::encode_file(reference::codec_of(format), input,
                                                    {.block_bytes = block_bytes, .threads = 1});
      for (const unsigned threads : {1U, 2U, 3U, 0U}) {
        ASSERT_TRUE(encode(format, input, block_bytes, threads) == expected);
        ASSERT_TRUE(reference::encode_file(reference::codec_of(format), input,
                                           {.block_bytes = block_bytes, .threads = threads}) == expected);
      }
      for (const stage::ParameterValues& threads : test::thread_choices(stage().description)) {
        ASSERT_TRUE(execute(format, input, block_bytes, 5, threads) == expected);
      }
    }
  }
}

// A batch of one block is the least that it takes.
TEST_P(ZeroLengthHostEncodeTest, EncodesFilesInTheMemoryThatItIsGiven) {
  const Bytes input = test::random_floats(std::size_t{3} << 20, 2, 1);
  const Bytes expected = reference::encode_file(reference::codec_of(frame_format), input,
                                                {.block_bytes = 100'000, .threads = 1});
  for (const std::uint64_t memory_bytes : {300'000U, 1'000'000U}) {
    Bytes file;
    plans().encode({.format = frame_format,
                    .settings = {.block_bytes = 100'000, .threads = 4},
                    .memory_bytes = memory_bytes},
                   format::reader_of(input), format::writer_to(file), {});
    EXPECT_TRUE(file == expected);
  }
  EXPECT_THROW(
      plans().encode({.format = frame_format, .settings = {.block_bytes = 100'000}, .memory_bytes = 299'999},
                     format::reader_of(input), [](std::span<const std::uint8_t>) {}, {}),
      pipeline::MemoryLimitError);
}

// Encoders of format zle_markers.
class ZeroLengthMarkersEncodeTest : public ZeroLengthEncodeTest {
protected:
  void expect_bytes_with_each_choice(const Bytes& input, std::uint64_t block_bytes, std::size_t shift) const {
    for (const std::uint64_t marker : {0U, 1U}) {
      for (const std::uint64_t runs_of_4 : {0U, 1U}) {
        SCOPED_TRACE("--marker " + std::to_string(marker) + ", --runs-of-4 " + std::to_string(runs_of_4));
        const format::CodecOptions options = {{"marker", marker}, {"runs-of-4", runs_of_4}};
        const Bytes expected = reference::encode_file(
            reference::codec_of(markers_format), input,
            {.block_bytes = block_bytes, .checksum_kind = checksum_kind(), .options = options, .threads = 1});
        ASSERT_TRUE(encode(markers_format, input, block_bytes, 1, options) == expected);
        ASSERT_TRUE(execute(markers_format, input, block_bytes, shift, {}, options) == expected);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthMarkersEncodeTest,
                         testing::ValuesIn(stage::in_host_memory(stage::stage_cases(Operation::encode,
                                                                                    markers_format))),
                         stage::case_name);

TEST_P(ZeroLengthMarkersEncodeTest, EncodesEveryRunWithEveryMarker) {
  for (unsigned rarest = 1; rarest < 256; ++rarest) {
    Bytes input;
    for (std::size_t run = 0; run <= test::longest_run_tested; run += run < 12 || run > 240 ? 1 : 17) {
      input.insert(input.end(), run, 0);
      input.push_back(rarest == 0x41 ? 0x42 : 0x41);
    }
    // Every other value is more frequent, and the second rarest is the one above.
    for (unsigned value = 1; value < 256; ++value) {
      const std::size_t count = value == rarest ? 1 : value == rarest % 255 + 1 ? 2 : 3;
      input.insert(input.end(), count, static_cast<std::uint8_t>(value));
    }
    SCOPED_TRACE(rarest);
    expect_bytes_with_each_choice(input, 1 << 20, rarest % 64);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthMarkersEncodeTest, EncodesEveryShortStringAsABlock) {
  for (std::size_t length = 1; length <= 6; ++length) {
    Bytes input;
    test::for_each_marked_string(length, 2, [&](const Bytes& string) {
      if (string.size() == length) input.insert(input.end(), string.begin(), string.end());
    });
    expect_bytes_with_each_choice(input, length, 1);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthMarkersEncodeTest, EncodesRandomMixesNothingAndTheWorst) {
  expect_bytes_with_each_choice({}, 1000, 0);
  for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0x01}, std::uint8_t{0xff}}) {
    expect_bytes_with_each_choice(Bytes(5001, byte), 1000, 3);
    expect_bytes_with_each_choice(Bytes(5001, byte), 1 << 20, 3);
  }
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_bytes_with_each_choice(test::random_mix(seed * 97 % 9000, seed), 2000, seed % 64);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthMarkersEncodeTest, WritesNoOtherFormatAndTakesNoOtherOption) {
  const stage::InputToEncode right = {.format = markers_format, .input_bytes = 100, .block_bytes = 10};
  EXPECT_NO_THROW(plans().plan_of(right));
  for (const format::BlockFormat format : {frame_format, bare_format, format::BlockFormat::splits}) {
    stage::InputToEncode input = right;
    input.format = format;
    EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
  }
  stage::InputToEncode input = right;
  input.options = {{"splits", 1}};
  EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
}

// Encoders of format zle_dictionary.
class ZeroLengthDictionaryEncodeTest : public ZeroLengthEncodeTest {
protected:
  void expect_bytes_of_oracle(const Bytes& input, std::uint64_t block_bytes, std::size_t shift) const {
    const Bytes expected =
        reference::encode_file(reference::codec_of(dictionary_format), input,
                               {.block_bytes = block_bytes, .checksum_kind = checksum_kind(), .threads = 1});
    ASSERT_TRUE(encode(dictionary_format, input, block_bytes) == expected);
    for (const stage::ParameterValues& threads : test::thread_choices(stage().description)) {
      ASSERT_TRUE(execute(dictionary_format, input, block_bytes, shift, threads) == expected);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthDictionaryEncodeTest,
                         testing::ValuesIn(stage::in_host_memory(stage::stage_cases(Operation::encode,
                                                                                    dictionary_format))),
                         stage::case_name);

// Around each border: of the bits, of the hash table's growth, of what pays.
TEST_P(ZeroLengthDictionaryEncodeTest, EncodesEveryNumberOfValuesNearABorder) {
  const std::uint64_t seed = test::first_seed();
  for (std::uint32_t bits = 0; bits <= 15; ++bits) {
    for (const std::int64_t more : {-1, 0, 1, 2}) {
      const std::int64_t values = (std::int64_t{1} << bits) + more;
      if (values < 1) continue;
      const auto count = static_cast<std::uint32_t>(values);
      SCOPED_TRACE(std::to_string(count) + " values, seed " + std::to_string(seed));
      const Bytes input = test::floats_of_values(count, 2 * std::size_t{count} + 20, bits % 4, seed);
      expect_bytes_of_oracle(input, input.size(), count % 64);
      if (HasFatalFailure()) return;
    }
  }
  const std::uint32_t most = format::zero_length::most_paying_values(40'003);
  for (const std::uint32_t count : {most - 1, most, most + 1}) {
    expect_bytes_of_oracle(test::floats_of_values(count, 10'000, 3, seed), 40'003, 3);
  }
}

TEST_P(ZeroLengthDictionaryEncodeTest, EncodesEveryBlockSize) {
  const Bytes input = test::floats_of_values(30, 500, 3, 5);
  for (std::uint64_t block_bytes = 1; block_bytes <= input.size(); block_bytes += block_bytes < 100 ? 1 : 7) {
    SCOPED_TRACE(block_bytes);
    expect_bytes_of_oracle(input, block_bytes, block_bytes % 17);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthDictionaryEncodeTest, EncodesRandomMixesNothingAndOneValue) {
  expect_bytes_of_oracle({}, 1000, 0);
  for (const std::uint8_t byte : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
    expect_bytes_of_oracle(Bytes(5001, byte), 1000, 3);
    expect_bytes_of_oracle(Bytes(5001, byte), 1 << 20, 3);
  }
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_bytes_of_oracle(test::random_mix(seed * 97 % 9000, seed), 2000, seed % 64);
    expect_bytes_of_oracle(test::random_floats(seed * 97 % 9000, seed, 1), 2000, seed % 64);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthDictionaryEncodeTest, WritesNoOtherFormatAndTakesNoOption) {
  const stage::InputToEncode right = {.format = dictionary_format, .input_bytes = 100, .block_bytes = 10};
  EXPECT_NO_THROW(plans().plan_of(right));
  for (const format::BlockFormat format : {frame_format, bare_format, markers_format}) {
    stage::InputToEncode input = right;
    input.format = format;
    EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
  }
  stage::InputToEncode input = right;
  input.options = {{"marker", 1}};
  EXPECT_THROW(plans().plan_of(input), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::zero_length
