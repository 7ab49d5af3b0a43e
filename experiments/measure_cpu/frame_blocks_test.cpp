#include "experiments/measure_cpu/frame_blocks.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// Text, then bytes that no table makes smaller: the last blocks are raw.
Bytes text_then_noise() {
  const std::string line = "quickly ironic deposits wake above the even, final requests\n";
  Bytes bytes;
  for (int i = 0; i < 1000; ++i) bytes.insert(bytes.end(), line.begin(), line.end());
  std::uint32_t state = 1;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 1664525 + 1013904223;
    bytes.push_back(static_cast<std::uint8_t>(state >> 24));
  }
  return bytes;
}

Bytes compressed_blocks(const Bytes& input, format::BlockFormat block_format = format::BlockFormat::blocks) {
  return reference::compress(input, {.format = block_format, .block_bytes = 5000, .split_count = 1});
}

/// Finds fault with every block.
reference::DecodeProblem failing_decoder(const format::SymbolTable&, std::span<const std::uint8_t>,
                                         std::span<std::uint8_t>) {
  return reference::DecodeProblem::code_without_symbol;
}

TEST(DecodeFrameBlocks, GivesTheInputWithAnyNumberOfThreadsAndEitherDecoder) {
  const Bytes input = text_then_noise();
  const Bytes compressed = compressed_blocks(input);
  const format::FrameView frame = format::parse_frame(compressed);
  for (const unsigned threads : {1u, 2u, 3u, 64u}) {
    for (const CodesDecoder decoder : {reference::decode, reference::decode_fast}) {
      Bytes output(input.size(), 0xa5);
      decode_frame_blocks(frame, decoder, threads, output);
      EXPECT_EQ(output, input) << threads << " threads";
    }
  }
}

TEST(DecodeFrameBlocks, DecodingProblemIsReportedWithItsBlock) {
  const Bytes input = text_then_noise();
  const Bytes compressed = compressed_blocks(input);
  Bytes output(input.size());
  try {
    decode_frame_blocks(format::parse_frame(compressed), failing_decoder, 2, output);
    FAIL() << "no error";
  } catch (const MismatchError& error) {
    EXPECT_EQ(std::string(error.what()).rfind("block ", 0), 0u) << error.what();
  }
}

TEST(DecodeFrameBlocks, OutputOfAnotherSizeIsRefused) {
  const Bytes input = text_then_noise();
  const Bytes compressed = compressed_blocks(input);
  Bytes output(input.size() - 1);
  EXPECT_THROW(decode_frame_blocks(format::parse_frame(compressed), reference::decode, 1, output),
               std::invalid_argument);
}

TEST(DecodeFrameBlocks, OtherFormatIsRefused) {
  const Bytes input = text_then_noise();
  const Bytes compressed = compressed_blocks(input, format::BlockFormat::splits);
  Bytes output(input.size());
  EXPECT_THROW(decode_frame_blocks(format::parse_frame(compressed), reference::decode, 1, output),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::experiments
