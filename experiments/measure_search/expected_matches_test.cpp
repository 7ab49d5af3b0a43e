#include "experiments/measure_search/expected_matches.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

TEST(ExpectedMatches, OverlapAndCrossTheBordersOfThreads) {
  const std::string text = "aaaa-abab-aaa";
  for (const unsigned threads : {1u, 2u, 3u, 5u, 13u, 40u}) {
    SCOPED_TRACE(threads);
    EXPECT_TRUE(
        ExpectedMatches(bytes_of(text), "aa", threads).are(std::vector<std::uint64_t>{0, 1, 2, 10, 11}));
    EXPECT_TRUE(ExpectedMatches(bytes_of(text), "ab-a", threads).are(std::vector<std::uint64_t>{7}));
    EXPECT_TRUE(ExpectedMatches(bytes_of(text), text, threads).are(std::vector<std::uint64_t>{0}));
    EXPECT_EQ(ExpectedMatches(bytes_of(text), text + "a", threads).count(), 0);
    EXPECT_EQ(ExpectedMatches({}, "a", threads).count(), 0);
  }
}

TEST(ExpectedMatches, AreTheFoundOnesInAnyOrderAndEachOnce) {
  const std::string text = "x..x..x";
  ExpectedMatches expected(bytes_of(text), "x", 2);
  ASSERT_EQ(expected.count(), 3);
  // A wrong list must leave nothing behind.
  const std::vector<std::vector<std::uint64_t>> wrong = {
      {}, {0, 3}, {0, 3, 3}, {0, 3, 5}, {0, 3, 7}, {0, 3, 6, 6}, {~std::uint64_t{0}, 3, 6}};
  for (const std::vector<std::uint64_t>& found : wrong) {
    EXPECT_FALSE(expected.are(found));
    EXPECT_TRUE(expected.are(std::vector<std::uint64_t>{6, 0, 3}));
  }
}

TEST(ExpectedMatches, RefusesAnEmptyPattern) {
  EXPECT_THROW(ExpectedMatches(bytes_of("text"), "", 1), InputError);
}

}  // namespace
}  // namespace gsst::experiments
