#include "experiments/measure_overlap/paced_interconnect.hpp"

#include <gtest/gtest.h>

namespace gsst::experiments {
namespace {

using Clock = PacedInterconnect::Clock;

TEST(PacedInterconnect, BytesArriveAtItsThroughputFromTheStartOn) {
  PacedInterconnect interconnect(2.5);
  const Clock::time_point before = Clock::now();
  interconnect.start();
  const Clock::time_point after = Clock::now();
  for (const std::uint64_t gigabytes : {0U, 1U, 5U}) {
    const auto expected = std::chrono::milliseconds(400 * gigabytes);
    EXPECT_GE(interconnect.arrival(gigabytes * 1'000'000'000), before + expected);
    EXPECT_LE(interconnect.arrival(gigabytes * 1'000'000'000), after + expected);
  }
}

TEST(PacedInterconnect, HoldsBackUntilThen) {
  PacedInterconnect interconnect(1);
  interconnect.start();
  interconnect.hold_back(2'000'000);
  EXPECT_GE(Clock::now(), interconnect.arrival(2'000'000));
}

}  // namespace
}  // namespace gsst::experiments
