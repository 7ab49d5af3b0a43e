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
  // More than 64 bytes for each thread, and threads without any.
  std::string text(700, '.');
  for (const std::size_t place : {0u, 3u, 699u}) text[place] = 'x';
  // A wrong list must leave nothing behind.
  const std::vector<std::vector<std::uint64_t>> wrong = {{},
                                                         {0, 3},
                                                         {0, 3, 3},
                                                         {3, 0, 3},
                                                         {0, 3, 5},
                                                         {0, 3, 700},
                                                         {0, 3, 703},
                                                         {0, 3, 767},
                                                         {0, 3, 699, 699},
                                                         {699, 699, 0},
                                                         {~std::uint64_t{0}, 3, 699}};
  for (const unsigned threads : {1u, 2u, 3u, 8u, 40u}) {
    SCOPED_TRACE(threads);
    ExpectedMatches expected(bytes_of(text), "x", threads);
    ASSERT_EQ(expected.count(), 3);
    for (const std::vector<std::uint64_t>& found : wrong) {
      EXPECT_FALSE(expected.are(found));
      EXPECT_TRUE(expected.are(std::vector<std::uint64_t>{699, 0, 3}));
    }
  }
}

TEST(ExpectedMatches, AreFoundByThreadsAtTheSameTime) {
  const std::string text(100'000, 'a');
  ExpectedMatches expected(bytes_of(text), "aa", 7);
  ASSERT_EQ(expected.count(), text.size() - 1);
  // Neighbours are looked at by different threads, in the same words of bits.
  std::vector<std::uint64_t> found;
  for (std::uint64_t first = 0; first < 97; ++first) {
    for (std::uint64_t place = first; place < expected.count(); place += 97) found.push_back(place);
  }
  EXPECT_TRUE(expected.are(found));
  found.front() = found.back();
  EXPECT_FALSE(expected.are(found));
  found.front() = 0;
  EXPECT_TRUE(expected.are(found));
}

TEST(ExpectedMatches, RefusesAnEmptyPattern) {
  EXPECT_THROW(ExpectedMatches(bytes_of("text"), "", 1), InputError);
}

}  // namespace
}  // namespace gsst::experiments
