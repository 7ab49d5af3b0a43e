#include "experiments/measure_memory/allocation_log.hpp"

#include <gtest/gtest.h>

#include <array>

namespace gsst::experiments {
namespace {

const std::array<char, 3> memory = {};

TEST(AllocationLog, CountsEachPurposeByItself) {
  AllocationLog log;
  log.set_purpose("frame");
  log.add(&memory[0], 100);
  log.set_purpose("statuses");
  log.add(&memory[1], 8);
  EXPECT_EQ(log.most_bytes("frame"), 100u);
  EXPECT_EQ(log.most_bytes("statuses"), 8u);
  EXPECT_EQ(log.most_bytes("other"), 0u);
}

TEST(AllocationLog, TheMostAtTheSameTimeCounts) {
  AllocationLog log;
  log.set_purpose("decoder");
  log.add(&memory[0], 100);
  log.remove(&memory[0]);
  log.add(&memory[1], 70);
  log.add(&memory[2], 50);
  log.remove(&memory[1]);
  log.add(&memory[0], 1);
  EXPECT_EQ(log.most_bytes("decoder"), 120u);
}

TEST(AllocationLog, AnAllocationEndsForThePurposeItWasMadeFor) {
  AllocationLog log;
  log.set_purpose("frame");
  log.add(&memory[0], 100);
  log.set_purpose("statuses");
  log.remove(&memory[0]);
  log.restart();
  EXPECT_EQ(log.most_bytes("frame"), 0u);
  EXPECT_EQ(log.most_bytes("statuses"), 0u);
}

TEST(AllocationLog, UnknownAddressesAreIgnored) {
  AllocationLog log;
  log.remove(nullptr);
  log.remove(&memory[0]);
  EXPECT_EQ(log.most_bytes(""), 0u);
}

TEST(AllocationLog, AfterARestartOnlyWhatIsLeftCounts) {
  AllocationLog log;
  log.set_purpose("output");
  log.add(&memory[0], 100);
  log.add(&memory[1], 20);
  log.remove(&memory[0]);
  log.restart();
  EXPECT_EQ(log.most_bytes("output"), 20u);
}

TEST(AllocationPurpose, EndsWithItsScope) {
  allocation_log().set_purpose("outer");
  {
    const AllocationPurpose purpose("inner");
    EXPECT_EQ(allocation_log().purpose(), "inner");
  }
  EXPECT_EQ(allocation_log().purpose(), "outer");
}

}  // namespace
}  // namespace gsst::experiments
