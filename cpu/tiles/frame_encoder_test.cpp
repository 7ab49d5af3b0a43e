#include "cpu/tiles/frame_encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/tiles_header.hpp"
#include "common/frame/frame.hpp"
#include "cpu/tiles/frame_table.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

// Frames decoded by the codec of reference_cpu.
namespace gsst::cpu::tiles {
namespace {

using Input = std::vector<std::uint8_t>;
using format::EncodeSettings;

constexpr std::uint64_t small_block_bytes = 8192;

struct Encoded {
  std::vector<std::uint8_t> frame;
  format::EncodeTotals totals;
};

Encoded encode(const Input& input, const EncodeSettings& settings) {
  Encoded encoded;
  encoded.totals = encode_frame(format::reader_of(input), format::writer_to(encoded.frame), settings);
  EXPECT_EQ(encoded.totals.input_bytes, input.size());
  EXPECT_EQ(encoded.totals.output_bytes, encoded.frame.size());
  EXPECT_TRUE(reference::decompress_frame(encoded.frame, 1) == input) << "other bytes";
  return encoded;
}

std::uint64_t number(const Encoded& encoded, const std::string& name) {
  for (const auto& [its_name, value] : encoded.totals.numbers) {
    if (its_name == name) return value;
  }
  ADD_FAILURE() << "no number " << name;
  return 0;
}

// Text, and blocks that are not alike.
Input make_input(std::uint64_t blocks) {
  Input input;
  for (std::uint64_t block = 0; block < blocks; ++block) {
    const Input part = block % 4 == 2 ? reference::test::make_random(small_block_bytes, block)
                                      : reference::test::make_text(small_block_bytes, 3 + block % 2);
    input.insert(input.end(), part.begin(), part.end());
  }
  input.resize(input.size() - 100);
  return input;
}

TEST(TilesFrameEncoder, TheSameFrameWithAnyNumberOfThreads) {
  for (const std::uint64_t code_bits : {8u, 10u, 12u}) {
    // More blocks than are encoded at once.
    for (const std::uint64_t blocks : {1u, 2u, 7u, 300u}) {
      SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(blocks) + " blocks");
      const Input input = make_input(blocks);
      EncodeSettings settings{
          .block_bytes = small_block_bytes, .options = {{"code-bits", code_bits}}, .threads = 1};
      const Encoded expected = encode(input, settings);
      EXPECT_EQ(expected.totals.blocks, blocks);
      EXPECT_EQ(number(expected, "code_bits"), code_bits);
      for (const unsigned threads : {0u, 3u}) {
        settings.threads = threads;
        EXPECT_TRUE(encode(input, settings).frame == expected.frame) << threads << " threads";
      }
    }
  }
}

TEST(TilesFrameEncoder, AwkwardInputs) {
  for (const auto& input : reference::test::awkward_inputs()) {
    for (const std::uint64_t bytes : {std::uint64_t{1000}, std::uint64_t{4} << 20}) {
      SCOPED_TRACE(input.name + " in blocks of " + std::to_string(bytes));
      encode(input.bytes, {.block_bytes = bytes, .threads = 1});
    }
  }
}

// More than the bytes that the table is trained for.
TEST(TilesFrameEncoder, SeveralBatches) {
  Input input = reference::test::make_text(std::size_t{34} << 20, 1);
  const Encoded encoded = encode(input, {.threads = 2});
  EXPECT_EQ(encoded.totals.blocks, 9u);
  EXPECT_EQ(number(encoded, "tables"), 1u);
}

TEST(TilesFrameEncoder, BlocksThatAreAlikeShareATable) {
  const EncodeSettings settings{.block_bytes = std::uint64_t{1} << 17, .threads = 1};
  Input input = reference::test::make_text(std::size_t{4} << 20, 1);
  EXPECT_EQ(number(encode(input, settings), "tables"), 1u);
  // A block of digits, of which there are too few for the table.
  for (const std::uint8_t byte : reference::test::make_random(settings.block_bytes, 1)) {
    input.push_back(static_cast<std::uint8_t>('0' + byte % 10));
  }
  EXPECT_EQ(number(encode(input, settings), "tables"), 2u);
}

TEST(TilesFrameEncoder, RandomBytesAreStoredRaw) {
  const Encoded encoded = encode(reference::test::make_random(100'000, 1), {.threads = 1});
  EXPECT_EQ(number(encoded, "tables"), 0u);
  EXPECT_LT(encoded.frame.size(), 100'200u);
}

TEST(TilesFrameEncoder, TakesTheOptions) {
  const Input text = reference::test::make_text(200'000, 1);
  for (const std::uint64_t lane : {16u, 24u, 32u}) {
    for (const std::uint64_t strip : {512u, 1024u, 2048u}) {
      if (lane * format::tile_lanes > strip) continue;
      const Encoded encoded =
          encode(text, {.options = {{"codes-per-lane", lane}, {"strip-codes", strip}}, .threads = 1});
      const format::FrameView frame = format::parse_frame(encoded.frame);
      const format::TilesHeader header(frame.payload(0).data());
      EXPECT_EQ(header.shape().codes_per_lane, lane);
      EXPECT_EQ(header.tiles_per_strip(), strip / (lane * format::tile_lanes));
      EXPECT_EQ(number(encoded, "codes_per_lane"), lane);
    }
  }
  // Short strips leave no choice.
  const Encoded encoded = encode(text, {.options = {{"strip-codes", 512}}, .threads = 1});
  EXPECT_EQ(number(encoded, "codes_per_lane"), 16u);
}

TEST(TilesFrameEncoder, Checksums) {
  const Input text = reference::test::make_text(50'000, 1);
  const auto kind_of = [&](const EncodeSettings& settings) {
    return format::parse_frame(encode(text, settings).frame).header.checksum_kind;
  };
  EXPECT_EQ(kind_of({.threads = 1}), format::ChecksumKind::xxh64_tree);
  for (const auto kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
    EXPECT_EQ(kind_of({.checksum_kind = kind, .threads = 1}), kind);
  }
}

TEST(TilesFrameEncoder, TheOptimalParseMakesSmallerFrames) {
  constexpr std::uint64_t optimal = 1;
  std::size_t greedy_bytes = 0;
  std::size_t optimal_bytes = 0;
  // Of the words of the texts that are made up, the greedy parse is as good. Of one page it can be, too.
  for (const char* const page : {"common/format/FORMAT.md", "README.md", "CHANGELOG.md", "docs/library.md"}) {
    const Input input = reference::test::read_file(page);
    const Encoded level_2 = encode(input, {.level = 2, .threads = 1});
    EXPECT_TRUE(encode(input, {.options = {{"parse", optimal}}, .threads = 1}).frame == level_2.frame);
    greedy_bytes += encode(input, {.threads = 1}).frame.size();
    optimal_bytes += level_2.frame.size();
  }
  EXPECT_LT(optimal_bytes, greedy_bytes);
}

TEST(TilesFrameEncoder, IsForTheFirstLevels) {
  const Input text = reference::test::make_text(1000, 1);
  EXPECT_TRUE(is_fast_level({}));
  EXPECT_TRUE(is_fast_level({.level = 2}));
  EXPECT_TRUE(is_fast_level({.options = {{"code-bits", 12}}}));
  for (const EncodeSettings& settings : {EncodeSettings{.level = 3}, EncodeSettings{.level = 9},
                                         EncodeSettings{.level = 2, .options = {{"code-bits", 12}}},
                                         EncodeSettings{.options = {{"code-bits", 10}, {"parse", 1}}}}) {
    EXPECT_FALSE(is_fast_level(settings));
    std::vector<std::uint8_t> frame;
    EXPECT_THROW(encode_frame(format::reader_of(text), format::writer_to(frame), settings),
                 std::invalid_argument);
  }
  std::vector<std::uint8_t> frame;
  EXPECT_THROW(encode_frame(format::reader_of(text), format::writer_to(frame), {.block_bytes = 0}),
               std::invalid_argument);
  EXPECT_THROW(
      encode_frame(format::reader_of(text), format::writer_to(frame), {.options = {{"code-bits", 9}}}),
      std::invalid_argument);
  EXPECT_TRUE(frame.empty());
}

TEST(TilesFrameEncoder, TellsItsProgress) {
  const Input input = make_input(300);
  std::vector<std::uint8_t> frame;
  format::StreamTotals last;
  const format::EncodeTotals totals =
      encode_frame(format::reader_of(input), format::writer_to(frame),
                   {.block_bytes = small_block_bytes, .threads = 1}, [&](const auto& now) { last = now; });
  EXPECT_EQ(last.blocks, totals.blocks);
  EXPECT_EQ(last.input_bytes, input.size());
}

TEST(FrameTable, SuitsTextOfTheSameKind) {
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    const Input text = reference::test::make_text(500'000, 1);
    const FrameTable table(text, {.code_bits = code_bits});
    ParsedCodes parsed;
    table.encoder().parse(std::span(text).first(100'000), parsed);
    EXPECT_TRUE(table.suits(parsed)) << code_bits << " bits";
    table.encoder().parse(reference::test::make_text(500, 1), parsed);
    EXPECT_TRUE(table.suits(parsed)) << code_bits << " bits, a short text";
    table.encoder().parse(reference::test::make_random(100'000, 1), parsed);
    EXPECT_FALSE(table.suits(parsed)) << code_bits << " bits, random bytes";
  }
}

}  // namespace
}  // namespace gsst::cpu::tiles
