#include "experiments/peers/chunks.hpp"

#include <gtest/gtest.h>

namespace gsst::experiments {
namespace {

using Sizes = std::vector<std::size_t>;

TEST(ChunkSizes, TheLastChunkHoldsTheRest) {
  EXPECT_EQ(chunk_sizes(1, 4), (Sizes{1}));
  EXPECT_EQ(chunk_sizes(4, 4), (Sizes{4}));
  EXPECT_EQ(chunk_sizes(9, 4), (Sizes{4, 4, 1}));
  EXPECT_EQ(chunk_sizes(12, 4), (Sizes{4, 4, 4}));
}

TEST(LayOut, PartsBeginAtMultiplesOfTheAlignment) {
  const Layout layout = lay_out(Sizes{5, 16, 1, 3}, 8);
  EXPECT_EQ(layout.offsets, (Sizes{0, 8, 24, 32}));
  EXPECT_EQ(layout.total_bytes, 35u);
}

TEST(LayOut, WithoutAlignmentThereAreNoGaps) {
  const Layout layout = lay_out(Sizes{5, 16, 1}, 1);
  EXPECT_EQ(layout.offsets, (Sizes{0, 5, 21}));
  EXPECT_EQ(layout.total_bytes, 22u);
}

TEST(LayOut, NoPartsNoBytes) {
  EXPECT_EQ(lay_out({}, 16).total_bytes, 0u);
}

}  // namespace
}  // namespace gsst::experiments
