#include "experiments/measure_line_rate/delays.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace gsst::experiments {
namespace {

TEST(MeasureLineRateDelays, PercentilesAreDelaysThatOccurred) {
  std::vector<double> seconds;
  for (int i = 2000; i >= 1; --i) seconds.push_back(i);
  const Delays delays = summarize_delays(seconds);
  EXPECT_EQ(delays.half, 1000);
  EXPECT_EQ(delays.of_99_percent, 1980);
  EXPECT_EQ(delays.of_99_9_percent, 1998);
  EXPECT_EQ(delays.longest, 2000);
}

TEST(MeasureLineRateDelays, FewDelaysHaveTheirLongestForTheHighPercentiles) {
  const Delays delays = summarize_delays({3, 1, 2});
  EXPECT_EQ(delays.half, 2);
  EXPECT_EQ(delays.of_99_percent, 3);
  EXPECT_EQ(delays.of_99_9_percent, 3);
  EXPECT_EQ(summarize_delays({5}).half, 5);
  EXPECT_THROW(summarize_delays({}), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::experiments
