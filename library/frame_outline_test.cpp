#include "library/frame_outline.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "library/decompress_plan.hpp"
#include "library/repaired_checksums.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// What plans of frames in device memory are made from.
namespace gsst::library {
namespace {

using FrameBytes = std::vector<std::uint8_t>;

// Counts what is read, and that it is in the frame.
struct OutlineReader {
  const FrameBytes& frame;
  std::uint64_t bytes = 0;
  std::uint64_t reads = 0;

  FrameOutline::Read read() {
    return [this](std::span<std::uint8_t> to, std::uint64_t offset) {
      ASSERT_LE(offset, frame.size());
      ASSERT_LE(to.size(), frame.size() - offset);
      ASSERT_FALSE(to.empty());
      std::copy_n(frame.begin() + static_cast<std::ptrdiff_t>(offset), to.size(), to.begin());
      bytes += to.size();
      ++reads;
    };
  }
};

// Blocks that share tables, have their own, and are stored raw.
FrameBytes frame_to_outline(std::size_t block_bytes, std::uint32_t code_bits) {
  FrameBytes text = reference::test::make_text(5 * block_bytes, 3);
  const FrameBytes raw = reference::test::make_random(block_bytes, 4);
  text.insert(text.end(), raw.begin(), raw.end());
  const FrameBytes more = reference::test::make_text(block_bytes / 2 + 7, 9);
  text.insert(text.end(), more.begin(), more.end());
  return reference::compress(text, {.format = format::BlockFormat::tiles,
                                    .block_bytes = block_bytes,
                                    .code_bits = code_bits,
                                    .level = 1,
                                    .threads = 1});
}

// What a plan says of a frame, or why it is refused.
std::string said_of(std::span<const std::uint8_t> frame) {
  const FrameSummary summary = summarize(parse_frame(frame));
  const stage::FrameOnDevice shape = stage::frame_shape(frame);
  return std::to_string(summary.uncompressed_bytes) + " bytes, " + std::to_string(shape.block_count) +
         " blocks, shapes " + std::to_string(shape.payload_traits) + (shape.has_raw_blocks ? ", raw" : "") +
         ", index at " + std::to_string(shape.index_offset);
}

std::string said_of_whole(const FrameBytes& frame) {
  try {
    return said_of(frame);
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string said_of_outline(const FrameBytes& frame) {
  OutlineReader reader{frame};
  try {
    return said_of(FrameOutline(frame.size(), reader.read()).frame());
  } catch (const std::exception& error) {
    return error.what();
  }
}

TEST(FrameOutlines, SayWhatTheFrameSaysAndHaveNoCodes) {
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::size_t block_bytes : {100u, 3000u, 100'000u}) {
      SCOPED_TRACE(std::to_string(code_bits) + " bits, blocks of " + std::to_string(block_bytes));
      const FrameBytes frame = frame_to_outline(block_bytes, code_bits);
      EXPECT_EQ(said_of_outline(frame), said_of(frame));
      OutlineReader reader{frame};
      const FrameOutline outline(frame.size(), reader.read());
      ASSERT_EQ(outline.frame().size(), frame.size());
      if (block_bytes != 100'000u) continue;
      // Header, trailer, index, a read for each of 7 blocks, and the end of the last one.
      EXPECT_EQ(reader.reads, 11u);
      // Tables of 12 bits take up to 30 KB a block.
      EXPECT_LT(reader.bytes, frame.size() / 2);
      const format::FrameView view = format::parse_frame(frame);
      const format::TilesHeader header(view.payload(0).data());
      const std::uint64_t codes = view.index.entries[0].payload_offset + format::tiles_header_bytes;
      const auto of_codes = outline.frame().subspan(codes, header.tile_count() * header.shape().bytes());
      EXPECT_TRUE(std::ranges::all_of(of_codes, [](std::uint8_t byte) { return byte == 0; }));
      const auto table = outline.frame().subspan(codes + of_codes.size(), 100);
      EXPECT_TRUE(std::ranges::equal(
          table, std::span(frame).subspan(static_cast<std::size_t>(codes + of_codes.size()), 100)));
    }
  }
}

TEST(FrameOutlines, AreOfFramesOfTilesOnly) {
  const FrameBytes text = reference::test::make_text(20'000, 1);
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{100}, text.size()}) {
    const FrameBytes part(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bytes));
    OutlineReader no_frame{part};
    EXPECT_THROW(FrameOutline(part.size(), no_frame.read()), WrongFormat);
    const FrameBytes splits =
        reference::compress(part, {.format = format::BlockFormat::splits, .threads = 1});
    OutlineReader of_splits{splits};
    EXPECT_THROW(FrameOutline(splits.size(), of_splits.read()), WrongFormat);
    const FrameBytes tiles = reference::compress(part, {.format = format::BlockFormat::tiles, .threads = 1});
    EXPECT_EQ(said_of_outline(tiles), said_of(tiles));
  }
}

// Bytes that say where something is, and any others.
TEST(FrameOutlines, OfDamagedFramesAreRefusedAsTheFramesAre) {
  std::size_t refused = 0;
  std::size_t seeds = 0;
  for (const std::size_t block_bytes : {700u, 3000u}) {
    const FrameBytes frame = frame_to_outline(block_bytes, block_bytes == 700u ? 8 : 12);
    const format::FrameView view = format::parse_frame(frame);
    for (std::uint64_t seed = 0; seed < 1500; ++seed, ++seeds) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", blocks of " + std::to_string(block_bytes));
      std::mt19937_64 random(seed);
      const format::IndexEntry& entry = view.index.entries[random() % view.index.entries.size()];
      const std::uint64_t begin = entry.payload_offset - format::record_header_bytes;
      const std::vector<std::uint64_t> places = {
          random() % format::frame_header_bytes,
          frame.size() - 1 - random() % (frame.size() - view.index_offset() + format::record_header_bytes),
          begin + random() % (format::record_header_bytes + format::tiles_header_bytes),
          entry.payload_offset + random() % entry.record.payload_bytes};
      FrameBytes changed = frame;
      changed[places[seed % places.size()]] ^= static_cast<std::uint8_t>(random() % 255 + 1);
      if (random() % 4 != 0) repair_checksums(changed);
      if (random() % 16 == 0) changed.resize(random() % frame.size());
      // Another format in the header: what is wrong with the rest is not looked for.
      if (said_of_outline(changed).starts_with("the frame is of format")) continue;
      const std::string expected = said_of_whole(changed);
      ASSERT_EQ(said_of_outline(changed), expected);
      if (expected != said_of(frame)) ++refused;
    }
  }
  EXPECT_GT(refused, seeds / 4);
  EXPECT_LT(refused, seeds);
}

}  // namespace
}  // namespace gsst::library
