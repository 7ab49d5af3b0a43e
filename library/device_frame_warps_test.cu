#include <gtest/gtest.h>

#include <cstdint>

#include "common/stage/launch.hpp"
// After launch.hpp, which gives it CUDA's words where the compiler has none.
#include "stages/gsst/09_warp_tiles/launch_step.cuh"

// How many warps decode tiles on a GPU; nothing is launched.
namespace gsst::library {
namespace {

stage::FrameOnDevice frame_of(std::uint64_t frame_bytes, std::uint64_t uncompressed_bytes) {
  return {.bytes = nullptr,
          .frame_bytes = frame_bytes,
          .index_offset = frame_bytes - 100,
          .uncompressed_bytes = uncompressed_bytes,
          .block_count = 1,
          .split_count = 1,
          .format = format::BlockFormat::tiles,
          .payload_traits = 0,
          .has_raw_blocks = false};
}

constexpr format::TileShape shape{.code_bits = 8, .codes_per_lane = 32};

TEST(UsualWarps, FewerWhereACodeStandsForMore) {
  EXPECT_EQ(usual_warps(frame_of(1000000, 1000000), shape), 16u);
  EXPECT_EQ(usual_warps(frame_of(1000000, 4000000), shape), 12u);
  EXPECT_EQ(usual_warps(frame_of(1000000, 7000000), shape), 9u);
}

// The checked index of a frame in device memory is in other memory: its offset says nothing of sizes.
TEST(UsualWarps, AreThoseOfTheFrameWhereverItsIndexIs) {
  for (const std::uint64_t bytes : {1000000, 4000000, 7000000}) {
    const stage::FrameOnDevice frame = frame_of(1000000, bytes);
    for (const std::uint64_t index_offset : {std::uint64_t{0} - 4096, std::uint64_t{1} << 40}) {
      stage::FrameOnDevice with_index_elsewhere = frame;
      with_index_elsewhere.index_offset = index_offset;
      EXPECT_EQ(usual_warps(with_index_elsewhere, shape), usual_warps(frame, shape)) << bytes;
    }
  }
}

}  // namespace
}  // namespace gsst::library
