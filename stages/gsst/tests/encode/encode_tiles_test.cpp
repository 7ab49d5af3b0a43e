#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "common/format/part_size.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/table_sharing.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/tile_parse.hpp"
#include "reference_cpu/train_tiles.hpp"
#include "stages/gsst/encode/encode_settings.hpp"
#include "stages/gsst/encode/encode_stream.hpp"
#include "stages/gsst/tests/run_encode.hpp"
#include "stages/suite/large_input.hpp"
#include "stages/suite/stage_case.hpp"
#include "stages/suite/test_sample.hpp"

// Encoder stages that write format tiles against the oracle: what it decodes, and the frame that it makes
// when it parses each segment of a block by itself, byte for byte.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;
using format::TileShape;
using format::TileTable;
using reference::test::NamedInput;

// What the encoders parse by itself.
constexpr std::size_t segment_bytes = 4096;
constexpr auto tile_checksum_kind = format::ChecksumKind::xxh64_tree;
constexpr std::array<std::uint32_t, 3> lanes = {32, 24, 16};

void extend(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

Bytes joined(std::initializer_list<Bytes> parts) {
  Bytes whole;
  for (const Bytes& part : parts) extend(whole, part);
  return whole;
}

// A block of the segments' codes, cut into strips as the specification says.
Bytes oracle_block(const TileTable& table, const TileShape& shape, std::span<const std::uint8_t> block,
                   std::uint64_t block_bytes) {
  constexpr std::uint32_t most_codes = 2048;
  const std::uint32_t tiles_per_strip = most_codes / shape.codes();
  const std::uint32_t strip_codes = tiles_per_strip * shape.codes();
  std::vector<std::uint16_t> codes;
  std::vector<std::uint32_t> strip_outputs;
  const auto put = [&](std::uint32_t code, std::size_t position) {
    if (codes.size() % strip_codes == 0) strip_outputs.push_back(static_cast<std::uint32_t>(position));
    codes.push_back(static_cast<std::uint16_t>(code));
  };
  const std::size_t size = format::part_size(block.size(), format::part_size(block_bytes, segment_bytes));
  for (std::size_t begin = 0; begin < block.size(); begin += size) {
    const auto segment = block.subspan(begin, std::min(size, block.size() - begin));
    reference::parse_tiles_greedily(table, segment,
                                    [&](std::size_t at, const std::optional<reference::TileMatch>& match) {
                                      if (match) return put(match->code, begin + at);
                                      if (codes.size() % strip_codes == strip_codes - 1) put(0, begin + at);
                                      put(segment[at] >> 4U, begin + at);
                                      put(16 + (segment[at] & 0xfU), begin + at);
                                    });
  }
  return format::build_tiles_block({.shape = shape,
                                    .tiles_per_strip = tiles_per_strip,
                                    .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                                    .table = table,
                                    .codes = codes,
                                    .strip_outputs = strip_outputs});
}

// The frame of such blocks, of which as few as can hold the table.
Bytes oracle_tiles_frame(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                         const TileTable& table) {
  Bytes frame;
  extend(frame, format::build_frame_header({.format = format::BlockFormat::tiles,
                                            .block_size = settings.block_bytes,
                                            .split_count = 1,
                                            .checksum_kind = tile_checksum_kind}));
  format::FrameIndex index;
  index.checksum_kind = tile_checksum_kind;
  reference::TableSharing sharing;
  for (std::size_t begin = 0; begin < input.size(); begin += settings.block_bytes) {
    const auto block =
        input.subspan(begin, std::min<std::size_t>(settings.block_bytes, input.size() - begin));
    reference::CompressedBlock built = {
        .record = {.layout = format::BlockLayout::wide,
                   .payload_bytes = 0,
                   .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                   .checksum = format::checksum(tile_checksum_kind, block),
                   .checksum_kind = tile_checksum_kind},
        .bytes = oracle_block(table, *settings.tiles, block,
                              std::min<std::uint64_t>(settings.block_bytes, input.size())),
        .has_frame_table = true};
    sharing.finish(built, block, begin + block.size() == input.size());
    extend(frame, format::build_block_record(built.record));
    extend(frame, built.bytes);
    format::append_block(index, built.record);
  }
  extend(frame, format::build_frame_end(index));
  return frame;
}

// The 8-byte symbol "abcdefgh", "a", and halves of all other bytes.
TileTable alphabet_table() {
  TileTable table = format::make_literal_tile_table(8, false);
  table.class_lengths[2] = 1;
  table.symbols[32] = 'a';
  table.class_lengths[3] = 8;
  table.symbols[48] = 0x6867666564636261;
  return table;
}

class EncodeTilesTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredStage& stage() const { return *find_stage(GetParam().stage, Operation::encode); }

  static EncodeSettings settings_for(std::size_t size, std::uint64_t block_bytes, const TileTable& table,
                                     std::uint32_t codes_per_lane) {
    return {.input_bytes = size,
            .block_bytes = block_bytes,
            .split_count = 1,
            .tiles = TileShape{.code_bits = table.code_bits, .codes_per_lane = codes_per_lane}};
  }

  // Encodes between guard bytes and checks guards, statuses and what the oracle decodes. `shift` moves the
  // input's address.
  EncodeResult encode(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                      const TileTable& table, std::size_t shift = 0) const {
    EncodeResult result = run_encode_tiles(
        stage(), GetParam().executor, input, settings, table,
        {.guard_bytes = shift % 2 == 0 ? 0 : 2 * encode_alignment, .poison = 0xb7, .input_offset = shift});
    check(result, input);
    return result;
  }

  // As encode(), and the frame must be the oracle's.
  EncodeResult expect_oracle_frame(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
                                   const TileTable& table, std::uint32_t codes_per_lane = 32,
                                   std::size_t shift = 0) const {
    const EncodeSettings settings = settings_for(input.size(), block_bytes, table, codes_per_lane);
    EncodeResult result = encode(input, settings, table, shift);
    EXPECT_TRUE(result.frame == oracle_tiles_frame(input, settings, table))
        << input.size() << " bytes, " << block_bytes << " a block, " << codes_per_lane << " codes a lane";
    return result;
  }

  static std::size_t blocks_with_table(const EncodeResult& result) {
    const format::FrameView frame = format::parse_frame(result.frame);
    std::size_t tables = 0;
    for (const format::IndexEntry& entry : frame.index.entries) {
      if (entry.record.layout == format::BlockLayout::raw) continue;
      const format::TilesHeader header(result.frame.data() + entry.payload_offset);
      if (header.dictionary_id() == 0) ++tables;
    }
    return tables;
  }

private:
  static void check(const EncodeResult& result, std::span<const std::uint8_t> input) {
    EXPECT_TRUE(result.guards_are_intact);
    EXPECT_TRUE(std::ranges::equal(reference::decompress_frame(result.frame, 1), input));
    const format::FrameView frame = format::parse_frame(result.frame);
    ASSERT_EQ(result.statuses.size(), frame.index.entries.size());
    for (std::size_t block = 0; block < result.statuses.size(); ++block) {
      const bool raw = frame.index.entries[block].record.layout == format::BlockLayout::raw;
      EXPECT_EQ(result.statuses[block],
                static_cast<std::uint32_t>(raw ? EncodedBlock::raw : EncodedBlock::coded));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(TileEncoders, EncodeTilesTest,
                         testing::ValuesIn(stage_cases(Operation::encode, format::BlockFormat::tiles)),
                         case_name);

TileTable first_level_table(std::span<const std::uint8_t> input) {
  return reference::train_tile_table(input, 8, 1, reference::Parse::greedy);
}

TEST_P(EncodeTilesTest, EncodesEveryAwkwardInputAsTheOracleDoes) {
  std::vector<NamedInput> inputs = reference::test::awkward_inputs();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    SCOPED_TRACE(inputs[i].name);
    Bytes& input = inputs[i].bytes;
    shorten_where_slow(GetParam().executor, input, 9001);
    expect_oracle_frame(input, 5003, first_level_table(input), lanes[i % lanes.size()], i % 17);
    if (HasFailure()) return;
  }
}

// Tables of every width, with many symbols that start alike.
TEST_P(EncodeTilesTest, EncodesWithEveryWidthAndShape) {
  // Two blocks, of which the second has what is not text.
  const test::TestSample sample = test::test_sample();
  const Bytes input = joined({reference::test::make_text(sample.size(40'000, 13'000), 5),
                              reference::test::make_mixed(sample.size(9000, 3000), 6)});
  for (const std::uint32_t code_bits : {8U, 10U, 12U}) {
    const TileTable table = reference::train_tile_table(input, code_bits, reference::first_dictionary_level,
                                                        reference::Parse::greedy);
    for (const std::uint32_t codes_per_lane : lanes) {
      expect_oracle_frame(input, sample.size(30'000, 10'000), table, codes_per_lane, codes_per_lane / 8 - 1);
      if (HasFailure()) return;
    }
  }
}

// Full tables, of which no symbol may be without a place in the lookup tables. With these seeds one was,
// where keys came to even slots only.
TEST_P(EncodeTilesTest, FindsEverySymbol) {
  TileTable table = format::make_literal_tile_table(8, false);
  std::fill(table.class_lengths.begin() + 2, table.class_lengths.end(), std::uint8_t{2});
  for (const std::uint64_t seed : {71U, 112U, 115U, 126U}) {
    const Bytes pairs = reference::test::make_random(2 * (table.symbols.size() - 32), seed);
    for (std::size_t code = 32; code < table.symbols.size(); ++code) {
      table.symbols[code] = pairs[2 * (code - 32)] | std::uint64_t{pairs[2 * (code - 32) + 1]} << 8U;
    }
    expect_oracle_frame(joined({pairs, pairs, pairs, pairs}), 2000, table);
    if (HasFailure()) return;
  }
}

// Shorter rows, as few warps as find room, and tables in global memory.
TEST_P(EncodeTilesTest, EncodesInLittleSharedMemory) {
  const Bytes input = reference::test::make_text(30'000, 5);
  for (const std::uint32_t code_bits : {8U, 10U, 12U}) {
    const TileTable table = reference::train_tile_table(input, code_bits, reference::first_dictionary_level,
                                                        reference::Parse::greedy);
    EncodeSettings settings = settings_for(input.size(), 20'000, table, 32);
    const Bytes expected = oracle_tiles_frame(input, settings, table);
    for (const std::int64_t kilobytes : {48, 99, 163}) {
      settings.parameters = {{"shared_kilobytes", kilobytes}};
      // No kernel asks for more.
      const simt::SharedMemoryLimit limit(static_cast<std::size_t>(kilobytes) << 10);
      EXPECT_TRUE(encode(input, settings, table).frame == expected)
          << code_bits << " bits, " << kilobytes << " KB";
    }
  }
}

// Around the borders of tiles, strips, segments and groups of them.
TEST_P(EncodeTilesTest, EncodesAtEveryBorder) {
  const Bytes text = reference::test::make_text(150'000, 3);
  const TileTable table = first_level_table(text);
  for (const std::size_t size : {1U, 2U, 700U, 2048U, 4095U, 4096U, 4097U, 32 * 4096U, 32 * 4096U + 1}) {
    expect_oracle_frame(std::span(text).first(size), size, table, lanes[size % 3], size % 16);
    if (HasFailure()) return;
  }
}

// The last strip of a block is full too, whatever the number of codes in a lane: one strip more would be
// empty.
TEST_P(EncodeTilesTest, EncodesWholeStripsOnly) {
  Bytes input;
  for (unsigned symbol = 0; symbol < 6 * 1024; ++symbol) {
    extend(input, Bytes{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'});
  }
  for (const std::uint32_t codes_per_lane : lanes) {
    expect_oracle_frame(input, input.size(), alphabet_table(), codes_per_lane);
    if (HasFailure()) return;
  }
}

// The literal bytes move from strip to strip, so that each strip has another byte at its end.
TEST_P(EncodeTilesTest, KeepsHalvesOfAByteInOneStrip) {
  const TileTable table = alphabet_table();
  const std::size_t least_bytes = test::test_sample().size(400'000, 100'000);
  for (const std::size_t symbols : {1U, 2U, 3U, 5U}) {
    Bytes input;
    while (input.size() < least_bytes) {
      for (std::size_t i = 0; i < symbols; ++i) extend(input, Bytes{'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'});
      input.push_back(static_cast<std::uint8_t>(input.size()));
    }
    expect_oracle_frame(input, input.size(), table, lanes[symbols % 3]);
    if (HasFailure()) return;
  }
}

TEST_P(EncodeTilesTest, StoresRawWhatCodingMakesLarger) {
  const Bytes text = reference::test::make_text(9000, 8);
  const Bytes input = joined({text, reference::test::make_random(9000, 9), Bytes(9000, 0xfe), text});
  const EncodeResult result = expect_oracle_frame(input, 9000, first_level_table(text), 16, 3);
  EXPECT_EQ(result.statuses, (std::vector<std::uint32_t>{0, 1, 1, 0}));
  EXPECT_EQ(blocks_with_table(result), 1U);
}

// More and more noise in each block, up to where coding does not pay: the codes need all the room they have.
TEST_P(EncodeTilesTest, EncodesBlocksThatHardlyPay) {
  constexpr std::size_t block_bytes = 9000;
  const std::size_t blocks = test::test_sample().size(24, 8);
  Bytes input = reference::test::make_text(blocks * block_bytes, 8);
  for (const std::uint32_t code_bits : {8U, 10U, 12U}) {
    const TileTable table = reference::train_tile_table(input, code_bits, reference::first_dictionary_level,
                                                        reference::Parse::greedy);
    Bytes noisy = input;
    for (std::size_t block = 0; block < blocks; ++block) {
      const Bytes noise = reference::test::make_random(block_bytes * block / blocks, block);
      std::ranges::copy(noise, noisy.begin() + static_cast<std::ptrdiff_t>(block * block_bytes));
    }
    // Of the narrow codes only the bytes of the text have one.
    std::array<bool, 256> occurs{};
    for (const std::uint8_t byte : input) occurs[byte] = true;
    for (std::uint8_t& byte : noisy) byte = occurs[byte] || code_bits != 8 ? byte : input[byte];
    const EncodeResult result = expect_oracle_frame(noisy, block_bytes, table, 16);
    EXPECT_EQ(result.statuses.front(), 0U) << code_bits;
    EXPECT_TRUE(code_bits == 8 || result.statuses.back() == 1) << code_bits;
  }
}

// One byte in a block that has no code: the block is stored as it is, and the others are not.
TEST_P(EncodeTilesTest, StoresRawWhatHasNoCode) {
  TileTable table = format::make_literal_tile_table(8, true);
  table.class_lengths = {1, 8};
  for (std::uint64_t i = 0; i < 16; ++i) table.symbols[i] = 'a' + i;
  for (std::uint64_t i = 0; i < 16; ++i) table.symbols[16 + i] = 0x6161616161616161 + i;
  const Bytes block(20'000, 'a');
  Bytes input = joined({block, block, block});
  input[30'000] = 'z';
  const EncodeResult result = encode(input, settings_for(input.size(), 20'000, table, 32), table);
  EXPECT_EQ(result.statuses, (std::vector<std::uint32_t>{0, 1, 0}));
}

// More blocks than a dictionary id reaches, and one that is not coded where the next one could hold the
// table.
TEST_P(EncodeTilesTest, BlocksShareTheTable) {
  constexpr std::size_t block_bytes = 800;
  constexpr std::size_t blocks = 1060;
  const Bytes alphabet = {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'};
  Bytes input;
  while (input.size() < blocks * block_bytes) extend(input, alphabet);
  for (const std::size_t raw : {0U, 500U}) {
    const Bytes noise = reference::test::make_random(block_bytes, raw);
    std::ranges::copy(noise, input.begin() + static_cast<std::ptrdiff_t>(raw * block_bytes));
  }
  const EncodeResult result = expect_oracle_frame(input, block_bytes, alphabet_table(), 16);
  EXPECT_EQ(blocks_with_table(result), 2U);
}

// The last block alone would hold a table for nothing.
TEST_P(EncodeTilesTest, StoresNoTableInVain) {
  const Bytes noise = reference::test::make_random(2000, 4);
  const Bytes text = reference::test::make_text(2000, 4);
  const TileTable table = reference::train_tile_table(text, 8, 1, reference::Parse::greedy);
  expect_oracle_frame(joined({noise, Bytes(text.begin(), text.begin() + 900)}), 2000, table, 16);
}

// It takes the memory of its own bytes, and is cut into segments as a block of its size.
TEST_P(EncodeTilesTest, EncodesAShortInputOfLargeBlocks) {
  const GsstEncodePlans& plans = gsst_encode_plans(stage(), GetParam().executor);
  for (const std::size_t size : {0u, 1u, 1000u, 10'000u}) {
    const Bytes input = reference::test::make_text(size, 4);
    const TileTable table = alphabet_table();
    const auto large = plans.make({.settings = settings_for(size, format::max_block_bytes, table, 16)});
    const auto own = plans.make({.settings = settings_for(size, std::max<std::size_t>(size, 1), table, 16)});
    EXPECT_EQ(bytes_of(*large, Role::output), bytes_of(*own, Role::output));
    EXPECT_EQ(bytes_of(*large, Role::state), bytes_of(*own, Role::state));
    expect_oracle_frame(input, format::max_block_bytes, table, 16);
  }
}

TEST_P(EncodeTilesTest, EncodesAStreamInPieces) {
  const Bytes input = reference::test::make_text(40'000, 77);
  const TileTable table = first_level_table(input);
  EncodeStreamSettings settings = {
      .block_bytes = 4000,
      .split_count = 1,
      .tiles = TileStreamSettings{.shape = {.code_bits = 8, .codes_per_lane = 16}, .table = table}};
  settings.memory_bytes = memory_of_piece(gsst_encode_plans(stage(), GetParam().executor), settings, 8000);
  // With a table for all pieces, and with one of each piece.
  for (const bool is_given : {true, false}) {
    if (!is_given) settings.tiles->table.reset();
    Bytes frame;
    std::size_t position = 0;
    const EncodeStreamTotals totals = encode_stream(
        gsst_encode_plans(stage(), GetParam().executor),
        [&](std::span<std::uint8_t> buffer) {
          const std::size_t count = std::min(buffer.size(), input.size() - position);
          std::ranges::copy(std::span(input).subspan(position, count), buffer.begin());
          position += count;
          return count;
        },
        [&](std::span<const std::uint8_t> bytes) { extend(frame, bytes); }, settings);
    EXPECT_TRUE(reference::decompress_frame(frame, 1) == input);
    EXPECT_EQ(totals.blocks, 10U);
    // One in each piece.
    EXPECT_EQ(totals.tables, 5U);
    const format::FrameView view = format::parse_frame(frame);
    const format::IndexEntry& last = view.index.entries[8];
    const TileTable stored = format::read_tile_table(format::TilesHeader(frame.data() + last.payload_offset));
    EXPECT_TRUE(stored == (is_given ? table : first_level_table(std::span(input).last(8000))));
  }
}

// The oracle's table of the same input, symbol for symbol. Some inputs are weighed as a whole, others in
// pieces from all over.
TEST_P(EncodeTilesTest, TrainsTheOraclesTable) {
  std::vector<NamedInput> inputs = reference::test::awkward_inputs();
  // Nothing, single bytes, and what gives many symbols.
  std::erase_if(
      inputs, [](const NamedInput& input) { return input.bytes.size() > 1 && input.bytes.size() < 15'000; });
  inputs.push_back({"text", reference::test::make_text(60'000, 3)});
  inputs.push_back({"mixed", reference::test::make_mixed(reference::sample_bytes, 4)});
  inputs.push_back({"more than is weighed", reference::test::make_text((512 << 10) + 1, 5)});
  for (const NamedInput& input : inputs) {
    SCOPED_TRACE(input.name);
    const TileTable table = first_level_table(input.bytes);
    const EncodeSettings settings = settings_for(input.bytes.size(), 250'000, table, 32);
    const EncodeResult result =
        run_encode(stage(), GetParam().executor, input.bytes, settings, {}, {.input_offset = 3});
    ASSERT_TRUE(result.frame == oracle_tiles_frame(input.bytes, settings, table));
  }
}

// The executor trains tables of 8-bit codes only, where it has the shared memory.
TEST_P(EncodeTilesTest, TrainsOnTheHostWhatTheExecutorCannot) {
  const Bytes input = reference::test::make_text(60'000, 5);
  for (const std::uint32_t code_bits : {8U, 10U, 12U}) {
    const unsigned level = code_bits == 8 ? reference::min_level : reference::first_dictionary_level;
    const TileTable table = reference::train_tile_table(input, code_bits, level, reference::Parse::greedy);
    EncodeSettings settings = settings_for(input.size(), 20'000, table, 32);
    settings.parameters = {{"shared_kilobytes", 48}};
    const simt::SharedMemoryLimit limit(std::size_t{48} << 10);
    const EncodeResult result = run_encode(stage(), GetParam().executor, input, settings);
    EXPECT_TRUE(result.frame == oracle_tiles_frame(input, settings, table)) << code_bits << " bits";
  }
}

TEST_P(EncodeTilesTest, AlternatingInputsGetTheirOwnTables) {
  const Bytes text = reference::test::make_text(20'000, 1);
  Bytes other = text;
  std::ranges::reverse(other);
  const EncodeSettings settings = settings_for(text.size(), 20'000, alphabet_table(), 32);
  const auto trained = [&](const Bytes& input) {
    return run_encode(stage(), GetParam().executor, input, settings).frame;
  };
  const Bytes first = trained(text);
  const Bytes second = trained(other);
  EXPECT_TRUE(reference::decompress_frame(first, 1) == text);
  EXPECT_TRUE(reference::decompress_frame(second, 1) == other);
  EXPECT_TRUE(trained(text) == first);
  EXPECT_LT(first.size(), text.size() / 2);
}

// With a table that is trained on pieces from all over the input.
TEST_P(EncodeTilesTest, EncodesMoreThanFourGibibytes) {
  if (GetParam().executor != Executor::gpu) GTEST_SKIP() << "too slow on the CPU";
  const Bytes input = more_than_four_gibibytes_of(reference::test::make_text(period_of_large_input, 17));
  const EncodeSettings settings =
      settings_for(input.size(), std::uint64_t{8} << 20, format::make_literal_tile_table(8, false), 32);
  const EncodeResult result = run_encode(stage(), GetParam().executor, input, settings, {},
                                         {.guard_bytes = 64 * encode_alignment, .poison = 0xb7});
  EXPECT_TRUE(result.guards_are_intact);
  EXPECT_LT(result.frame.size(), input.size() / 2);
  EXPECT_TRUE(reference::decompress_frame(result.frame) == input);
}

TEST_P(EncodeTilesTest, EncodesMoreThanFourGibibytesWithWideCodes) {
  if (GetParam().executor != Executor::gpu) GTEST_SKIP() << "too slow on the CPU";
  const Bytes period = reference::test::make_text(period_of_large_input, 17);
  const Bytes input = more_than_four_gibibytes_of(period);
  const TileTable table =
      reference::train_tile_table(period, 12, reference::first_dictionary_level, reference::Parse::greedy);
  const EncodeSettings settings = settings_for(input.size(), std::uint64_t{8} << 20, table, 32);
  const EncodeResult result = run_encode_tiles(stage(), GetParam().executor, input, settings, table,
                                               {.guard_bytes = 64 * encode_alignment, .poison = 0xb7});
  EXPECT_TRUE(result.guards_are_intact);
  EXPECT_LT(result.frame.size(), input.size() / 2);
  EXPECT_TRUE(reference::decompress_frame(result.frame) == input);
}

TEST_P(EncodeTilesTest, RefusesSettingsOutOfRange) {
  const Bytes input = {'a', 'b'};
  const TileTable table = alphabet_table();
  const auto run = [&](const TileShape& shape, std::uint32_t split_count) {
    EncodeSettings settings = settings_for(input.size(), 10, table, 32);
    settings.tiles = shape;
    settings.split_count = split_count;
    return run_encode_tiles(stage(), GetParam().executor, input, settings, table);
  };
  EXPECT_THROW(run({.code_bits = 9, .codes_per_lane = 32}, 1), std::invalid_argument);
  EXPECT_THROW(run({.code_bits = 8, .codes_per_lane = 8}, 1), std::invalid_argument);
  EXPECT_THROW(run({.code_bits = 12, .codes_per_lane = 32}, 1), std::invalid_argument);
  EXPECT_THROW(run({.code_bits = 8, .codes_per_lane = 32}, 2), std::invalid_argument);
  EXPECT_THROW(run_encode_tiles(*find_stage("gsst/08_gpu_encoder", Operation::encode), GetParam().executor,
                                input, settings_for(input.size(), 10, table, 32), table),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::stage
