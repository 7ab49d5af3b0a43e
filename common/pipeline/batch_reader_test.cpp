#include "common/pipeline/batch_reader.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/format/error.hpp"
#include "common/pipeline/test_runs.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::pipeline {
namespace {

constexpr BatchLimits no_limits{.blocks = 1000, .bytes = 1 << 20, .output_bytes = 1 << 20};

std::vector<std::uint8_t> make_frame(std::size_t bytes) {
  return reference::compress(
      reference::test::make_text(bytes, 3),
      {.format = format::BlockFormat::splits, .block_bytes = 500, .split_count = 3, .threads = 1});
}

std::uint64_t count_blocks(std::span<const std::uint8_t> frame) {
  const format::ReadFunction read = format::reader_of(frame);
  BatchReader reader(read);
  std::vector<std::uint8_t> buffer(no_limits.bytes);
  std::uint64_t blocks = 0;
  while (reader.next_record()) blocks += reader.read_batch(buffer, no_limits).index.entries.size();
  return blocks;
}

TEST(BatchReader, GivesABatchAsAFrameOfItsOwn) {
  const std::vector<std::uint8_t> frame = make_frame(2400);
  const format::ReadFunction read = format::reader_of(frame);
  BatchReader reader(read);
  std::vector<std::uint8_t> buffer(no_limits.bytes);
  std::uint64_t first_block = 0;
  for (const std::size_t blocks : {2U, 2U, 1U}) {
    const Batch batch =
        reader.read_batch(buffer, {.blocks = 2, .bytes = buffer.size(), .output_bytes = 10'000});
    EXPECT_EQ(batch.first_block, first_block);
    EXPECT_EQ(batch.index.entries.size(), blocks);
    const auto header = format::build_frame_header(reader.header());
    const auto end = format::build_frame_end(batch.index);
    std::vector<std::uint8_t> own(header.begin(), header.end());
    own.insert(own.end(), batch.bytes.begin(), batch.bytes.end());
    own.insert(own.end(), end.begin(), end.end());
    const format::FrameView view = format::parse_frame(own);
    for (std::size_t block = 0; block < blocks; ++block) {
      const auto payload = format::parse_frame(frame).payload(first_block + block);
      EXPECT_TRUE(std::ranges::equal(view.payload(block), payload));
    }
    first_block += blocks;
  }
  EXPECT_FALSE(reader.next_record());
  EXPECT_EQ(reader.bytes_read(), frame.size());
}

TEST(BatchReader, StopsInFrontOfABlockThatDoesNotFit) {
  const std::vector<std::uint8_t> frame = make_frame(2400);
  const format::FrameIndex index = format::parse_frame(frame).index;
  const std::size_t two_blocks =
      index.entries[1].payload_offset + index.entries[1].record.payload_bytes - format::frame_header_bytes;
  for (const auto& [bytes, output_bytes, blocks] :
       {std::tuple<std::size_t, std::uint64_t, std::size_t>{two_blocks, 1000, 2},
        {two_blocks - 1, 1000, 1},
        {two_blocks, 999, 1},
        {10, 1000, 0},
        {two_blocks, 499, 0}}) {
    const format::ReadFunction read = format::reader_of(frame);
    BatchReader reader(read);
    std::vector<std::uint8_t> buffer(bytes);
    const Batch batch =
        reader.read_batch(buffer, {.blocks = 9, .bytes = bytes, .output_bytes = output_bytes});
    EXPECT_EQ(batch.index.entries.size(), blocks) << bytes << ", " << output_bytes;
  }
}

TEST(BatchReader, RefusesATruncatedFrameAndBytesBehindIt) {
  std::vector<std::uint8_t> frame = make_frame(1200);
  EXPECT_EQ(count_blocks(frame), 3);
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_THROW(count_blocks(std::span(frame).first(size)), format::FormatError) << size;
  }
  frame.push_back(0);
  EXPECT_THROW(count_blocks(frame), format::FormatError);
}

}  // namespace
}  // namespace gsst::pipeline
