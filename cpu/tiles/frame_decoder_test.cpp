#include "cpu/tiles/frame_decoder.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/stream_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Frames against the codec of reference_cpu.
namespace gsst::cpu::tiles {
namespace {

using FrameBytes = std::vector<std::uint8_t>;

constexpr std::uint64_t block_bytes = 8192;

// What was written of a frame, and the error's text.
struct Written {
  FrameBytes bytes;
  std::string error;
  std::uint64_t blocks = 0;
};

template <typename Decode>
Written write_frame(const FrameBytes& frame, const Decode& decode) {
  Written written;
  try {
    const format::StreamTotals totals = decode(format::reader_of(frame), format::writer_to(written.bytes));
    written.blocks = totals.blocks;
    EXPECT_EQ(totals.input_bytes, frame.size());
    EXPECT_EQ(totals.output_bytes, written.bytes.size());
  } catch (const format::FormatError& error) {
    written.error = error.what();
  }
  return written;
}

Written write_by_oracle(const FrameBytes& frame) {
  return write_frame(frame, [](const auto& read, const auto& write) {
    return reference::decompress_stream(read, write, {.threads = 1});
  });
}

Written write_with(const FrameBytes& frame, unsigned threads) {
  return write_frame(
      frame, [threads](const auto& read, const auto& write) { return decode_frame(read, write, threads); });
}

FrameBytes make_frame(std::uint32_t code_bits, std::uint64_t blocks) {
  FrameBytes input;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const FrameBytes part = block % 4 == 2 ? reference::test::make_random(block_bytes, block)
                                           : reference::test::make_text(block_bytes, 3);
    input.insert(input.end(), part.begin(), part.end());
  }
  input.resize(input.size() - 100);
  return reference::compress(input, {.format = format::BlockFormat::tiles,
                                     .block_bytes = block_bytes,
                                     .code_bits = code_bits,
                                     .level = 1,
                                     .threads = 1});
}

TEST(TilesFrameDecoder, GivesWhatTheCodecGives) {
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    // More blocks than a batch has.
    for (const std::uint64_t blocks : {1u, 7u, 300u}) {
      SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(blocks) + " blocks");
      const FrameBytes frame = make_frame(code_bits, blocks);
      const Written expected = write_by_oracle(frame);
      ASSERT_EQ(expected.error, "");
      for (const unsigned threads : {0u, 1u, 3u}) {
        const Written written = write_with(frame, threads);
        EXPECT_EQ(written.error, "");
        EXPECT_EQ(written.blocks, expected.blocks);
        EXPECT_TRUE(written.bytes == expected.bytes);
      }
    }
  }
}

TEST(TilesFrameDecoder, EmptyFrame) {
  const FrameBytes frame = reference::compress({}, {.format = format::BlockFormat::tiles, .threads = 1});
  const Written written = write_with(frame, 1);
  EXPECT_EQ(written.error, "");
  EXPECT_EQ(written.blocks, 0u);
}

TEST(TilesFrameDecoder, RefusesAnotherFormat) {
  const FrameBytes input = reference::test::make_text(1000, 1);
  const FrameBytes frame = reference::compress(input, {.format = format::BlockFormat::splits, .threads = 1});
  FrameBytes output;
  EXPECT_THROW(decode_frame(format::reader_of(frame), format::writer_to(output), 1), std::invalid_argument);
}

// Bytes changed anywhere, and frames cut short.
TEST(TilesFrameDecoder, DamagedFramesFailAsTheCodecFails) {
  const FrameBytes good = make_frame(8, 7);
  const FrameBytes wide = make_frame(12, 7);
  for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    FrameBytes frame = seed % 2 == 0 ? good : wide;
    for (std::uint64_t hits = random() % 3 + 1; hits != 0; --hits) {
      frame[random() % frame.size()] = static_cast<std::uint8_t>(random());
    }
    // Every field of the first block's header gets its share.
    if (seed % 3 == 0) frame[random() % 150] = static_cast<std::uint8_t>(random());
    if (seed % 7 == 0) frame.resize(random() % frame.size());
    // The header may name another format, which is not decoded here.
    frame[std::min<std::size_t>(10, frame.size() - 1)] = good[std::min<std::size_t>(10, frame.size() - 1)];
    const Written expected = write_by_oracle(frame);
    Written written;
    try {
      written = write_with(frame, 1);
    } catch (const std::invalid_argument&) {
      continue;
    }
    ASSERT_EQ(written.error, expected.error);
    ASSERT_TRUE(written.bytes == expected.bytes);
  }
}

}  // namespace
}  // namespace gsst::cpu::tiles
