#include "experiments/measure/shared/interleaved_timing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace gsst::experiments {
namespace {

TEST(TimeInterleaved, ReturnsTheSecondsThatEachWorkReported) {
  double first = 0;
  const std::vector<TimedWork> works = {{"same name", [&] { return first += 0.25; }},
                                        {"same name", [] { return 7.0; }}};
  std::vector<std::vector<double>> seconds = time_interleaved(works, 4);
  ASSERT_EQ(seconds.size(), 2u);
  std::sort(seconds[0].begin(), seconds[0].end());
  EXPECT_EQ(seconds[0], (std::vector<double>{0.25, 0.5, 0.75, 1.0}));
  EXPECT_EQ(seconds[1], (std::vector<double>(4, 7.0)));
}

TEST(TimeInterleaved, MixesTheRepetitionsOfDifferentWorks) {
  constexpr unsigned repetitions = 64;
  std::string order;
  const std::vector<TimedWork> works = {{"a", [&] { return order += 'a', 1.0; }},
                                        {"b", [&] { return order += 'b', 1.0; }}};
  time_interleaved(works, repetitions);
  ASSERT_EQ(order.size(), 2 * repetitions);
  // The chance that a random order has all of one before all of the other is 2 in 10^37.
  EXPECT_NE(order, std::string(repetitions, 'a') + std::string(repetitions, 'b'));
  EXPECT_NE(order, std::string(repetitions, 'b') + std::string(repetitions, 'a'));
}

TEST(TimeInterleaved, PassesOnWhatAWorkThrows) {
  const std::vector<TimedWork> works = {{"a", []() -> double { throw std::out_of_range("device is gone"); }}};
  EXPECT_THROW(time_interleaved(works, 3), std::out_of_range);
  // The next measurement starts afresh.
  const std::vector<TimedWork> good = {{"a", [] { return 2.0; }}};
  EXPECT_EQ(time_interleaved(good, 1).at(0), std::vector<double>{2.0});
}

}  // namespace
}  // namespace gsst::experiments
