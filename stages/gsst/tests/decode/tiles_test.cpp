#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/expect_format_error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/block_statuses.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/tiles_block_test.hpp"
#include "stages/suite/stage_test.hpp"

// Blocks of tiles that no encoder would write: every shape, any codes, tiles that put out nothing or as much
// as they can. For the stages that decode format tiles; the others skip.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Codes = std::vector<std::uint16_t>;
using format::TileShape;
using format::TileTable;

void append_all(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// Numbers below `limit`, at most 256 * 256, that `seed` decides.
Codes random_codes(std::size_t count, std::uint32_t limit, std::uint64_t seed) {
  const Bytes noise = reference::test::make_random(2 * count, seed);
  Codes codes;
  for (std::size_t i = 0; i < count; ++i) {
    codes.push_back(static_cast<std::uint16_t>((noise[2 * i] + 256U * noise[2 * i + 1]) % limit));
  }
  return codes;
}

// A table whose free classes have the lengths in `lengths`, over and over, and symbols of noise.
TileTable random_table(std::uint32_t code_bits, bool escape_free, std::span<const unsigned> lengths) {
  TileTable table = format::make_literal_tile_table(code_bits, escape_free);
  const std::uint32_t literal = format::literal_class_count(code_bits, escape_free);
  for (std::uint32_t i = literal; i < format::length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(lengths[(i - literal) % lengths.size()]);
  }
  for (std::uint32_t code = literal << (code_bits - 4); code < table.symbols.size(); ++code) {
    const std::uint64_t noise = (code + 1) * 0x9e3779b97f4a7c15ULL;
    const unsigned length = table.length(code);
    table.symbols[code] = length == 0 ? 0 : noise >> (64 - 8 * length);
  }
  return table;
}

// A block of these codes, whatever they mean.
Bytes block_of(const TileShape& shape, const TileTable& table, const Codes& codes,
               std::uint32_t tiles_per_strip) {
  return reference::test::tiles_block_of(shape, tiles_per_strip, table, codes);
}

Bytes oracle_output(const Bytes& block) {
  const format::TilesHeader header(block.data());
  Bytes output(header.uncompressed_bytes());
  format::check_tiles_block(block, header.uncompressed_bytes(), 0);
  reference::decode_tiles(header, output, 0);
  return output;
}

// A block with what it decodes to.
struct TestBlock {
  format::BlockLayout layout;
  Bytes bytes;
  Bytes output;
};

// All blocks but the last have as much output as the first one.
Bytes frame_of(std::span<const TestBlock> blocks) {
  Bytes frame;
  format::FrameIndex index;
  append_all(frame, format::build_frame_header({.format = format::BlockFormat::tiles,
                                                .block_size = blocks.front().output.size(),
                                                .split_count = 1}));
  for (const TestBlock& block : blocks) {
    const format::BlockRecord record = {.layout = block.layout,
                                        .payload_bytes = static_cast<std::uint32_t>(block.bytes.size()),
                                        .uncompressed_bytes = static_cast<std::uint32_t>(block.output.size()),
                                        .checksum = format::checksum(block.output)};
    append_all(frame, format::build_block_record(record));
    append_all(frame, block.bytes);
    format::append_block(index, record);
  }
  append_all(frame, format::build_frame_end(index));
  return frame;
}

// A block that is stored as it is.
TestBlock raw_test_block(const Bytes& output) {
  TestBlock block{.layout = format::BlockLayout::raw, .bytes = output, .output = output};
  block.bytes.resize(format::padded_tiles_payload_bytes(output.size()));
  return block;
}

// A frame of one block.
Bytes frame_of(const Bytes& block, const Bytes& output) {
  return frame_of(
      std::array{TestBlock{.layout = format::BlockLayout::wide, .bytes = block, .output = output}});
}

Bytes output_of(std::span<const TestBlock> blocks) {
  Bytes output;
  for (const TestBlock& block : blocks) append_all(output, block.output);
  return output;
}

// The default, then each value of each compile-time parameter: every kernel of the stage.
std::vector<ParameterValues> every_kernel(const Description& stage) {
  std::vector<ParameterValues> choices = {{}};
  for (const Parameter& parameter : stage.parameters) {
    if (!parameter.compile_time) continue;
    for (const std::int64_t value : parameter.values) choices.push_back({{parameter.name, value}});
  }
  return choices;
}

// Each value of each parameter, and every kernel with the last value of those that are not compiled in.
std::vector<ParameterValues> kernels_and_launches(const Description& stage) {
  const std::vector<ParameterValues> kernels = every_kernel(stage);
  std::vector<ParameterValues> choices = kernels;
  for (const Parameter& parameter : stage.parameters) {
    if (parameter.compile_time) continue;
    for (const std::int64_t value : parameter.values) choices.push_back({{parameter.name, value}});
    for (ParameterValues kernel : kernels) {
      kernel[parameter.name] = parameter.values.back();
      choices.push_back(kernel);
    }
  }
  return choices;
}

// What every kernel of a ladder decodes, its early ones too.
constexpr TileShape common_shape = {.code_bits = 8, .codes_per_lane = 32};
// What only the last ones decode.
constexpr TileShape wide_shape = {.code_bits = 12, .codes_per_lane = 32};

class TilesTest : public StageTest {
protected:
  void expect_decodes_block(const Bytes& block, std::size_t shift) const {
    const Bytes output = oracle_output(block);
    expect_decodes(frame_of(block, output), output, {}, shift);
  }

  // A block of common_shape.
  void expect_every_kernel_decodes(const Bytes& block, std::size_t shift) const {
    const Bytes output = oracle_output(block);
    const Bytes frame = frame_of(block, output);
    for (const ParameterValues& parameters : every_kernel(stage().description)) {
      SCOPED_TRACE(parameters.empty() ? 0 : parameters.begin()->second);
      expect_decodes(frame, output, parameters, shift);
      if (HasFatalFailure()) return;
    }
  }
};

constexpr std::array<std::uint32_t, 3> lane_codes = {16, 24, 32};

std::string shape_text(const TileShape& shape) {
  return std::to_string(shape.code_bits) + " bits, " + std::to_string(shape.codes_per_lane) + " a lane";
}

TEST_P(TilesTest, DecodesAnyCodesOfEveryShape) {
  constexpr std::array<unsigned, 8> lengths = {3, 1, 8, 2, 5, 4, 7, 6};
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : lane_codes) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      SCOPED_TRACE(shape_text(shape));
      const TileTable table = random_table(code_bits, code_bits != 8, lengths);
      const Codes codes = random_codes(7 * shape.codes() + 99, shape.code_count(), codes_per_lane);
      // One strip, strips of one tile, and addresses with every rest.
      expect_decodes_block(block_of(shape, table, codes, 8), codes_per_lane + code_bits);
      expect_decodes_block(block_of(shape, table, codes, 1), std::size_t{3} * codes_per_lane);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(TilesTest, DecodesTilesOfSymbolsOfOneLength) {
  for (unsigned length = 1; length <= format::max_symbol_length; ++length) {
    const TileTable table = random_table(8, true, std::array{length});
    SCOPED_TRACE(length);
    expect_every_kernel_decodes(block_of(common_shape, table, random_codes(2500, 256, length), 2),
                                37 * length % 128);
    if (HasFatalFailure()) return;
  }
}

// Codes of tiles that take much room in shared memory and of tiles that take little, in every order.
// `long_classes` and `short_classes` are the bit by which classes of 8 bytes differ from those of one.
Codes codes_of_large_and_small_tiles(const TileShape& shape, unsigned long_classes, unsigned short_classes) {
  Codes codes;
  for (const std::uint16_t choice : random_codes(48, 3, 6)) {
    for (const std::uint16_t code : random_codes(shape.codes(), shape.code_count(), codes.size())) {
      const unsigned both = code;
      const unsigned other = both & ~(long_classes | short_classes);
      // Every third tile has both.
      codes.push_back(static_cast<std::uint16_t>(
          choice == 2 ? both : other | (choice == 0 ? long_classes : short_classes)));
    }
  }
  return codes;
}

// Of many warps each has less room for its tiles.
TEST_P(TilesTest, DecodesLargeTilesBesideSmallOnes) {
  // Classes 0, 2, ... have symbols of 8 bytes, the others of one.
  const TileTable table = random_table(8, true, std::array{8U, 1U});
  const Bytes block = block_of(common_shape, table, codes_of_large_and_small_tiles(common_shape, 0, 0x10), 3);
  const Bytes output = oracle_output(block);
  const Bytes frame = frame_of(block, output);
  for (const ParameterValues& parameters : kernels_and_launches(stage().description)) {
    SCOPED_TRACE(testing::PrintToString(parameters));
    expect_decodes(frame, output, parameters, 77);
    if (HasFatalFailure()) return;
  }
}

TEST_P(TilesTest, DecodesLargeTilesOfWideCodesBesideSmallOnes) {
  // Class 0 is that of the bytes; classes 1, 3, ... have symbols of 8 bytes, the others of one.
  const TileTable table = random_table(12, true, std::array{8U, 1U});
  const Bytes block = block_of(wide_shape, table, codes_of_large_and_small_tiles(wide_shape, 0x100, 0), 3);
  const Bytes output = oracle_output(block);
  const Bytes frame = frame_of(block, output);
  for (const std::int64_t warps : {2, 16}) {
    expect_decodes(frame, output, {{"warps", warps}}, 77);
    if (HasFatalFailure()) return;
  }
}

// Every number of codes around the ends of lanes and tiles, and every place of the output in its line.
TEST_P(TilesTest, DecodesEveryNumberOfCodes) {
  constexpr std::array<unsigned, 3> lengths = {1, 2, 5};
  const TileShape shape{.code_bits = 8, .codes_per_lane = 16};
  const TileTable table = random_table(8, true, lengths);
  const Codes codes = random_codes(1100, 256, 1);
  for (std::size_t count = 1; count < codes.size(); count += count < 40 || count % 512 < 3 ? 1 : 17) {
    SCOPED_TRACE(count);
    expect_decodes_block(
        block_of(shape, table, Codes(codes.begin(), codes.begin() + static_cast<int>(count)), 1),
        count * 3 % 128);
    if (HasFatalFailure()) return;
  }
}

// The first tiles of a strip put out less than a line or nothing: what stands in front of the strip is
// another one's output.
TEST_P(TilesTest, DecodesStripsThatBeginWithNearlyNothing) {
  const TileTable table = random_table(8, false, std::array{8u});
  for (const std::size_t outputs : {0u, 1u, 7u, 15u, 16u, 130u}) {
    SCOPED_TRACE(outputs);
    Codes codes;
    for (unsigned strip = 0; strip < 5; ++strip) {
      Codes tile(common_shape.codes(), 0);
      // Second halves of literals, one byte each.
      std::fill_n(tile.begin() + 200, outputs, 20 + strip);
      codes.insert(codes.end(), tile.begin(), tile.end());
      const Codes full = random_codes(common_shape.codes(), 256, strip);
      codes.insert(codes.end(), full.begin(), full.end());
    }
    expect_every_kernel_decodes(block_of(common_shape, table, codes, 2), outputs);
    if (HasFatalFailure()) return;
  }
}

// Both halves of a literal byte in different lanes and tiles, and behind each other.
TEST_P(TilesTest, JoinsHalvesOfLiteralsAcrossLanesAndTiles) {
  const TileTable table = random_table(8, false, std::array{3u, 1u});
  for (const std::size_t before : {0u, 1u}) {
    Codes codes(before, 40);
    const Codes noise = random_codes(2000, 48, before);
    for (const std::uint16_t half : noise) codes.push_back(half);
    for (unsigned byte = 0; byte < 256; ++byte) {
      codes.push_back(static_cast<std::uint16_t>(byte >> 4));
      codes.push_back(static_cast<std::uint16_t>(16 + (byte & 15)));
    }
    expect_every_kernel_decodes(block_of(common_shape, table, codes, 3), 5);
    if (HasFatalFailure()) return;
  }
}

// Several thread blocks share one block's strips and several blocks' tables, and find every strip once.
TEST_P(TilesTest, SharesStripsBetweenThreadBlocks) {
  const Bytes input = reference::test::make_text(150000, 8);
  for (const std::uint64_t block_bytes : {150000u, 40000u}) {
    const Bytes frame = compress(input, block_bytes, 1);
    for (const std::int64_t thread_blocks : {1, 2, 3}) {
      SCOPED_TRACE(thread_blocks);
      expect_decodes(frame, input, {{"thread_blocks", thread_blocks}}, 1);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(TilesTest, DecodesAFrameOfSeveralShapesAndRawBlocks) {
  constexpr std::array<unsigned, 2> lengths = {2, 3};
  constexpr std::size_t block_bytes = 6000;
  std::vector<TestBlock> blocks;
  for (std::uint32_t i = 0; i < 8; ++i) {
    if (i % 4 == 3) {
      blocks.push_back(raw_test_block(reference::test::make_random(block_bytes, i)));
      continue;
    }
    const TileShape shape{.code_bits = 8 + i % 3 * 2, .codes_per_lane = lane_codes[i / 2 % 3]};
    const TileTable table = random_table(shape.code_bits, true, lengths);
    // Codes of the second class and up, until the block is full.
    const Codes choices = random_codes(block_bytes, shape.code_count(), i);
    Codes codes;
    std::size_t bytes = 0;
    for (const std::uint16_t code : choices) {
      if (bytes + table.length(code) + 3 > block_bytes && bytes + table.length(code) != block_bytes) continue;
      codes.push_back(code);
      bytes += table.length(code);
      if (bytes == block_bytes) break;
    }
    ASSERT_EQ(bytes, block_bytes);
    const Bytes block = block_of(shape, table, codes, 1);
    blocks.push_back({.layout = format::BlockLayout::wide, .bytes = block, .output = oracle_output(block)});
  }
  const Bytes frame = frame_of(blocks);
  const Bytes expected = output_of(blocks);
  ASSERT_EQ(reference::decompress_frame(frame), expected);
  expect_decodes(frame, expected, {{"thread_blocks", 2}}, 0);
}

// Blocks of `count` codes of three bytes each. Most share the table of the block before them or of one
// further back; in between stand blocks with other tables of the same classes, and blocks that are stored as
// they are.
std::vector<TestBlock> blocks_that_share(const TileShape& shape, std::size_t block_count, std::size_t count) {
  const std::array<unsigned, 1> lengths = {3};
  std::vector<TestBlock> blocks;
  std::size_t holder = 0;
  for (std::size_t i = 0; i < block_count; ++i) {
    if (i % 50 == 20) {
      blocks.push_back(raw_test_block(reference::test::make_random(3 * count, i)));
      continue;
    }
    if (i % 30 == 0) holder = i;
    TileTable table = random_table(shape.code_bits, true, lengths);
    for (std::size_t code = 0; code < table.symbols.size(); ++code) {
      if (table.length(static_cast<std::uint32_t>(code)) == 3) table.symbols[code] ^= holder;
    }
    // Behind the literal bytes of wide codes.
    const std::uint32_t first = shape.code_bits == 8 ? 0 : 256;
    Codes codes = random_codes(count, shape.code_count() - first, i);
    for (std::uint16_t& code : codes) code = static_cast<std::uint16_t>(code + first);
    Bytes bytes = block_of(shape, table, codes, 1 + i % 2);
    const Bytes output = oracle_output(bytes);
    if (i != holder) format::share_table(bytes, static_cast<std::uint32_t>(i - holder));
    blocks.push_back({.layout = format::BlockLayout::wide, .bytes = bytes, .output = output});
  }
  return blocks;
}

TEST_P(TilesTest, DecodesBlocksThatShareTables) {
  // More blocks than a run has.
  const std::vector<TestBlock> blocks = blocks_that_share(common_shape, 240, 60);
  const Bytes frame = frame_of(blocks);
  const Bytes expected = output_of(blocks);
  ASSERT_EQ(reference::decompress_frame(frame), expected);
  for (ParameterValues parameters : every_kernel(stage().description)) {
    SCOPED_TRACE(parameters.empty() ? 0 : parameters.begin()->second);
    parameters["thread_blocks"] = 3;
    expect_decodes(frame, expected, parameters, 5);
    if (HasFatalFailure()) return;
  }
}

TEST_P(TilesTest, DecodesBlocksOfEveryShapeThatShareTables) {
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : lane_codes) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      SCOPED_TRACE(shape_text(shape));
      // Two to three strips a block.
      const std::vector<TestBlock> blocks = blocks_that_share(shape, 5, std::size_t{2} * shape.codes() + 9);
      expect_decodes(frame_of(blocks), output_of(blocks), {}, 0);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(TilesTest, NamesTheStripOfABlockThatSharesATable) {
  const TileTable table = random_table(8, true, std::array{2u, 4u});
  const Bytes holder =
      block_of(common_shape, table, random_codes(std::size_t{5} * common_shape.codes(), 256, 4), 1);
  const Bytes output = oracle_output(holder);
  std::vector<TestBlock> blocks(3, {.layout = format::BlockLayout::wide, .bytes = holder, .output = output});
  for (std::uint32_t i = 1; i < blocks.size(); ++i) format::share_table(blocks[i].bytes, i);
  // Codes of four bytes in place of others, in the block's strip 2.
  constexpr std::ptrdiff_t third_strip =
      format::tiles_header_bytes + std::ptrdiff_t{2} * common_shape.bytes();
  std::fill_n(blocks[1].bytes.begin() + third_strip, 100, std::uint8_t{0x10});
  for (const ParameterValues& parameters : every_kernel(stage().description)) {
    const DecodeResult result = decode_guarded(frame_of(blocks), parameters, 0);
    if (HasFatalFailure()) return;
    EXPECT_EQ(result.statuses,
              (std::vector<std::uint32_t>{0, stage::strip_status(BlockStatus::output_too_long, 2), 0}));
  }
}

// An early kernel of a ladder may know one shape only, and says so.
TEST_P(TilesTest, DecodesWideCodesOrRefusesThem) {
  const TileShape shape{.code_bits = 12, .codes_per_lane = 24};
  const TileTable table = random_table(12, true, std::array{1u, 6u});
  const Bytes block = block_of(shape, table, random_codes(2000, 4096, 9), 2);
  const Bytes output = oracle_output(block);
  unsigned decoded = 0;
  for (const ParameterValues& parameters : every_kernel(stage().description)) {
    try {
      expect_decodes(frame_of(block, output), output, parameters, 16);
      if (HasFatalFailure()) return;
      ++decoded;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("12-bit codes"), std::string::npos);
    }
  }
  EXPECT_GT(decoded, 0u);
}

// Strips that say more or less than their codes give, in the first, a middle and the last tile.
TEST_P(TilesTest, ReportsStripsOfAnotherLengthAndStaysInsideItsBuffers) {
  const TileShape& shape = common_shape;
  const TileTable table = random_table(8, true, std::array{2u, 4u});
  const Codes codes = random_codes(9 * shape.codes() - 5, 256, 4);
  const Bytes block = block_of(shape, table, codes, 3);
  const Bytes output = oracle_output(block);
  for (std::size_t tile = 0; tile < 9; tile += 2) {
    for (const bool longer : {false, true}) {
      SCOPED_TRACE(std::to_string(tile) + (longer ? " longer" : " shorter"));
      Bytes damaged = block;
      // A code of the other length, in all of the tile's lanes but the last, which is not full everywhere.
      std::uint8_t* const tile_codes = damaged.data() + format::tiles_header_bytes + tile * shape.bytes();
      std::fill_n(tile_codes, 100, static_cast<std::uint8_t>(longer ? 0x10 : 0x20));
      for (const ParameterValues& parameters : every_kernel(stage().description)) {
        const DecodeResult result = decode_guarded(frame_of(damaged, output), parameters, tile);
        if (HasFatalFailure()) return;
        const auto expected = longer ? BlockStatus::output_too_long : BlockStatus::output_too_short;
        EXPECT_EQ(result.statuses.at(0), stage::strip_status(expected, static_cast<std::uint32_t>(tile / 3)));
        // The other strips are whole.
        const format::TilesHeader header(block.data());
        for (std::uint32_t strip = 0; strip < 3; ++strip) {
          if (strip == tile / 3) continue;
          const std::uint32_t begin = header.strip_output(strip);
          const std::uint32_t size = header.strip_output(strip + 1) - begin;
          EXPECT_TRUE(std::ranges::equal(result.output().subspan(begin, size),
                                         std::span(output).subspan(begin, size)));
        }
      }
    }
  }
}

TEST_P(TilesTest, ReportsStripsOfWideCodesThatHaveAnotherLength) {
  const TileTable table = random_table(12, true, std::array{2u, 4u});
  const Bytes block = block_of(wide_shape, table, random_codes(9 * wide_shape.codes() - 5, 4096, 4), 3);
  const Bytes output = oracle_output(block);
  for (const bool longer : {false, true}) {
    SCOPED_TRACE(longer ? "longer" : "shorter");
    Bytes damaged = block;
    // The classes of a hundred codes of tile 4, which is strip 1's second: those of 4 bytes or of one.
    std::fill_n(damaged.data() + format::tiles_header_bytes + std::size_t{4} * wide_shape.bytes() +
                    wide_shape.codes(),
                50, static_cast<std::uint8_t>(longer ? 0x22 : 0));
    const DecodeResult result = decode_guarded(frame_of(damaged, output), {}, 5);
    if (HasFatalFailure()) return;
    const auto expected = longer ? BlockStatus::output_too_long : BlockStatus::output_too_short;
    EXPECT_EQ(result.statuses.at(0), stage::strip_status(expected, 1));
  }
}

// With less shared memory than the kernels were made for. A GPU has what it has: the CPU executor only.
class TilesInLittleSharedMemoryTest : public TilesTest {
protected:
  // Whether `frame` is decoded; else the stage must say which codes need more than `available` bytes.
  bool is_decoded(const Bytes& frame, const Bytes& output, const ParameterValues& parameters,
                  const TileShape& shape, std::size_t available) const {
    try {
      expect_decodes(frame, output, parameters, 3);
      return true;
    } catch (const std::invalid_argument& error) {
      const std::string text = error.what();
      for (const std::string& part :
           {"stage " + stage().description.id,
            std::to_string(shape.code_bits) + "-bit codes, " + std::to_string(shape.codes_per_lane) +
                " a lane",
            std::string("bytes of shared memory"), "a thread block has " + std::to_string(available)}) {
        EXPECT_NE(text.find(part), std::string::npos) << text;
      }
      return false;
    }
  }
};

TEST_P(TilesInLittleSharedMemoryTest, DecodesOrSaysThatThereIsNoRoom) {
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : lane_codes) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      const TileTable table = random_table(code_bits, true, std::array{2u, 8u});
      const Codes codes = random_codes(std::size_t{5} * shape.codes(), shape.code_count(), 3);
      const Bytes block = block_of(shape, table, codes, 1);
      const Bytes output = oracle_output(block);
      const Bytes frame = frame_of(block, output);
      const bool is_common =
          code_bits == common_shape.code_bits && codes_per_lane == common_shape.codes_per_lane;
      // Those of compute capability 8.0, of 8.6 and 8.9, and room for less and less of a table and one warp.
      for (const std::size_t kilobytes : {163u, 99u, 64u, 44u, 33u, 9u, 1u}) {
        SCOPED_TRACE(std::to_string(kilobytes) + " KB, " + shape_text(shape));
        const simt::SharedMemoryLimit limit(kilobytes << 10);
        const bool has_room = kilobytes == 163 || (kilobytes == 99 && code_bits != 10);
        for (const ParameterValues& parameters :
             is_common ? every_kernel(stage().description) : std::vector<ParameterValues>{{}}) {
          const bool decoded = is_decoded(frame, output, parameters, shape, kilobytes << 10);
          if (HasFatalFailure()) return;
          EXPECT_TRUE(decoded || !has_room);
          EXPECT_FALSE(decoded && kilobytes == 1);
        }
      }
    }
  }
}

std::vector<StageCase> tile_decoders_on_cpu() {
  std::vector<StageCase> cases = stage_cases(Operation::decode, format::BlockFormat::tiles);
  std::erase_if(cases, [](const StageCase& one) { return one.executor != Executor::simt; });
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, TilesInLittleSharedMemoryTest, testing::ValuesIn(tile_decoders_on_cpu()),
                         case_name);

TEST(TilesStatus, NamesTheFirstWrongStrip) {
  const std::uint32_t earlier = stage::strip_status(BlockStatus::output_too_short, 7);
  const std::uint32_t later = stage::strip_status(BlockStatus::output_too_long, 8);
  EXPECT_GT(earlier, later) << "a kernel keeps the highest word";
  const std::array<std::uint32_t, 2> statuses = {0, earlier};
  format::expect_format_error(1, "codes of strip 7", [&] {
    stage::throw_problem(
        {.problem = stage::first_problem(format::BlockFormat::tiles, std::as_bytes(std::span(statuses)), 0)});
  });
}

INSTANTIATE_TEST_SUITE_P(AllStages, TilesTest,
                         testing::ValuesIn(stage_cases(Operation::decode, format::BlockFormat::tiles)),
                         case_name);

}  // namespace
}  // namespace gsst::stage
