#include "common/streaming/further_devices.hpp"

#include <gtest/gtest.h>

namespace gsst::streaming {
namespace {

TEST(FurtherDevices, PayWhereTheHostWillWaitTwiceAsLongAsTheyStart) {
  const Pace pace = {.waited_seconds = 0.1, .read_bytes = 1000, .all_bytes = 5000};
  EXPECT_TRUE(further_devices_pay(pace, 0.2));
  EXPECT_FALSE(further_devices_pay(pace, 0.21));
  EXPECT_TRUE(further_devices_pay({.waited_seconds = 0.1, .read_bytes = 1000, .all_bytes = 5200}, 0.21));
}

TEST(FurtherDevices, DoNotPayWhereNothingWaitsForTheDevice) {
  EXPECT_FALSE(
      further_devices_pay({.waited_seconds = 0, .read_bytes = 1000, .all_bytes = 1'000'000'000}, 0.2));
}

TEST(FurtherDevices, AreExpectedToMeetAsMuchAsWasReadWhereTheLengthIsUnknown) {
  const Pace pace = {.waited_seconds = 0.4, .read_bytes = 1000, .all_bytes = {}};
  EXPECT_TRUE(further_devices_pay(pace, 0.2));
  EXPECT_FALSE(further_devices_pay(pace, 0.21));
}

// However fast they start.
TEST(FurtherDevices, DoNotPayBeforeTheFirstByteAndAfterTheLast) {
  EXPECT_FALSE(further_devices_pay({.waited_seconds = 1, .read_bytes = 0, .all_bytes = 5000}, 0));
  EXPECT_FALSE(further_devices_pay({.waited_seconds = 1, .read_bytes = 5000, .all_bytes = 5000}, 0));
  // A file that has grown.
  EXPECT_FALSE(further_devices_pay({.waited_seconds = 1, .read_bytes = 5001, .all_bytes = 5000}, 0));
}

}  // namespace
}  // namespace gsst::streaming
