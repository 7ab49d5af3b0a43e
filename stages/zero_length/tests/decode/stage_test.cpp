#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/zero_length/tests/frames.hpp"
#include "stages/zero_length/tests/inputs.hpp"
#include "stages/zero_length/tests/parameter_choices.hpp"

// Every decoder of the series, besides what the common suite asks of it.
namespace gsst::zero_length {
namespace {

using format::zero_length::Status;
using test::Bytes;

class ZeroLengthStageTest : public stage::StageTest {
protected:
  // Frames with blocks of several sizes.
  void expect_decodes_in_blocks(const Bytes& input, std::size_t shift) const {
    for (const std::uint64_t block_bytes : {std::uint64_t{100}, std::uint64_t{4096}}) {
      expect_decodes_with_all(compress(input, block_bytes, 1), input, shift);
    }
  }

  // With each instruction set, and with blocks at the same time or not.
  void expect_decodes_with_all(const Bytes& frame, const Bytes& input, std::size_t shift) const {
    for (const stage::ParameterValues& instructions : test::instruction_choices(stage().description)) {
      expect_decodes(frame, input, instructions, shift);
    }
    for (const stage::ParameterValues& threads : test::thread_choices(stage().description)) {
      expect_decodes(frame, input, threads, shift);
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, ZeroLengthStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::zero_length::frame_format)),
                         stage::case_name);

TEST_P(ZeroLengthStageTest, DecodesEveryRunAtEveryOffset) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  for (std::size_t offset = 0; offset < test::offsets_tested; ++offset) {
    if (!sample.has(offset)) continue;
    // All runs in one frame, each in a block: as long as the longest, so that all blocks are alike.
    Bytes input;
    for (std::size_t run = 0; run <= test::longest_run_tested; ++run) {
      Bytes block = test::run_at(offset, run);
      block.resize(offset + test::longest_run_tested + 2, 0x43);
      input.insert(input.end(), block.begin(), block.end());
    }
    SCOPED_TRACE(offset);
    expect_decodes_with_all(compress(input, offset + test::longest_run_tested + 2, 1), input, offset);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthStageTest, DecodesEveryShortString) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  Bytes input;
  std::size_t strings = 0;
  test::for_each_short_string(8, [&](const Bytes& string) {
    if (!sample.has(strings++)) return;
    input.insert(input.end(), string.begin(), string.end());
    input.push_back(0x41);
  });
  for (const std::uint64_t block_bytes : {9U, 10U, 4096U}) {
    expect_decodes_with_all(compress(input, block_bytes, 1), input, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthStageTest, DecodesRandomMixes) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  const std::uint64_t first = test::first_seed();
  for (std::uint64_t seed = first; seed < first + 100; ++seed) {
    if (!sample.has(seed - first)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    expect_decodes_in_blocks(test::random_mix(seed * 97 % 9000, seed), seed % 64);
    if (HasFatalFailure()) return;
  }
}

TEST_P(ZeroLengthStageTest, DecodesWhatEachStorageGivesMost) {
  expect_decodes_in_blocks(Bytes(20'000, 0), 1);
  expect_decodes_in_blocks(Bytes(20'000, 0xff), 2);
}

struct WrongElements {
  Bytes elements;
  std::uint32_t uncompressed_bytes;
  Status status;
};

TEST_P(ZeroLengthStageTest, SaysWhichRuleElementsBreak) {
  const std::vector<WrongElements> wrong = {{{1, 2, 3}, 4, Status::output_too_short},
                                            {{0xff, 3}, 4, Status::output_too_short},
                                            {{1, 2, 3}, 2, Status::output_too_long},
                                            {{1, 0xff, 4}, 4, Status::output_too_long},
                                            {{0xff, 252, 0xff, 2}, 253, Status::output_too_long},
                                            {{0xff}, 1, Status::marker_at_end},
                                            {{1, 0xff, 3, 0xff}, 4, Status::marker_at_end},
                                            {{0xff, 0, 0xff}, 2, Status::marker_at_end},
                                            {{0xff, 0xfd}, 252, Status::unused_length},
                                            {{1, 0xff, 0xfe, 0, 0}, 255, Status::unused_length},
                                            {{0xff, 0xff, 1, 1, 1}, 255, Status::unused_length}};
  std::size_t shift = 0;
  for (const WrongElements& block : wrong) {
    SCOPED_TRACE(shift);
    for (const stage::ParameterValues& instructions : test::instruction_choices(stage().description)) {
      const stage::DecodeResult result = decode_guarded(
          test::frame_of_elements(block.elements, block.uncompressed_bytes), instructions, shift++);
      EXPECT_EQ(result.statuses, std::vector{static_cast<std::uint32_t>(block.status)});
    }
  }
}

TEST_P(ZeroLengthStageTest, ReadsEncodedRunsOfOneAndTwo) {
  const stage::DecodeResult result =
      decode_guarded(test::frame_of_elements({7, 0xff, 1, 0xff, 2, 8}, 5), {}, 0);
  EXPECT_EQ(result.statuses, std::vector<std::uint32_t>{0});
  EXPECT_EQ(Bytes(result.output().begin(), result.output().end()), Bytes({7, 0, 0, 0, 8}));
}

}  // namespace
}  // namespace gsst::zero_length
