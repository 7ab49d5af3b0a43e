#include "experiments/measure_frames/small_frames.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

Input input_of_test(std::uint64_t block_bytes) {
  return {.format = format::BlockFormat::tiles,
          .block_bytes = block_bytes,
          .checksum = format::ChecksumKind::xxh64_tree,
          .options = {{"code-bits", 8}}};
}

TEST(SmallFrames, EachPieceOfTheTextIsAFrame) {
  const std::vector<std::uint8_t> text = reference::test::make_text(100'000, 1);
  const SmallFrames made = make_small_frames(input_of_test(16384), text);
  ASSERT_EQ(made.places.size(), 7u);
  std::uint64_t compressed = 0;
  for (std::size_t i = 0; i < made.places.size(); ++i) {
    const frames::FramePlace& place = made.places[i];
    EXPECT_EQ(place.input_offset % format::tiles_alignment, 0u);
    const std::vector<std::uint8_t> output = reference::decompress_frame(made.frame(i));
    EXPECT_EQ(place.output_offset, 16384 * i);
    EXPECT_EQ(place.output_capacity, output.size());
    EXPECT_TRUE(
        std::equal(output.begin(), output.end(), text.begin() + static_cast<std::ptrdiff_t>(16384 * i)));
    EXPECT_LE(place.frame_bytes, made.bounds.frame_bytes);
    compressed += place.frame_bytes;
  }
  EXPECT_EQ(made.compressed_bytes, compressed);
  EXPECT_EQ(made.bounds.frame_count, 7u);
  EXPECT_EQ(made.bounds.output_bytes, 16384u);
  EXPECT_EQ(made.bounds.all_output_bytes, text.size());
  EXPECT_EQ(made.bounds.input_bytes, made.bytes.size());
  EXPECT_EQ(made.bounds.checksum_kind, format::ChecksumKind::xxh64_tree);
  EXPECT_NE(made.bounds.tile_shapes, 0u);
}

TEST(SmallFrames, PointsThatSayNoSizeAreRefused) {
  const std::vector<std::uint8_t> text = reference::test::make_text(1000, 1);
  EXPECT_THROW(make_small_frames(input_of_test(0), text), InputError);
}

}  // namespace
}  // namespace gsst::experiments
