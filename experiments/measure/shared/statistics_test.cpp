#include "experiments/measure/shared/statistics.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <stdexcept>

namespace gsst::experiments {
namespace {

TEST(Summarize, OddCountTakesTheMiddleOfTheSortedTimes) {
  const std::array seconds = {5.0, 1.0, 4.0};
  const SecondsSummary summary = summarize(seconds);
  EXPECT_DOUBLE_EQ(summary.median, 4.0);
  EXPECT_DOUBLE_EQ(summary.min, 1.0);
  EXPECT_DOUBLE_EQ(summary.max, 5.0);
  EXPECT_EQ(summary.repetitions, 3u);
}

TEST(Summarize, EvenCountTakesTheMeanOfTheTwoInTheMiddle) {
  const std::array seconds = {4.0, 1.0, 2.0, 8.0};
  EXPECT_DOUBLE_EQ(summarize(seconds).median, 3.0);
}

TEST(Summarize, StandardDeviationIsTheSampleOne) {
  const std::array seconds = {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0};
  EXPECT_DOUBLE_EQ(summarize(seconds).stddev, std::sqrt(32.0 / 7.0));
}

TEST(Summarize, OneRepetitionHasNoDeviation) {
  const std::array seconds = {0.25};
  const SecondsSummary summary = summarize(seconds);
  EXPECT_DOUBLE_EQ(summary.median, 0.25);
  EXPECT_DOUBLE_EQ(summary.stddev, 0.0);
  EXPECT_EQ(summary.repetitions, 1u);
}

TEST(Summarize, NoRepetitionIsAnError) {
  EXPECT_THROW(summarize({}), std::invalid_argument);
}

TEST(GigabytesPerSecond, CountsInPowersOfTen) {
  EXPECT_DOUBLE_EQ(gigabytes_per_second(3'000'000'000, 2.0), 1.5);
}

}  // namespace
}  // namespace gsst::experiments
