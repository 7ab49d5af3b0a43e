#include "stages/suite/output_difference.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/block_status.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Of any format that has frames.
const reference::Codec& framed_codec() {
  for (const reference::Codec* const codec : reference::registered_codecs()) {
    if (codec->is_framed()) return *codec;
  }
  throw std::logic_error("no codec makes frames");
}

Bytes frame_of(const Bytes& input) {
  return reference::encode_file(framed_codec(), input, {.block_bytes = 1000, .threads = 1});
}

TEST(OutputDifference, NamesTheBlockAndTheFirstWrongByteInIt) {
  const Bytes input = reference::test::make_text(3000, 1);
  const Bytes frame = frame_of(input);
  EXPECT_TRUE(is_output(frame, input, input));
  Bytes found = input;
  found[2017] = 0x07;
  found[2999] = 0x08;
  const testing::AssertionResult result = is_output(frame, input, found);
  EXPECT_FALSE(result);
  char expected[8];
  std::snprintf(expected, sizeof expected, "0x%02x", unsigned{input[2017]});
  EXPECT_EQ(result.message(), std::string("wrong output: block 2, byte 17: expected ") + expected +
                                  ", found 0x07 (2 of 3000 bytes are wrong)");
}

TEST(OutputDifference, NamesBothSizes) {
  const Bytes input = reference::test::make_text(3000, 1);
  EXPECT_STREQ(is_output(frame_of(input), input, Bytes(2999)).message(),
               "expected 3000 bytes of output, found 2999");
}

TEST(OutputDifference, NamesTheFirstBlockWithAnotherStatus) {
  const format::BlockFormat format = framed_codec().traits().format;
  constexpr auto too_long = static_cast<std::uint32_t>(format::BlockStatus::output_too_long);
  const std::vector<std::uint32_t> expected = {0, too_long, 0};
  EXPECT_TRUE(has_statuses(format, expected, expected));
  const testing::AssertionResult result = has_statuses(format, expected, std::vector<std::uint32_t>(3));
  EXPECT_EQ(result.message(),
            "wrong status: block 1: expected '" + status_text(format, too_long) + "', found 'decoded'");
  EXPECT_STREQ(has_statuses(format, expected, std::vector<std::uint32_t>(2)).message(),
               "expected statuses of 3 blocks, found 2");
}

TEST(OutputDifference, SaysHowFarOutsideTheOutputAStageWrote) {
  constexpr std::uint8_t untouched = 0xb7;
  DecodeResult result = {.guarded_output = Bytes(48, untouched), .guard_bytes = 16, .statuses = {}};
  EXPECT_TRUE(has_whole_guards(result, untouched));
  result.guarded_output[16] = 1;
  result.guarded_output[31] = 1;
  EXPECT_TRUE(has_whole_guards(result, untouched));
  result.guarded_output[34] = 1;
  EXPECT_STREQ(has_whole_guards(result, untouched).message(), "the stage wrote 3 bytes past its output");
  result.guarded_output[15] = 1;
  EXPECT_STREQ(has_whole_guards(result, untouched).message(), "the stage wrote 1 byte before its output");
}

}  // namespace
}  // namespace gsst::stage
