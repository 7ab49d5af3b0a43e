#include "experiments/measure_ranges/short_strips.hpp"

#include <gtest/gtest.h>

#include "common/format/frame.hpp"
#include "common/format/tiles_header.hpp"
#include "experiments/measure/error.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

std::vector<std::uint8_t> tiles_of(std::span<const std::uint8_t> text, std::uint32_t code_bits) {
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = 30000,
                                    .code_bits = code_bits,
                                    .codes_per_lane = 16,
                                    .threads = 1});
}

TEST(ShortStrips, DecodeToTheSameAndHaveOneTileEach) {
  std::vector<std::uint8_t> text = reference::test::make_text(80000, 3);
  const std::vector<std::uint8_t> random = reference::test::make_random(30000, 4);
  text.insert(text.begin() + 30000, random.begin(), random.end());
  const std::vector<std::uint8_t> shortened = with_short_strips(tiles_of(text, 12));
  EXPECT_EQ(reference::decompress_frame(shortened, 1), text);
  const format::FrameView view = format::parse_frame(shortened);
  unsigned blocks = 0;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    if (view.index.entries[block].record.layout == format::BlockLayout::raw) continue;
    const format::TilesHeader header(view.payload(block).data());
    EXPECT_EQ(header.strip_count(), header.tile_count());
    ++blocks;
  }
  EXPECT_GT(blocks, 1u);
  EXPECT_LT(blocks, view.index.entries.size()) << "none is raw";
}

TEST(ShortStrips, AreRefusedWhereTheyCannotBe) {
  const std::vector<std::uint8_t> text = reference::test::make_mixed(30000, 3);
  EXPECT_THROW(with_short_strips(tiles_of(text, 8)), InputError) << "halves of bytes";
  EXPECT_THROW(with_short_strips(reference::compress(text, {.format = format::BlockFormat::splits})),
               InputError);
}

}  // namespace
}  // namespace gsst::experiments
