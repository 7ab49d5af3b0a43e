#include "cli/quantity_text.hpp"

#include <gtest/gtest.h>

namespace gsst::cli {
namespace {

TEST(ByteText, HasThreeDigitsAndADecimalUnit) {
  EXPECT_EQ(byte_text(0), "0 B");
  EXPECT_EQ(byte_text(999), "999 B");
  EXPECT_EQ(byte_text(1000), "1.00 kB");
  EXPECT_EQ(byte_text(1234), "1.23 kB");
  EXPECT_EQ(byte_text(45'600'000), "45.6 MB");
  EXPECT_EQ(byte_text(789'000'000), "789 MB");
  EXPECT_EQ(byte_text(9'900'207'718), "9.90 GB");
}

TEST(ByteText, NeverRoundsUpToAFourthDigit) {
  EXPECT_EQ(byte_text(9'996), "10.0 kB");
  EXPECT_EQ(byte_text(99'960), "100 kB");
  EXPECT_EQ(byte_text(999'700), "1.00 MB");
}

TEST(DurationText, NamesTheTwoLargestUnits) {
  EXPECT_EQ(duration_text(0.4), "0 s");
  EXPECT_EQ(duration_text(59.4), "59 s");
  EXPECT_EQ(duration_text(59.6), "1 min 00 s");
  EXPECT_EQ(duration_text(123), "2 min 03 s");
  EXPECT_EQ(duration_text(3725), "1 h 02 min");
  EXPECT_EQ(duration_text(360000), "100 h 00 min");
}

TEST(RatioText, IsUncompressedByCompressed) {
  EXPECT_EQ(ratio_text(2745949, 974730), "2.817");
  EXPECT_EQ(ratio_text(0, 80), "0.000");
  EXPECT_EQ(ratio_text(0, 0), "-");
}

}  // namespace
}  // namespace gsst::cli
