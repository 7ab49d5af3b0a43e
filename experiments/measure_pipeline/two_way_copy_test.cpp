#include "experiments/measure_pipeline/two_way_copy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

// On the CPU executor, where copies are done at once and times mean nothing.
namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(TwoWayCopy, FillsAllOfTheOutput) {
  TwoWayCopy copy(stage::Executor::simt, 40);
  // What is not filled stays 7, and what is has one byte of the executor's memory for each place of a piece.
  for (const std::size_t down_bytes : {0U, 1U, 99U, 100U}) {
    Bytes first(down_bytes, 7);
    Bytes second(down_bytes, 8);
    EXPECT_GT(copy.seconds(Bytes(100), first, 3), 0);
    copy.seconds(Bytes(97), second, 3);
    EXPECT_EQ(first, second) << down_bytes;
  }
}

TEST(TwoWayCopy, RefusesPiecesThatAreTooLarge) {
  TwoWayCopy copy(stage::Executor::simt, 10);
  Bytes down(20);
  EXPECT_NO_THROW(copy.seconds(Bytes(20), down, 2));
  EXPECT_THROW(copy.seconds(Bytes(21), down, 2), std::length_error);
  EXPECT_THROW(copy.seconds(Bytes(20), down, 1), std::length_error);
}

}  // namespace
}  // namespace gsst::experiments
