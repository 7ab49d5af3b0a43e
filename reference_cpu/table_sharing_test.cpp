#include "reference_cpu/table_sharing.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/stream_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

using SharingBytes = std::vector<std::uint8_t>;

CompressOptions sharing_options(std::uint32_t code_bits) {
  return {.format = format::BlockFormat::tiles,
          .block_bytes = 6000,
          .code_bits = code_bits,
          .level = 3,
          .threads = 2};
}

// The dictionary id of each block, nothing for one that is stored as it is.
std::vector<std::optional<std::uint32_t>> dictionary_ids(const SharingBytes& frame) {
  const format::FrameView view = format::parse_frame(frame);
  std::vector<std::optional<std::uint32_t>> ids;
  for (std::size_t block = 0; block < view.index.entries.size(); ++block) {
    const bool is_raw = format::parse_block(view, block).layout == format::BlockLayout::raw;
    ids.push_back(is_raw ? std::nullopt
                         : std::optional(format::TilesHeader(view.payload(block).data()).dictionary_id()));
  }
  return ids;
}

SharingBytes decompress_as_stream(std::span<const std::uint8_t> frame) {
  SharingBytes output;
  decompress_stream(format::reader_of(frame), format::writer_to(output), {.threads = 2});
  return output;
}

TEST(TableSharing, StoresTheTableOfAFrameOnce) {
  const SharingBytes input = test::make_text(27000, 3);
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    const SharingBytes frame = compress(input, sharing_options(code_bits));
    EXPECT_EQ(dictionary_ids(frame), (std::vector<std::optional<std::uint32_t>>{0, 1, 2, 3, 4})) << code_bits;
    EXPECT_EQ(decompress_frame(frame), input);
    EXPECT_EQ(decompress_as_stream(frame), input);
  }
}

// A block in between has a table of its own, another one none.
TEST(TableSharing, ReachesOverOtherBlocks) {
  SharingBytes input = test::make_text(12000, 3);
  const SharingBytes noise = test::make_random(6000, 5);
  input.insert(input.end(), noise.begin(), noise.end());
  input.insert(input.end(), 6000, std::uint8_t{0xee});
  const SharingBytes text = test::make_text(9000, 3);
  input.insert(input.end(), text.begin(), text.end());
  const SharingBytes frame = compress(input, sharing_options(8));
  const auto ids = dictionary_ids(frame);
  ASSERT_EQ(ids.size(), 6u);
  EXPECT_EQ(ids[2], std::nullopt);
  for (const std::size_t block : {1U, 4U, 5U}) EXPECT_EQ(ids[block], block) << block;
  EXPECT_EQ(decompress_frame(frame), input);
  EXPECT_EQ(decompress_as_stream(frame), input);
}

// Where nothing comes behind it the table counts: 20 bytes of text do not pay for it.
TEST(TableSharing, StoresASmallInputAsItIs) {
  const SharingBytes input = test::make_text(20, 3);
  EXPECT_EQ(dictionary_ids(compress(input, sharing_options(12))),
            (std::vector<std::optional<std::uint32_t>>{std::nullopt}));
}

}  // namespace
}  // namespace gsst::reference
