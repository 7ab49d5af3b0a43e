#include "stages/suite/test_sample.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace gsst::test {
namespace {

TEST(TestSample, PartsTogetherHaveEveryInputOnce) {
  for (std::size_t index = 0; index < 23; ++index) {
    EXPECT_TRUE(TestSample().has(index));
    int found = 0;
    for (int part = 1; part <= 5; ++part) {
      found += parse_test_sample(std::to_string(part) + "/5").has(index) ? 1 : 0;
    }
    EXPECT_EQ(found, 1) << index;
  }
}

TEST(TestSample, OnlyAWholeTestTakesLargeInputs) {
  EXPECT_EQ(TestSample().size(1000, 10), 1000U);
  EXPECT_EQ(parse_test_sample("1/1").size(1000, 10), 1000U);
  EXPECT_EQ(parse_test_sample("2/5").size(1000, 10), 10U);
}

TEST(TestSample, AnythingElseIsAnErrorNamingTheVariable) {
  for (const std::string text : {"", "5", "/", "0/5", "6/5", "1/", "/5", "1/5/2", "-1/5", "a/5", "1/1000",
                                 " 1/5", "1/99999999999999999999"}) {
    try {
      parse_test_sample(text);
      FAIL() << "no error for '" << text << "'";
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("GSST_TEST_SAMPLE is '" + text + "'"), std::string::npos)
          << error.what();
    }
  }
}

}  // namespace
}  // namespace gsst::test
