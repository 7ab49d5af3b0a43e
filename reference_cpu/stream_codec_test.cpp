#include "reference_cpu/stream_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/fsst_file.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/sampled_inputs_test.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;

std::vector<std::uint8_t> decompress_by_stream(std::span<const std::uint8_t> bytes, bool fsst_file) {
  std::vector<std::uint8_t> output;
  const StreamTotals totals = decompress_stream(format::reader_of(bytes), format::writer_to(output),
                                                {.fsst_file = fsst_file, .threads = 2});
  EXPECT_EQ(totals.input_bytes, bytes.size());
  EXPECT_EQ(totals.output_bytes, output.size());
  return output;
}

std::vector<std::uint8_t> cut_to(const std::vector<std::uint8_t>& bytes, std::uint64_t limit) {
  return {bytes.begin(),
          bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::uint64_t>(bytes.size(), limit))};
}

class StreamCodecTest : public testing::TestWithParam<test::NamedInput> {};

INSTANTIATE_TEST_SUITE_P(AwkwardInputs, StreamCodecTest, testing::ValuesIn(test::sampled_awkward_inputs()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(StreamCodecTest, RoundTripsInEachFormatByMemoryAndByStream) {
  const std::vector<std::uint8_t>& whole = GetParam().bytes;
  for (const BlockFormat block_format :
       {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced, BlockFormat::tiles}) {
    for (const std::uint64_t block_bytes :
         {std::uint64_t{997}, std::uint64_t{4096}, std::uint64_t{4} << 20}) {
      // More blocks only take longer: each trains a table.
      const std::vector<std::uint8_t> input = cut_to(whole, 20 * block_bytes);
      const CompressOptions options{
          .format = block_format, .block_bytes = block_bytes, .split_count = 7, .threads = 1};
      const auto frame = compress(input, options);
      EXPECT_EQ(decompress_frame(frame, 1), input);
      EXPECT_EQ(decompress_frame(frame, 2), input);
      EXPECT_EQ(decompress_by_stream(frame, false), input);
    }
  }
  const std::vector<std::uint8_t> input = cut_to(whole, 20000);
  const auto file = compress(input, {.format = BlockFormat::fsst, .block_bytes = 1000, .threads = 2});
  EXPECT_EQ(decompress_fsst_file(file, 2), input);
  EXPECT_EQ(decompress_by_stream(file, true), input);
}

TEST(StreamCodec, GivesTheSameBytesByMemoryAndByStream) {
  for (const std::size_t size : {0u, 1u, 9999u, 10000u, 10001u, 100000u}) {
    const auto input = test::make_mixed(size, 22);
    for (const BlockFormat block_format : {BlockFormat::fsst, BlockFormat::blocks, BlockFormat::splits,
                                           BlockFormat::coalesced, BlockFormat::tiles}) {
      const CompressOptions options{.format = block_format, .block_bytes = 10000, .split_count = 32};
      std::vector<std::uint8_t> streamed;
      compress_stream(format::reader_of(input), format::writer_to(streamed), options);
      EXPECT_EQ(compress(input, options), streamed) << size << " bytes";
    }
  }
}

TEST(StreamCodec, GivesTheSameBytesWithEveryThreadCount) {
  // Blocks of 10000 for three threads are enough under a tool.
  const auto input = test::make_mixed(gsst::test::test_sample().size(100000, 30000), 21);
  for (const BlockFormat block_format : {BlockFormat::fsst, BlockFormat::blocks, BlockFormat::splits,
                                         BlockFormat::coalesced, BlockFormat::tiles}) {
    for (const std::uint64_t block_bytes : {std::uint64_t{10000}, std::uint64_t{4000000}}) {
      CompressOptions options{
          .format = block_format, .block_bytes = block_bytes, .split_count = 32, .threads = 1};
      const auto expected = compress(input, options);
      for (const unsigned threads : {2u, 3u, 8u}) {
        options.threads = threads;
        EXPECT_EQ(compress(input, options), expected) << threads << " threads";
      }
    }
  }
}

TEST(StreamCodec, StoresRawWhatDoesNotCompress) {
  const auto input = test::make_random(100000, 3);
  const auto frame = compress(input, {.block_bytes = 10000});
  const format::FrameView view = format::parse_frame(frame);
  for (const format::IndexEntry& entry : view.index.entries)
    EXPECT_EQ(entry.record.layout, format::BlockLayout::raw);
  EXPECT_LT(frame.size(), input.size() + 1000);
}

TEST(StreamCodec, ChoosesTheWideLayoutForMoreSplitsThanAByteHolds) {
  const auto input = test::make_text(300000, 3);
  for (const std::uint32_t split_count : {255u, 256u}) {
    const format::FrameView view = format::parse_frame(compress(input, {.split_count = split_count}));
    EXPECT_EQ(view.index.entries.at(0).record.layout,
              split_count == 255 ? format::BlockLayout::narrow : format::BlockLayout::wide);
  }
}

TEST(StreamCodec, ReportsProgressAndTotals) {
  const auto input = test::make_text(100000, 3);
  std::vector<std::uint8_t> output;
  std::uint64_t last_input = 0;
  const CompressTotals totals =
      compress_stream(format::reader_of(input), format::writer_to(output), {.block_bytes = 30000},
                      [&](const StreamTotals& so_far) { last_input = so_far.input_bytes; });
  EXPECT_EQ(totals.input_bytes, input.size());
  EXPECT_EQ(last_input, input.size());
  EXPECT_EQ(totals.output_bytes, output.size());
  EXPECT_EQ(totals.blocks, 4u);
}

TEST(StreamCodec, RefusesOptionsOutOfRange) {
  const std::vector<std::uint8_t> input(10);
  EXPECT_THROW(compress(input, {.block_bytes = 0}), std::invalid_argument);
  EXPECT_THROW(compress(input, {.block_bytes = format::max_block_bytes + 1}), std::invalid_argument);
  EXPECT_THROW(
      compress(input, {.format = BlockFormat::fsst, .block_bytes = format::max_fsst_block_bytes + 1}),
      std::invalid_argument);
  EXPECT_THROW(compress(input, {.split_count = 0}), std::invalid_argument);
  EXPECT_THROW(compress(input, {.split_count = format::max_split_count + 1}), std::invalid_argument);
  EXPECT_THROW(compress(input, {.strip_codes = 512}), std::invalid_argument) << "splits have no strips";
  EXPECT_THROW(compress(input, {.format = BlockFormat::tiles, .strip_codes = 768}), std::invalid_argument);
  EXPECT_THROW(compress(input, {.format = BlockFormat::tiles, .codes_per_lane = 24, .strip_codes = 512}),
               std::invalid_argument);
  EXPECT_THROW(
      compress(input, {.format = BlockFormat::fsst, .checksum_kind = format::ChecksumKind::xxh64_tree}),
      std::invalid_argument);
}

// Options that no other test of round trips has.
TEST(StreamCodec, StripsAndChecksumsAreThoseThatWereAskedFor) {
  const auto input = test::make_text(60000, 8);
  for (const format::ChecksumKind kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
    for (const std::uint32_t strip_codes : {0u, 512u, 1024u, 2048u}) {
      SCOPED_TRACE(strip_codes);
      const CompressOptions options{.format = BlockFormat::tiles,
                                    .block_bytes = 25000,
                                    .strip_codes = strip_codes,
                                    .checksum_kind = kind,
                                    .threads = 1};
      const auto frame = compress(input, options);
      std::vector<std::uint8_t> streamed;
      const CompressTotals totals =
          compress_stream(format::reader_of(input), format::writer_to(streamed), options);
      EXPECT_EQ(streamed, frame);
      EXPECT_EQ(decompress_frame(frame, 1), input);
      EXPECT_EQ(decompress_by_stream(frame, false), input);
      const format::FrameView view = format::parse_frame(frame);
      EXPECT_EQ(view.header.checksum_kind, kind);
      EXPECT_EQ(view.index.entries[1].record.checksum,
                format::checksum(kind, std::span(input).subspan(25000, 25000)));
      const format::TilesHeader block(view.payload(1).data());
      EXPECT_EQ(block.tiles_per_strip() * block.shape().codes(), codes_per_strip(totals.tiles.value()));
      EXPECT_LE(codes_per_strip(*totals.tiles), strip_codes == 0 ? 2048 : strip_codes);
    }
    const auto nothing = compress({}, {.checksum_kind = kind});
    EXPECT_EQ(format::parse_frame(nothing).header.checksum_kind, kind);
    EXPECT_TRUE(decompress_frame(nothing, 1).empty());
    EXPECT_TRUE(decompress_by_stream(nothing, false).empty());
  }
}

TEST(StreamCodec, PassesOnWhatReadAndWriteThrow) {
  const auto input = test::make_text(100000, 3);
  const WriteFunction full = [](std::span<const std::uint8_t>) { throw std::runtime_error("disk full"); };
  EXPECT_THROW(compress_stream(format::reader_of(input), full, {}), std::runtime_error);
  const auto frame = compress(input);
  EXPECT_THROW(decompress_stream(format::reader_of(frame), full, {}), std::runtime_error);
  const ReadFunction broken = [](std::span<std::uint8_t>) -> std::size_t {
    throw std::runtime_error("read error");
  };
  std::vector<std::uint8_t> output;
  EXPECT_THROW(compress_stream(broken, format::writer_to(output), {}), std::runtime_error);
  EXPECT_THROW(decompress_stream(broken, format::writer_to(output), {}), std::runtime_error);
}

TEST(StreamCodec, WritesTheBlocksInFrontOfADamagedOne) {
  const auto input = test::make_text(100000, 3);
  auto frame = compress(input, {.block_bytes = 10000});
  const format::FrameView view = format::parse_frame(frame);
  frame[view.index.entries[6].payload_offset + view.index.entries[6].record.payload_bytes - 1] ^= 1;
  std::vector<std::uint8_t> output;
  try {
    decompress_stream(format::reader_of(frame), format::writer_to(output), {.threads = 2});
    FAIL() << "no error";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 6u);
  }
  EXPECT_TRUE(std::equal(output.begin(), output.end(), input.begin()));
  EXPECT_EQ(output.size(), 60000u);
}

// A frame of a few bytes that claims a gigabyte must not take one.
TEST(StreamCodec, DoesNotBelieveHostileSizes) {
  const auto header = format::build_frame_header(
      {.format = BlockFormat::blocks, .block_size = format::max_block_bytes, .split_count = 1});
  const auto record = format::build_block_record({.layout = format::BlockLayout::raw,
                                                  .payload_bytes = format::max_block_bytes,
                                                  .uncompressed_bytes = format::max_block_bytes,
                                                  .checksum = 0});
  std::vector<std::uint8_t> frame(header.begin(), header.end());
  frame.insert(frame.end(), record.begin(), record.end());
  std::size_t largest_request = 0;
  const ReadFunction source = format::reader_of(frame);
  const ReadFunction watched = [&](std::span<std::uint8_t> buffer) {
    largest_request = std::max(largest_request, buffer.size());
    return source(buffer);
  };
  std::vector<std::uint8_t> output;
  EXPECT_THROW(decompress_stream(watched, format::writer_to(output), {}), format::FormatError);
  EXPECT_LE(largest_request, std::size_t{1} << 20);
}

TEST(StreamCodec, RoundTripsEachDbtextColumnInEachFormat) {
  const auto columns = test::dbtext_columns();
  if (columns.empty()) GTEST_SKIP() << test::dbtext_is_missing;
  std::size_t number = 0;
  for (const auto& [column, path] : columns) {
    if (!gsst::test::test_sample().has(number++)) continue;
    SCOPED_TRACE(column);
    auto input = test::read_file(path);
#if defined(__SANITIZE_ADDRESS__)
    // The plain build takes whole columns; the code that runs is the same.
    input.resize(std::min<std::size_t>(input.size(), 300000));
#endif
    for (const BlockFormat block_format :
         {BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced, BlockFormat::tiles}) {
      EXPECT_TRUE(decompress_frame(compress(input, {.format = block_format, .block_bytes = 1 << 20})) ==
                  input);
    }
    const auto file =
        compress(input, {.format = BlockFormat::fsst, .block_bytes = format::max_fsst_block_bytes});
    EXPECT_TRUE(decompress_fsst_file(file) == input);
  }
}

// More than 4 GiB through a pipe: offsets, totals and the index must not be 32 bits wide. The source makes
// the text as it is read and the sink compares it, so that memory stays small.
TEST(StreamCodec, RoundTripsMoreThan4GiB) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "takes minutes with AddressSanitizer; the plain build runs this";
#endif
  constexpr std::uint64_t total = (std::uint64_t{4} << 30) + 12345;
  const std::vector<std::uint8_t> period = test::make_text(1000003, 17);
  std::uint64_t made = 0;
  const ReadFunction source = [&](std::span<std::uint8_t> buffer) {
    const std::size_t size = std::min<std::uint64_t>(buffer.size(), total - made);
    for (std::size_t done = 0; done < size;) {
      const std::size_t begin = (made + done) % period.size();
      const std::size_t piece = std::min(size - done, period.size() - begin);
      std::copy_n(period.begin() + static_cast<std::ptrdiff_t>(begin), piece,
                  buffer.begin() + static_cast<std::ptrdiff_t>(done));
      done += piece;
    }
    made += size;
    return size;
  };
  std::vector<std::uint8_t> frame;
  // Growing, and blocks for which malloc asks the kernel each time, would take as long as the codec.
  frame.reserve(total * 3 / 4);
  compress_stream(source, format::writer_to(frame), {.block_bytes = std::uint64_t{8} << 20});
  const format::FrameView view = format::parse_frame(frame);
  EXPECT_EQ(view.index.uncompressed_bytes, total);

  std::uint64_t compared = 0;
  bool same = true;
  const WriteFunction sink = [&](std::span<const std::uint8_t> bytes) {
    for (std::size_t done = 0; done < bytes.size();) {
      const std::size_t begin = (compared + done) % period.size();
      const std::size_t piece = std::min(bytes.size() - done, period.size() - begin);
      same = same && std::equal(period.begin() + static_cast<std::ptrdiff_t>(begin),
                                period.begin() + static_cast<std::ptrdiff_t>(begin + piece),
                                bytes.begin() + static_cast<std::ptrdiff_t>(done));
      done += piece;
    }
    compared += bytes.size();
  };
  decompress_stream(format::reader_of(frame), sink, {});
  EXPECT_TRUE(same);
  EXPECT_EQ(compared, total);
}

}  // namespace
}  // namespace gsst::reference
