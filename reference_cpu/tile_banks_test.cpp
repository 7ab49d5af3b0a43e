#include "reference_cpu/tile_banks.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gsst::reference {
namespace {

TEST(TileBanks, AllLanesMeetWhereTheBytesOfALaneAreAMultipleOf128) {
  const std::vector<std::uint8_t> lengths(4096, 4);
  EXPECT_DOUBLE_EQ(count_store_rounds(lengths, 32), 32);
  // 96 bytes a lane: every fourth lane in the same banks.
  EXPECT_DOUBLE_EQ(count_store_rounds(lengths, 24), 8);
  EXPECT_DOUBLE_EQ(count_store_rounds(lengths, 16), 16);
}

TEST(TileBanks, TwoRoundsHoldAllLanesWhereNoneMeet) {
  // Every lane stores a word more than a multiple of 128 bytes.
  std::vector<std::uint8_t> lengths;
  for (std::size_t lane = 0; lane < 32; ++lane) {
    lengths.insert(lengths.end(), 17, 8);
    lengths.insert(lengths.end(), 15, 0);
  }
  EXPECT_DOUBLE_EQ(count_store_rounds(lengths, 32), 2);
}

TEST(TileBanks, CountsNothingWithoutAWholeTile) {
  EXPECT_DOUBLE_EQ(count_store_rounds(std::vector<std::uint8_t>(511, 8), 16), 0);
}

}  // namespace
}  // namespace gsst::reference
