#include "experiments/measure/shared/tile_ranges.hpp"

#include <gtest/gtest.h>

namespace gsst::experiments {
namespace {

TEST(TileRanges, CoverAllWordsOnceInLinesAtAnEvenPace) {
  for (const std::uint64_t words : {1ull, 7ull, 8ull, 1000ull, 123'457ull, 260'000'000ull, 1ull << 33}) {
    for (const std::uint64_t tiles : {1ull, 2ull, 333ull, 65'536ull, 1'000'003ull}) {
      const TileRanges ranges(words, tiles);
      ASSERT_EQ(ranges.begin(0), 0u);
      ASSERT_EQ(ranges.begin(tiles), words);
      const std::uint64_t most = words / tiles + 2 + 7;
      for (std::uint64_t tile = 0; tile < tiles; ++tile) {
        const std::uint64_t begin = ranges.begin(tile);
        const std::uint64_t end = ranges.begin(tile + 1);
        ASSERT_LE(begin, end) << words << " words, tile " << tile << " of " << tiles;
        ASSERT_LE(end - begin, most) << words << " words, tile " << tile << " of " << tiles;
        ASSERT_TRUE(begin % 8 == 0 || begin == words) << words << " words, tile " << tile << " of " << tiles;
      }
    }
  }
}

}  // namespace
}  // namespace gsst::experiments
