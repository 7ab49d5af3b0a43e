#include "experiments/measure_cpu/verified_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

constexpr Repetitions five_times{.wanted = 5, .seconds_limit = 1e9, .minimum = 1};

std::vector<std::uint8_t> every_byte_value() {
  std::vector<std::uint8_t> bytes(256);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0});
  return bytes;
}

/// The message of the MismatchError that time_verified() throws; empty if it throws none.
std::string mismatch_message(const DecodeFunction& decode, const std::vector<std::uint8_t>& expected) {
  try {
    time_verified(decode, expected, five_times, "decoder");
    return {};
  } catch (const MismatchError& error) {
    return error.what();
  }
}

TEST(TimeVerified, TimesEveryRepetitionAfterOneThatIsNotTimed) {
  const auto expected = every_byte_value();
  int calls = 0;
  const SecondsSummary seconds = time_verified(
      [&](std::span<std::uint8_t> output) {
        ++calls;
        std::copy(expected.begin(), expected.end(), output.begin());
      },
      expected, five_times, "decoder");
  EXPECT_EQ(calls, 6);
  EXPECT_EQ(seconds.repetitions, 5u);
  EXPECT_LE(seconds.min, seconds.median);
  EXPECT_LE(seconds.median, seconds.max);
}

TEST(TimeVerified, WrongByteInTheFirstDecodingIsFound) {
  const auto expected = every_byte_value();
  const std::string message = mismatch_message(
      [&](std::span<std::uint8_t> output) {
        std::copy(expected.begin(), expected.end(), output.begin());
        output[200] = 7;
      },
      expected);
  EXPECT_EQ(message, "decoder, before timing: byte 200 of 256 is 7 instead of 200");
}

TEST(TimeVerified, ByteThatIsNotWrittenIsFoundWhateverItsValue) {
  for (std::size_t skipped = 0; skipped < 256; ++skipped) {
    const auto expected = every_byte_value();
    const std::string message = mismatch_message(
        [&](std::span<std::uint8_t> output) {
          for (std::size_t i = 0; i < output.size(); ++i)
            if (i != skipped) output[i] = expected[i];
        },
        expected);
    EXPECT_NE(message.find("byte " + std::to_string(skipped) + " of 256"), std::string::npos) << message;
  }
}

TEST(TimeVerified, DecoderThatStopsWritingAfterTheFirstTimeIsFound) {
  const auto expected = every_byte_value();
  bool first = true;
  const std::string message = mismatch_message(
      [&](std::span<std::uint8_t> output) {
        if (first) std::copy(expected.begin(), expected.end(), output.begin());
        first = false;
      },
      expected);
  EXPECT_NE(message.find("after timing"), std::string::npos) << message;
}

TEST(Repetitions, FastDecoderGetsAllThatAreWanted) {
  const Repetitions repetitions{.wanted = 20, .seconds_limit = 10, .minimum = 3};
  EXPECT_EQ(repetitions.count(0.5), 20u);
}

TEST(Repetitions, SlowDecoderGetsWhatTheLimitAllows) {
  const Repetitions repetitions{.wanted = 20, .seconds_limit = 10, .minimum = 3};
  EXPECT_EQ(repetitions.count(2.0), 5u);
}

TEST(Repetitions, LimitLeavesTheMinimum) {
  const Repetitions repetitions{.wanted = 20, .seconds_limit = 10, .minimum = 3};
  EXPECT_EQ(repetitions.count(100.0), 3u);
}

TEST(Repetitions, MinimumDoesNotRaiseWhatIsWanted) {
  const Repetitions repetitions{.wanted = 2, .seconds_limit = 10, .minimum = 3};
  EXPECT_EQ(repetitions.count(100.0), 2u);
}

}  // namespace
}  // namespace gsst::experiments
