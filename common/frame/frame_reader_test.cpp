#include "common/frame/frame_reader.hpp"

#include <gtest/gtest.h>

#include "common/format/error.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/frame/test_frames.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What the reader finds in `frame`.
std::vector<Bytes> read_blocks(std::span<const std::uint8_t> frame) {
  const ReadFunction read = reader_of(frame);
  FrameReader reader(read);
  EXPECT_EQ(reader.header(), sample_header);
  std::vector<Bytes> blocks;
  while (const auto record = reader.next_record()) {
    if (blocks.size() % 2 == 0) {
      blocks.push_back(reader.read_payload());
    } else {
      blocks.emplace_back(record->payload_bytes);
      reader.read_payload(blocks.back());
    }
    EXPECT_EQ(reader.block_count(), blocks.size());
  }
  return blocks;
}

const std::vector<Bytes> three_blocks = {Bytes(8, 1), Bytes(8, 2), Bytes(3, 3)};

TEST(FrameReader, GivesTheBlocksInOrder) {
  EXPECT_EQ(read_blocks(raw_frame(three_blocks)), three_blocks);
  EXPECT_TRUE(read_blocks(raw_frame({})).empty());
}

TEST(FrameReader, RefusesATruncatedFrameAndBytesBehindIt) {
  Bytes frame = raw_frame(three_blocks);
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_THROW(read_blocks(std::span(frame).first(size)), FormatError) << size;
  }
  frame.push_back(0);
  EXPECT_THROW(read_blocks(frame), FormatError);
}

TEST(FrameReader, RefusesAnIndexOfOtherBlocks) {
  const Bytes frame = raw_frame(three_blocks);
  const Bytes other = raw_frame({three_blocks[0], three_blocks[0], three_blocks[2]});
  const std::size_t blocks_end = frame.size() - build_frame_end(parse_frame(frame).index).size();
  Bytes mixed(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(blocks_end));
  append(mixed, std::span(other).subspan(blocks_end));
  expect_format_error(1, "index entry", [&] { read_blocks(mixed); });
}

TEST(FrameReader, RefusesAShortBlockThatIsNotTheLast) {
  expect_format_error(0, "uncompressed bytes", [] {
    read_blocks(raw_frame({three_blocks[2], three_blocks[0]}));
  });
}

}  // namespace
}  // namespace gsst::format
