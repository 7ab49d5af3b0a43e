#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"
#include "stages/gsst/encode/encode_settings.hpp"
#include "stages/gsst/encode/encode_stream.hpp"
#include "stages/gsst/encode/piece_encoder.hpp"
#include "stages/gsst/tests/run_encode.hpp"
#include "stages/suite/large_input.hpp"
#include "stages/suite/stage_case.hpp"

// Every encoder stage against the oracle, with each of its parameters' values: what the oracle decodes, and
// where the tables fit the encoder's, the oracle's frame byte for byte.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;
using format::SymbolTable;
using reference::test::NamedInput;

void add(Bytes& to, std::span<const std::uint8_t> bytes) {
  to.insert(to.end(), bytes.begin(), bytes.end());
}

// What the encoders write.
constexpr format::ChecksumKind checksum_kind = format::ChecksumKind::xxh64_tree;

// The frame that the oracle makes of `input` with `tables`, one for all blocks or one for each group.
Bytes oracle_frame(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                   std::span<const SymbolTable> tables) {
  Bytes frame;
  add(frame, format::build_frame_header({.format = format::BlockFormat::splits,
                                         .block_size = settings.block_bytes,
                                         .split_count = settings.split_count,
                                         .checksum_kind = checksum_kind}));
  format::FrameIndex index;
  index.checksum_kind = checksum_kind;
  for (std::uint32_t number = 0; number < block_count(settings); ++number) {
    const std::size_t begin = number * settings.block_bytes;
    const auto block =
        input.subspan(begin, std::min<std::size_t>(settings.block_bytes, input.size() - begin));
    const SymbolTable& table = tables[tables.size() == 1 ? 0 : number / settings.blocks_per_table];
    const format::BuiltBlock built =
        reference::encode_block(format::BlockFormat::splits, table, block, settings.split_count);
    const bool pays = built.bytes.size() < block.size();
    const std::span<const std::uint8_t> payload = pays ? std::span(built.bytes) : block;
    const format::BlockRecord record = {.layout = pays ? built.layout : format::BlockLayout::raw,
                                        .payload_bytes = static_cast<std::uint32_t>(payload.size()),
                                        .uncompressed_bytes = static_cast<std::uint32_t>(block.size()),
                                        .checksum = format::checksum(checksum_kind, block),
                                        .checksum_kind = checksum_kind};
    add(frame, format::build_block_record(record));
    add(frame, payload);
    format::append_block(index, record);
  }
  add(frame, format::build_frame_end(index));
  return frame;
}

class EncodeTest : public testing::TestWithParam<StageCase> {
protected:
  const RegisteredStage& stage() const { return *find_stage(GetParam().stage, Operation::encode); }
  const GsstEncodePlans& plans() const { return gsst_encode_plans(stage(), GetParam().executor); }

  // Encodes between guard bytes and checks guards, statuses and what the oracle decodes. `shift` moves the
  // input's address.
  EncodeResult encode(std::span<const std::uint8_t> input, const EncodeSettings& settings, std::size_t shift,
                      std::span<const SymbolTable> tables = {}) const {
    EncodeResult result = run_encode(
        stage(), GetParam().executor, input, settings, tables,
        {.guard_bytes = shift % 2 == 0 ? 0 : 2 * encode_alignment, .poison = 0xb7, .input_offset = shift});
    check(result, input);
    return result;
  }

  // As encode(), and the frame must be the oracle's: the tables fit the encoder's.
  void expect_oracle_frame(std::span<const std::uint8_t> input, const EncodeSettings& settings,
                           std::size_t shift, std::span<const SymbolTable> tables = {}) const {
    const EncodeResult result = encode(input, settings, shift, tables);
    if (HasFatalFailure()) return;
    ASSERT_TRUE(result.frame == oracle_frame(input, settings, result.tables))
        << names_and_values(settings.parameters) << ", " << settings.block_bytes << " bytes a block, "
        << settings.split_count << " splits";
  }

  // Blocks of 400 bytes, two a table.
  static EncodeSettings stream_settings(std::size_t size) {
    return {.input_bytes = size, .block_bytes = 400, .split_count = 10, .blocks_per_table = 2};
  }

  // What encode_stream() takes for pieces of so many bytes.
  std::uint64_t memory_of(std::size_t piece_bytes) const {
    return memory_of_piece(plans(), {.block_bytes = 400, .split_count = 10, .blocks_per_table = 2},
                           piece_bytes);
  }

  // What encode_stream() makes of `input` with stream_settings().
  std::pair<Bytes, EncodeStreamTotals> encode_stream_of(std::span<const std::uint8_t> input,
                                                        std::uint64_t memory_bytes) const {
    Bytes frame;
    const EncodeStreamTotals totals = encode_stream_to(
        frame, input,
        {.block_bytes = 400, .split_count = 10, .blocks_per_table = 2, .memory_bytes = memory_bytes});
    return {frame, totals};
  }

  // The same with other settings: `frame` gets what is written, also before an error.
  EncodeStreamTotals encode_stream_to(Bytes& frame, std::span<const std::uint8_t> input,
                                      const EncodeStreamSettings& settings) const {
    std::size_t position = 0;
    const auto read = [&](std::span<std::uint8_t> buffer) {
      const std::size_t count = std::min(buffer.size(), input.size() - position);
      std::ranges::copy(input.subspan(position, count), buffer.begin());
      position += count;
      return count;
    };
    return encode_stream(
        plans(), read, [&](std::span<const std::uint8_t> bytes) { add(frame, bytes); }, settings);
  }

private:
  static void check(const EncodeResult& result, std::span<const std::uint8_t> input) {
    ASSERT_TRUE(result.guards_are_intact);
    ASSERT_TRUE(std::ranges::equal(reference::decompress_frame(result.frame, 1), input));
    const format::FrameView frame = format::parse_frame(result.frame);
    ASSERT_EQ(result.statuses.size(), frame.index.entries.size());
    for (std::size_t block = 0; block < result.statuses.size(); ++block) {
      const bool raw = frame.index.entries[block].record.layout == format::BlockLayout::raw;
      ASSERT_EQ(result.statuses[block],
                static_cast<std::uint32_t>(raw ? EncodedBlock::raw : EncodedBlock::coded));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllEncoders, EncodeTest,
                         testing::ValuesIn(stage_cases(Operation::encode, format::BlockFormat::splits)),
                         case_name);

EncodeSettings settings_of(std::span<const std::uint8_t> input, std::uint64_t block_bytes,
                           std::uint32_t split_count, const ParameterValues& parameters = {}) {
  return {.input_bytes = input.size(),
          .block_bytes = block_bytes,
          .split_count = split_count,
          .parameters = parameters};
}

// The step that a stage runs gets every input, the ones before it each a part of them.
TEST_P(EncodeTest, EncodesEveryAwkwardInputAsTheOracleDoes) {
  constexpr std::array<std::uint32_t, 5> split_counts = {20, 32, 33, 100, 256};
  const std::vector<ParameterValues> steps = steps_of(stage().description);
  std::vector<NamedInput> inputs = reference::test::awkward_inputs();
  for (NamedInput& input : inputs) shorten_where_slow(GetParam().executor, input.bytes, 5003);
  for (std::size_t step = 0; step < steps.size(); ++step) {
    const bool last = step + 1 == steps.size();
    for (std::size_t i = last ? 0 : step; i < inputs.size(); i += last ? 1 : steps.size()) {
      const std::uint32_t split_count = split_counts[i % split_counts.size()];
      SCOPED_TRACE(inputs[i].name + ", " + names_and_values(steps[step]) + ", " +
                   std::to_string(split_count) + " splits, shift " + std::to_string(i));
      expect_oracle_frame(inputs[i].bytes, settings_of(inputs[i].bytes, 2003, split_count, steps[step]),
                          i % 17);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(EncodeTest, EncodesWithEveryParameterValue) {
  const Bytes input = reference::test::make_mixed(3000, 31);
  std::uint32_t split_count = 31;
  for (const Parameter& parameter : stage().description.parameters) {
    for (const std::int64_t value : parameter.values) {
      expect_oracle_frame(input, settings_of(input, 2500, split_count, {{parameter.name, value}}), 5);
      if (HasFatalFailure()) return;
      // A part of a thread block, then several.
      split_count = 31 + 257 - split_count;
    }
  }
}

// Every alignment of input and splits, and sizes around every border of words and buffers.
TEST_P(EncodeTest, EncodesAtEveryAlignment) {
  for (std::size_t size = 1; size <= 300; size += size < 40 ? 5 : 37) {
    const Bytes input = reference::test::make_mixed(2 * size, size);
    const std::array tables = {reference::train_symbol_table(input)};
    for (const ParameterValues& step : steps_of(stage().description)) {
      expect_oracle_frame(input, settings_of(input, size, size % 3 == 0 ? 1 : 7, step), size % 17, tables);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(EncodeTest, EncodesMoreSplitsThanBytes) {
  for (const std::size_t size : {1u, 2u, 5u, 63u}) {
    const Bytes input = reference::test::make_text(size, size);
    for (const std::uint32_t split_count : {64u, 255u, 256u, 1000u}) {
      expect_oracle_frame(input, settings_of(input, 61, split_count), 1);
      if (HasFatalFailure()) return;
    }
  }
}

// An input that does not fill a block takes the memory of its own bytes; its frame says the size of a block.
TEST_P(EncodeTest, EncodesAShortInputOfLargeBlocks) {
  for (const std::size_t size : {0u, 1u, 40u, 1000u}) {
    const Bytes input = reference::test::make_mixed(size, 31);
    for (const ParameterValues& step : steps_of(stage().description)) {
      for (const std::uint32_t split_count : {1u, 128u}) {
        const EncodeSettings large = settings_of(input, format::max_block_bytes, split_count, step);
        EncodeSettings own = large;
        own.block_bytes = std::max<std::size_t>(size, 1);
        const std::unique_ptr<Plan> of_large = plans().make({.settings = large});
        const std::unique_ptr<Plan> of_own = plans().make({.settings = own});
        EXPECT_EQ(bytes_of(*of_large, Role::output), bytes_of(*of_own, Role::output));
        EXPECT_EQ(bytes_of(*of_large, Role::state), bytes_of(*of_own, Role::state));
        expect_oracle_frame(input, large, 3);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// More splits of a block than a thread block takes in a round.
TEST_P(EncodeTest, EncodesThousandsOfSplits) {
  const Bytes input = reference::test::make_text(30'000, 7);
  expect_oracle_frame(input, settings_of(input, 30'000, 2000), 1);
}

// Blocks around the borders of a checksum's pieces, and an index that is longer than one.
TEST_P(EncodeTest, WritesChecksumsOfSeveralPieces) {
  constexpr std::size_t piece = format::checksum_piece_bytes;
  for (const std::size_t block_bytes : {piece, piece + 1, 3 * piece - 1}) {
    const Bytes input = reference::test::make_text(block_bytes + piece + 3, block_bytes);
    expect_oracle_frame(input, settings_of(input, block_bytes, 64), 3);
    if (HasFatalFailure()) return;
  }
  const Bytes input = reference::test::make_text(330, 5);
  expect_oracle_frame(input, settings_of(input, 3, 1), 0);
}

// Splits of several kilobytes: of text, of bytes that are escaped, and of both in turns.
TEST_P(EncodeTest, EncodesLongSplits) {
  Bytes input = reference::test::make_mixed(9000, 3);
  add(input, reference::test::make_text(20'000, 4));
  std::vector<ParameterValues> settings = {{}};
  for (const Parameter& parameter : stage().description.parameters) {
    settings.push_back({{parameter.name, parameter.values.front()}});
  }
  std::uint32_t split_count = 3;
  for (const ParameterValues& parameters : settings) {
    expect_oracle_frame(input, settings_of(input, 24'001, split_count, parameters), split_count);
    if (HasFatalFailure()) return;
    split_count = 36 - split_count;
  }
}

// Splits of whole units, of which one group has twice its bytes in codes; and a shorter block behind, whose
// splits start at any address.
TEST_P(EncodeTest, EncodesAGroupThatGrowsInABlockThatShrinks) {
  constexpr std::size_t block_bytes = 65536;
  constexpr std::uint32_t split_count = 256;
  SymbolTable table;
  table.symbol_count = 2;
  table.symbols = {0x6867666564636261, 0x61};
  table.lengths = {8, 1};
  Bytes input;
  while (input.size() < block_bytes + 62'000)
    input.push_back(static_cast<std::uint8_t>('a' + input.size() % 8));
  const Bytes noise = reference::test::make_random(32 * block_bytes / split_count, 6);
  std::ranges::copy(noise, input.begin() + block_bytes / 8);
  expect_oracle_frame(input, settings_of(input, block_bytes, split_count), 0, std::array{table});
}

// The third group of a block has as many codes as a warp finds room for, and more than these: what a warp
// writes too far belongs to the next one, which has a group of another block, whose codes start anywhere in
// 16 bytes.
TEST_P(EncodeTest, EncodesGroupsOfAsManyCodesAsSharedMemoryHolds) {
  constexpr std::size_t group_bytes = 8192;
  constexpr std::size_t block_bytes = 3 * group_bytes;
  constexpr std::uint32_t split_count = 96;
  SymbolTable table;
  table.symbols = {0x6867666564636261, 0x61};
  table.lengths = {8, 1};
  table.symbol_count = 2;
  // Each byte of the third group has a code, and each that is escaped has two. Codes of the first group move
  // it.
  for (const std::size_t escapes : {1u, 16u, 17u}) {
    for (std::size_t moved = 0; moved < 16; moved += escapes == 16 ? 3 : 16) {
      Bytes input;
      while (input.size() < 2 * block_bytes) {
        input.push_back(static_cast<std::uint8_t>('a' + input.size() % 8));
      }
      std::fill_n(input.begin(), moved, std::uint8_t{'a'});
      const auto third = input.begin() + 2 * group_bytes;
      std::fill_n(third, group_bytes, std::uint8_t{'a'});
      std::fill_n(third, escapes, std::uint8_t{'z'});
      expect_oracle_frame(input, settings_of(input, block_bytes, split_count), 0, std::array{table});
      if (HasFatalFailure()) return;
    }
  }
}

// Whatever the memory holds, the frame is that of all bytes at once.
TEST_P(EncodeTest, EncodesAStreamInPieces) {
  for (const std::size_t size : {0u, 400u, 6000u, 6400u}) {
    const Bytes input = reference::test::make_text(size, 77);
    const Bytes whole = encode(input, stream_settings(size), 0).frame;
    for (const std::size_t piece_bytes : {800u, 2400u, 100'000u}) {
      const auto [frame, totals] = encode_stream_of(input, memory_of(piece_bytes));
      ASSERT_TRUE(frame == whole) << size << " bytes, " << piece_bytes << " at a time";
      EXPECT_EQ(totals.input_bytes, size);
      EXPECT_EQ(totals.output_bytes, whole.size());
      EXPECT_EQ(totals.blocks, (size + 399) / 400);
    }
  }
  const Bytes input = reference::test::make_text(801, 77);
  for (const std::size_t size : {800u, 801u}) {
    EXPECT_THROW(encode_stream_of(std::span(input).first(size), memory_of(800) - 1),
                 pipeline::MemoryLimitError);
  }
}

// Fresh pages for each piece would cost more than its encoding.
TEST_P(EncodeTest, ReadsThePiecesOfAStreamIntoTheSameMemory) {
  std::vector<const std::uint8_t*> places;
  std::size_t left = 4000;
  const auto read = [&](std::span<std::uint8_t> buffer) {
    places.push_back(buffer.data());
    const std::size_t count = std::min(buffer.size(), left);
    std::ranges::fill(buffer.first(count), std::uint8_t{'a'});
    left -= count;
    return count;
  };
  encode_stream(
      plans(), read, [](std::span<const std::uint8_t>) {},
      {.block_bytes = 400, .split_count = 10, .blocks_per_table = 2, .memory_bytes = memory_of(800)});
  // Three chunks a piece, and the end.
  ASSERT_EQ(places.size(), 16U);
  for (std::size_t i = ChunkedReader::chunk_count; i < places.size(); ++i) {
    EXPECT_EQ(places[i], places[i - ChunkedReader::chunk_count]);
  }
}

// A piece that the memory does not hold is counted to its end, and takes no more memory.
TEST_P(EncodeTest, ReadsNoMoreOfAPieceIntoMemoryThanFits) {
  const Bytes input = reference::test::make_text(1000, 78);
  for (const std::size_t room : {0u, 1u, 333u, 334u, 335u, 999u, 1000u}) {
    SCOPED_TRACE(room);
    const format::ReadFunction read = format::reader_of(input);
    ChunkedReader reader(plans().executor(), read, input.size(), room);
    pipeline::Queue queue(plans().executor());
    GrowingMemory memory(plans().executor());
    EXPECT_EQ(reader.read_piece(memory, queue), input.size());
    EXPECT_LE(memory.size(), room);
    Bytes kept(room);
    queue.copy(kept.data(), {memory.data(), room});
    queue.wait();
    EXPECT_TRUE(std::ranges::equal(kept, std::span(input).first(room)));
    EXPECT_EQ(reader.read_piece(memory, queue), 0U);
  }
}

TEST_P(EncodeTest, ClearsAllOfAMemoryThatGrew) {
  pipeline::Queue queue(plans().executor());
  GrowingMemory memory(plans().executor());
  for (const std::size_t size : {1u, 333u, 5000u}) {
    SCOPED_TRACE(size);
    Bytes content(size, 0xa5);
    EXPECT_TRUE(memory.make_room(size));
    queue.copy(memory.data(), content);
    memory.clear(queue);
    queue.copy(content.data(), {memory.data(), size});
    queue.wait();
    EXPECT_EQ(content, Bytes(size, 0));
  }
}

// Less than a block takes the memory of its bytes, read to its end from a pipe too.
TEST_P(EncodeTest, EncodesAShortStreamInLittleMemory) {
  for (const std::size_t size : {0u, 1u, 1000u}) {
    const Bytes input = reference::test::make_text(size, 77);
    EncodeStreamSettings settings = {.block_bytes = format::max_block_bytes, .split_count = 128};
    settings.memory_bytes = memory_of_piece(plans(), settings, size);
    // Most of it is the trainer's, whatever the input.
    EXPECT_LT(settings.memory_bytes, std::uint64_t{2} << 20) << size << " bytes";
    Bytes frame;
    encode_stream_to(frame, input, settings);
    EXPECT_TRUE(reference::decompress_frame(frame, 1) == input);
    EXPECT_EQ(format::parse_frame_header(frame).block_size, format::max_block_bytes);
    --settings.memory_bytes;
    EXPECT_THROW(encode_stream_to(frame, input, settings), pipeline::MemoryLimitError);
  }
}

TEST_P(EncodeTest, PiecesOfAStreamAreWithinItsMemoryAndDoNotGrowWithAllOfIt) {
  for (const std::uint64_t block_bytes :
       {std::uint64_t{1} << 10, std::uint64_t{4} << 20, std::uint64_t{1} << 30}) {
    EncodeStreamSettings settings = {.block_bytes = block_bytes, .split_count = 128};
    for (std::uint64_t memory_bytes = 1 << 20; memory_bytes <= std::uint64_t{1} << 36; memory_bytes *= 2) {
      SCOPED_TRACE(std::to_string(block_bytes) + " bytes a block, " + std::to_string(memory_bytes));
      settings.memory_bytes = memory_bytes;
      const std::uint64_t bytes = piece_bytes(plans(), settings);
      EXPECT_LE(bytes, std::max(most_piece_bytes, block_bytes));
      if (memory_of_piece(plans(), settings, block_bytes) > memory_bytes) {
        EXPECT_EQ(bytes, std::min(block_bytes, memory_bytes));
        continue;
      }
      EXPECT_EQ(bytes % block_bytes, 0U);
      EXPECT_LE(memory_of_piece(plans(), settings, bytes), memory_bytes);
      if (bytes < most_piece_bytes) {
        EXPECT_GT(memory_of_piece(plans(), settings, bytes + block_bytes), memory_bytes);
      }
    }
  }
}

// A frame of more blocks than its index can hold could not be read again.
TEST_P(EncodeTest, RefusesAStreamOfMoreBlocksThanAFrameHolds) {
  const Bytes input = reference::test::make_text(100, 77);
  EncodeStreamSettings settings = {.block_bytes = 10, .split_count = 2};
  // Pieces of four blocks, of which the third is one too many.
  settings.memory_bytes = memory_of_piece(plans(), settings, 40);
  settings.most_blocks = 10;
  Bytes frame;
  EXPECT_EQ(encode_stream_to(frame, input, settings).blocks, 10U);
  EXPECT_TRUE(reference::decompress_frame(frame, 1) == input);
  settings.most_blocks = 9;
  Bytes written;
  try {
    encode_stream_to(written, input, settings);
    FAIL() << "accepted";
  } catch (const std::length_error& error) {
    EXPECT_STREQ(error.what(), "a frame holds at most 9 blocks; use a larger block size");
  }
  // Nothing of the piece that does not fit, and no index.
  const std::uint64_t end =
      format::parse_frame(frame).index.entries[8].payload_offset - format::record_header_bytes;
  EXPECT_TRUE(std::ranges::equal(written, std::span(frame).first(end)));
}

// Coding makes each of these smaller, though each byte of one value is escaped, also at the borders of tiles.
TEST_P(EncodeTest, EncodesEscapesAtEveryTileBorder) {
  constexpr std::size_t tile = 96;
  SymbolTable table;
  table.symbol_count = 2;
  table.symbols = {0x6867666564636261, 0x61};
  table.lengths = {8, 1};
  for (const ParameterValues& step : steps_of(stage().description)) {
    for (const unsigned escaped : {0xfeu, 0xffu, 0u}) {
      for (const std::size_t run : {1u, 2u, 5u}) {
        Bytes input;
        while (input.size() < 40 * tile) input.push_back(static_cast<std::uint8_t>('a' + input.size() % 8));
        for (std::size_t border = tile; border < input.size(); border += tile) {
          std::fill_n(input.begin() + static_cast<std::ptrdiff_t>(border - run), 2 * run - 1,
                      static_cast<std::uint8_t>(escaped));
        }
        expect_oracle_frame(input, settings_of(input, input.size(), 40, step), run, std::array{table});
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Lanes take turns in writing little and much: the worst for those that wait for each other.
TEST_P(EncodeTest, EncodesTilesThatGrowInTurns) {
  SymbolTable table;
  table.symbol_count = 1;
  table.symbols = {0x6161616161616161};
  table.lengths = {8};
  for (const ParameterValues& step : steps_of(stage().description)) {
    for (const std::size_t period : {8u, 40u, 64u, 72u, 320u}) {
      constexpr std::size_t tile = 640;
      Bytes input(tile * 33);
      for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = (i / tile + i % tile / period) % 2 == 0 ? 'a' : static_cast<std::uint8_t>(i);
      }
      expect_oracle_frame(input, settings_of(input, input.size(), 33, step), period % 3, std::array{table});
      if (HasFatalFailure()) return;
    }
  }
}

// The worst case of the declared space: each byte is escaped.
TEST_P(EncodeTest, StoresRawWhatCodingMakesLarger) {
  const Bytes noise = reference::test::make_random(9000, 4);
  const SymbolTable foreign = reference::train_symbol_table(reference::test::make_text(20000, 3));
  for (const ParameterValues& step : steps_of(stage().description)) {
    for (const SymbolTable& table : {SymbolTable{}, foreign}) {
      const EncodeResult result = encode(noise, settings_of(noise, 4000, 33, step), 2, std::array{table});
      if (HasFatalFailure()) return;
      ASSERT_TRUE(std::ranges::all_of(result.statuses, [](std::uint32_t status) { return status == 1; }));
      ASSERT_TRUE(result.frame == oracle_frame(noise, settings_of(noise, 4000, 33), std::array{table}));
    }
  }
}

// A sample that compresses says nothing of the rest.
TEST_P(EncodeTest, EncodesWhatItsSamplesDoNotShow) {
  Bytes input = reference::test::make_text(3000, 8);
  add(input, reference::test::make_random(3000, 9));
  add(input, Bytes(3000, 0xfe));
  const SymbolTable table = reference::train_symbol_table(std::span(input).first(3000));
  for (const ParameterValues& step : steps_of(stage().description)) {
    const EncodeResult result = encode(input, settings_of(input, 3000, 33, step), 3, std::array{table});
    if (HasFatalFailure()) return;
    EXPECT_EQ(result.statuses, (std::vector<std::uint32_t>{0, 1, 1}));
  }
}

// Symbols that find no place in the lookup tables, that share a place, or of which there are two.
TEST_P(EncodeTest, RoundTripsWithTablesThatDoNotFit) {
  const Bytes input = reference::test::make_mixed(6000, 12);
  SymbolTable twins;
  twins.symbol_count = 6;
  twins.symbols = {0x6161, 0x6161, 0x636261, 0x636261, 0x61, 0x61};
  twins.lengths = {2, 2, 3, 3, 1, 1};
  SymbolTable pairs;
  for (unsigned second = 0; second < 255; ++second) {
    pairs.symbols[second] = 0xff | second << 8;
    pairs.lengths[second] = 2;
  }
  pairs.symbol_count = 255;
  for (const ParameterValues& step : steps_of(stage().description)) {
    for (const SymbolTable& table :
         {twins, pairs, reference::test::make_random_table(255, 5), reference::train_symbol_table(input)}) {
      encode(input, settings_of(input, 6000, 50, step), 1, std::array{table});
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(EncodeTest, BlocksShareTables) {
  Bytes input = reference::test::make_text(9000, 21);
  add(input, reference::test::make_mixed(8999, 22));
  for (const std::uint32_t blocks_per_table : {2u, 3u, 100u}) {
    EncodeSettings settings = settings_of(input, 3000, 33);
    settings.blocks_per_table = blocks_per_table;
    const EncodeResult result = encode(input, settings, 0);
    if (HasFatalFailure()) return;
    EXPECT_EQ(result.tables.size(), (6 + blocks_per_table - 1) / blocks_per_table);
    ASSERT_TRUE(result.frame == oracle_frame(input, settings, result.tables));
  }
}

// Where each piece is copied while the next one is encoded: blocks that are stored as they are among them, a
// last block that is shorter, and fewer tables than pieces.
TEST_P(EncodeTest, CopiesWhileItEncodes) {
  Bytes input = reference::test::make_text(6100, 21);
  add(input, reference::test::make_random(2000, 23));
  add(input, reference::test::make_mixed(4000, 22));
  for (const Parameter& parameter : stage().description.parameters) {
    if (parameter.name != "pieces") continue;
    for (const std::int64_t pieces : parameter.values) {
      for (const ParameterValues& step : steps_of(stage().description)) {
        ParameterValues parameters = step;
        parameters["pieces"] = pieces;
        EncodeSettings settings = settings_of(input, 1003, 37, parameters);
        settings.blocks_per_table = 2;
        expect_oracle_frame(input, settings, 5);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// What a stage's parameters say of the tables that it can use.
reference::TableLimits limits_of(const Description& stage) {
  reference::TableLimits limits;
  for (const Parameter& parameter : stage.parameters) {
    const auto value = static_cast<unsigned>(parameter.default_value);
    if (parameter.name == "hash_entries") limits.long_symbols = value;
    if (parameter.name == "match_rows") limits.pair_rows = value;
    if (parameter.name == "match_pairs") limits.pairs_per_row = value;
  }
  return limits;
}

// Wherever it trains: from the same samples the same tables, bit for bit.
TEST_P(EncodeTest, TrainsTheOraclesTables) {
  std::vector<NamedInput> inputs = reference::test::awkward_inputs();
  // Larger than a sample, and exactly one; text that makes long symbols, and many ties.
  inputs.push_back({"long text", reference::test::make_text(50000, 3)});
  inputs.push_back({"a sample", reference::test::make_mixed(reference::sample_bytes, 4)});
  inputs.push_back({"noise", reference::test::make_random(40000, 5)});
  for (const NamedInput& input : inputs) {
    SCOPED_TRACE(input.name);
    EncodeSettings settings = settings_of(input.bytes, 30000, 33);
    settings.blocks_per_table = 2;
    const EncodeResult result = encode(input.bytes, settings, 1);
    if (HasFatalFailure()) return;
    ASSERT_EQ(result.tables.size(), table_count(settings));
    for (std::uint32_t table = 0; table < result.tables.size(); ++table) {
      ASSERT_TRUE(result.tables[table] ==
                  reference::train_symbol_table(input_of_table(input.bytes, settings, table),
                                                reference::default_training_seed,
                                                limits_of(stage().description)));
    }
  }
}

// Nothing is kept from one encoding to the next.
TEST_P(EncodeTest, AlternatingInputsGetTheirOwnTables) {
  const Bytes text = reference::test::make_text(20000, 1);
  Bytes other = text;
  std::ranges::reverse(other);
  const EncodeResult first = encode(text, settings_of(text, 20000, 100), 0);
  const EncodeResult second = encode(other, settings_of(other, 20000, 100), 0);
  EXPECT_NE(first.tables, second.tables);
  EXPECT_TRUE(encode(text, settings_of(text, 20000, 100), 0).frame == first.frame);
  EXPECT_TRUE(encode(other, settings_of(other, 20000, 100), 0).frame == second.frame);
}

TEST_P(EncodeTest, EncodesMoreThanFourGibibytes) {
  if (GetParam().executor != Executor::gpu) GTEST_SKIP() << "too slow on the CPU";
  const Bytes input = more_than_four_gibibytes_of(reference::test::make_text(period_of_large_input, 17));
  EncodeSettings settings = settings_of(input, std::uint64_t{1} << 20, 256);
  settings.blocks_per_table = 64;
  const EncodeResult result = run_encode(stage(), GetParam().executor, input, settings);
  EXPECT_TRUE(reference::decompress_frame(result.frame) == input);
}

// Nothing of it can be coded: codes need all the room there is before the blocks are stored as they are.
TEST_P(EncodeTest, StoresMoreThanFourGibibytesOfNoise) {
  if (GetParam().executor != Executor::gpu) GTEST_SKIP() << "too slow on the CPU";
  const Bytes input = more_than_four_gibibytes_of(reference::test::make_random(period_of_large_input, 18));
  EncodeSettings settings = settings_of(input, std::uint64_t{1} << 20, 256);
  settings.blocks_per_table = 64;
  const EncodeResult result = run_encode(stage(), GetParam().executor, input, settings, {},
                                         {.guard_bytes = 64 * encode_alignment, .poison = 0xb7});
  EXPECT_TRUE(result.guards_are_intact);
  constexpr auto raw = static_cast<std::uint32_t>(EncodedBlock::raw);
  EXPECT_EQ(result.statuses, std::vector<std::uint32_t>(block_count(settings), raw));
  EXPECT_TRUE(reference::decompress_frame(result.frame) == input);
}

TEST_P(EncodeTest, RefusesSettingsOutOfRange) {
  const Bytes input = {'a', 'b'};
  const auto run = [&](const EncodeSettings& settings, std::span<const SymbolTable> tables = {}) {
    return run_encode(stage(), GetParam().executor, input, settings, tables);
  };
  EXPECT_THROW(run(settings_of(input, std::uint64_t{1} << 31, 1)), std::invalid_argument);
  EXPECT_THROW(run(settings_of(input, 0, 1)), std::invalid_argument);
  EXPECT_THROW(run(settings_of(input, 10, 0)), std::invalid_argument);
  EXPECT_THROW(run(settings_of(input, 10, 65537)), std::invalid_argument);
  EXPECT_THROW(run(settings_of(input, 10, 1, {{"no_such_parameter", 1}})), std::invalid_argument);
  EXPECT_THROW(run(settings_of({}, 10, 1)), std::invalid_argument);
  EXPECT_THROW(run(settings_of(input, 1, 1), std::vector<SymbolTable>(3)), std::invalid_argument);
}

// Memory of the host for a plan, in the order of its parts.
class PlanMemory {
public:
  PlanMemory(const Plan& plan, const Bytes& input) {
    for (const Part& part : plan.parts()) {
      lines_.emplace_back(part.bytes / sizeof(Line) + 1);
      given_.push_back({.data = lines_.back().data(), .bytes = part.bytes});
    }
    std::memcpy(given_[0].data, input.data(), input.size());
  }

  std::span<const Given> given() const { return given_; }
  Bytes bytes(std::size_t part) const {
    const auto* const begin = static_cast<const std::uint8_t*>(given_[part].data);
    return {begin, begin + given_[part].bytes};
  }
  Bytes frame(const Plan& plan) const {
    const Bytes result = bytes(4);
    const Outcome outcome = plan.check({}, std::as_bytes(std::span(result)), 0);
    EXPECT_TRUE(outcome.is_complete && !outcome.problem);
    Bytes frame = bytes(1);
    frame.resize(outcome.count);
    return frame;
  }

private:
  struct alignas(encode_alignment) Line {
    std::array<std::uint8_t, encode_alignment> bytes;
  };
  std::vector<std::vector<Line>> lines_;
  std::vector<Given> given_;
};

class EncodeInHostMemoryTest : public EncodeTest {};
INSTANTIATE_TEST_SUITE_P(AllEncoders, EncodeInHostMemoryTest,
                         testing::ValuesIn(in_host_memory(stage_cases(Operation::encode,
                                                                      format::BlockFormat::splits))),
                         case_name);

TEST_P(EncodeInHostMemoryTest, ItsPlanKeepsTablesInItsState) {
  const Bytes input = reference::test::make_text(3000, 1);
  const EncodeSettings settings = settings_of(input, 1000, 7);
  const std::unique_ptr<Plan> training = plans().make({.settings = settings});
  const std::array roles = {Role::input, Role::output, Role::state, Role::status, Role::result};
  ASSERT_EQ(training->parts().size(), roles.size());
  for (std::size_t i = 0; i < roles.size(); ++i) EXPECT_EQ(training->parts()[i].role, roles[i]);
  PlanMemory memory(*training, input);
  training->prepare(memory.given(), nullptr);
  enqueue_all(*training, memory.given(), nullptr);
  const Bytes frame = memory.frame(*training);
  EXPECT_TRUE(frame == run_encode(stage(), GetParam().executor, input, settings).frame);

  // Other bytes with the tables that are there.
  const Bytes other = reference::test::make_text(3000, 2);
  const std::vector<SymbolTable> tables = plans().tables(settings, memory.given(), nullptr);
  const std::unique_ptr<Plan> encoding = plans().make({.settings = settings, .tables = ReadyTables()});
  EXPECT_EQ(encoding->phases().size() + (trains_on_executor(*training) ? 1 : 0), training->phases().size());
  EXPECT_FALSE(trains_on_executor(*encoding));
  std::memcpy(memory.given()[0].data, other.data(), other.size());
  encoding->prepare(memory.given(), nullptr);
  enqueue_all(*encoding, memory.given(), nullptr);
  EXPECT_TRUE(memory.frame(*encoding) == oracle_frame(other, settings, tables));

  // Tables that are given take their place.
  const std::unique_ptr<Plan> loading =
      plans().make({.settings = settings, .tables = std::vector{tables.front()}});
  loading->prepare(memory.given(), nullptr);
  enqueue_all(*encoding, memory.given(), nullptr);
  EXPECT_TRUE(memory.frame(*encoding) == oracle_frame(other, settings, std::array{tables.front()}));

  const std::uint64_t too_many = training->parts()[1].bytes + 1;
  EXPECT_FALSE(training->check({}, std::as_bytes(std::span(&too_many, 1)), 0).is_complete);
}

TEST(EncoderRegistry, HasEachStageOnce) {
  ASSERT_FALSE(registered_stages(Operation::encode).empty());
  for (const RegisteredStage& stage : registered_stages(Operation::encode)) {
    const Description& description = stage.description;
    EXPECT_FALSE(stage.encode.empty()) << description.id;
    EXPECT_EQ(description.operation, Operation::encode) << description.id;
    EXPECT_FALSE(description.title.empty() || description.section.empty()) << description.id;
    EXPECT_TRUE(description.base.empty() || find_stage(description.base, Operation::encode) != nullptr)
        << description.id;
    for (const Parameter& parameter : description.parameters) {
      EXPECT_EQ(std::ranges::count(parameter.values, parameter.default_value), 1)
          << description.id << parameter.name;
    }
  }
}

TEST(EncodePlansOfSeries, ArePlansOfItsEncodersOnly) {
  const RegisteredStage& decoder = registered_stages(Operation::decode).front();
  EXPECT_THROW(gsst_encode_plans(decoder, Executor::simt), std::invalid_argument);
  EXPECT_THROW(gsst_encode_plans(registered_stages(Operation::encode).front(), Executor::cpu),
               std::invalid_argument);
}

// What tells plans apart.
std::vector<std::uint64_t> bytes_of_parts(const Plan& plan) {
  std::vector<std::uint64_t> bytes;
  for (const Part& part : plan.parts()) bytes.push_back(part.bytes);
  return bytes;
}

using Numbers = std::vector<std::pair<std::string, std::uint64_t>>;

TEST(EncodePlansOfSeries, AnInputIsPlannedAsItsOptionsSay) {
  const RegisteredStage& stage = *find_stage("gsst/10_wide_encoder", Operation::encode);
  const GsstEncodePlans& plans = gsst_encode_plans(stage, Executor::simt);
  const InputToEncode splits = {.format = format::BlockFormat::splits,
                                .input_bytes = 100'000,
                                .block_bytes = 1000,
                                .options = {{"splits", 4}, {"blocks-per-table", 10}},
                                .parameters = {{"step", 1}}};
  EXPECT_EQ(plans.describe(splits), (Numbers{{"splits", 4}, {"blocks_per_table", 10}}));
  EXPECT_EQ(bytes_of_parts(*plans.plan_of(splits)),
            bytes_of_parts(*plans.make({.settings = {.input_bytes = 100'000,
                                                     .block_bytes = 1000,
                                                     .split_count = 4,
                                                     .blocks_per_table = 10,
                                                     .parameters = {{"step", 1}}}})));
  const InputToEncode tiles = {.format = format::BlockFormat::tiles,
                               .input_bytes = 100'000,
                               .block_bytes = 50'000,
                               .options = {{"code-bits", 12}}};
  EXPECT_EQ(plans.describe(tiles),
            (Numbers{{"splits", 1}, {"blocks_per_table", 1}, {"code_bits", 12}, {"codes_per_lane", 32}}));
  EXPECT_EQ(bytes_of_parts(*plans.plan_of(tiles)),
            bytes_of_parts(*plans.make(
                {.settings = {.input_bytes = 100'000,
                              .block_bytes = 50'000,
                              .split_count = 1,
                              .tiles = format::TileShape{.code_bits = 12, .codes_per_lane = 32}}})));
}

TEST(EncodePlansOfSeries, WhatTheyDoNotWriteIsRefused) {
  const auto problem_of = [](const char* id, format::BlockFormat format,
                             const format::CodecOptions& options) -> std::string {
    const RegisteredStage& stage = *find_stage(id, Operation::encode);
    try {
      gsst_encode_plans(stage, Executor::simt)
          .describe({.format = format, .input_bytes = 0, .block_bytes = 1000, .options = options});
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(problem_of("gsst/10_wide_encoder", format::BlockFormat::splits, {{"code-bits", 8}}),
            "stage gsst/10_wide_encoder: has no option code-bits");
  EXPECT_EQ(problem_of("gsst/08_gpu_encoder", format::BlockFormat::tiles, {}),
            "stage gsst/08_gpu_encoder: does not write format tiles");
  EXPECT_EQ(problem_of("gsst/08_gpu_encoder", format::BlockFormat::splits, {}), "nothing");
  EXPECT_NE(problem_of("gsst/10_wide_encoder", format::BlockFormat::tiles, {}).find("of 0 bits"),
            std::string::npos);
}

}  // namespace
}  // namespace gsst::stage
