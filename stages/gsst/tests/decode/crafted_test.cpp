#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "common/format/gsst/block.hpp"
#include "common/format/gsst/symbol_table.hpp"
#include "common/frame/checksum.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/test_frames.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/gsst/tests/decode/gsst_stage_test.hpp"
#include "stages/suite/large_input.hpp"

// Frames that the oracle's encoder would not choose: tables and sizes at the borders of what the format
// allows.
namespace gsst::stage {
namespace {

using Bytes = std::vector<std::uint8_t>;
using format::append;
using format::SymbolTable;

struct CraftedBlock {
  SymbolTable table;
  Bytes input;
};

// A frame of blocks that are encoded with their own tables and never stored raw. All but the last have the
// same number of bytes.
Bytes make_frame(format::BlockFormat block_format, const std::vector<CraftedBlock>& blocks,
                 std::uint32_t split_count) {
  const std::uint32_t splits = format::has_splits(block_format) ? split_count : 1;
  Bytes frame;
  append(frame,
         format::build_frame_header(
             {.format = block_format, .block_size = blocks.front().input.size(), .split_count = splits}));
  format::FrameIndex index;
  for (const CraftedBlock& block : blocks) {
    const format::BuiltBlock built = reference::encode_block(block_format, block.table, block.input, splits);
    const format::BlockRecord record = {.layout = built.layout,
                                        .payload_bytes = static_cast<std::uint32_t>(built.bytes.size()),
                                        .uncompressed_bytes = static_cast<std::uint32_t>(block.input.size()),
                                        .checksum = format::checksum(block.input)};
    append(frame, format::build_block_record(record));
    append(frame, built.bytes);
    format::append_block(index, record);
  }
  append(frame, format::build_frame_end(index));
  return frame;
}

// Every step of the stage, with the parameter thread_blocks where the stage has it; with its default where it
// has not.
std::vector<ParameterValues> steps_with_thread_blocks(const Description& stage, std::int64_t thread_blocks) {
  std::vector<ParameterValues> steps = steps_of(stage);
  const bool has_parameter = std::ranges::any_of(
      stage.parameters, [](const Parameter& parameter) { return parameter.name == "thread_blocks"; });
  if (!has_parameter) return steps;
  for (ParameterValues& step : steps) step["thread_blocks"] = thread_blocks;
  return steps;
}

Bytes all_inputs(const std::vector<CraftedBlock>& blocks) {
  Bytes bytes;
  for (const CraftedBlock& block : blocks) append(bytes, block.input);
  return bytes;
}

// `symbols` symbols of the table, in an order that `seed` decides, cut to `bytes` bytes.
Bytes text_of_symbols(const SymbolTable& table, std::size_t bytes, std::uint64_t seed) {
  Bytes text;
  for (const std::uint8_t choice : reference::test::make_random(bytes, seed)) {
    const unsigned code = choice % table.symbol_count;
    for (unsigned byte = 0; byte < table.lengths[code]; ++byte) {
      text.push_back(static_cast<std::uint8_t>(table.symbols[code] >> (8 * byte)));
    }
    if (text.size() >= bytes) break;
  }
  text.resize(bytes);
  return text;
}

// All symbols have `length` bytes.
SymbolTable table_of_length(unsigned length, unsigned symbol_count) {
  SymbolTable table;
  for (unsigned code = 0; code < symbol_count; ++code) {
    table.symbols[code] = (0x0123456789abcdefull * (code + 1)) & (~std::uint64_t{0} >> (64 - 8 * length));
    table.lengths[code] = static_cast<std::uint8_t>(length);
  }
  table.symbol_count = symbol_count;
  return table;
}

TEST_P(GsstStageTest, DecodesBlocksOfEscapesOnly) {
  for (const std::uint32_t split_count : {1u, 7u, 64u, 300u}) {
    SCOPED_TRACE(std::to_string(split_count) + " splits");
    const std::vector<CraftedBlock> blocks = {{.table = {}, .input = reference::test::make_random(3001, 1)},
                                              {.table = {}, .input = Bytes(3001, 0xff)},
                                              {.table = {}, .input = reference::test::make_random(257, 2)}};
    expect_decodes(make_frame(stage().description.format, blocks, split_count), all_inputs(blocks), {}, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_P(GsstStageTest, DecodesSymbolsOfOneLength) {
  for (unsigned length = 1; length <= format::max_symbol_length; ++length) {
    SCOPED_TRACE("length " + std::to_string(length));
    const SymbolTable table = table_of_length(length, length == 1 ? 200 : 255);
    const std::vector<CraftedBlock> blocks = {
        {.table = table, .input = text_of_symbols(table, 5000, length)},
        {.table = table, .input = text_of_symbols(table, 4999, std::uint64_t{2} * length)}};
    expect_decodes(make_frame(stage().description.format, blocks, 33), all_inputs(blocks), {}, length);
    if (HasFatalFailure()) return;
  }
}

TEST_P(GsstStageTest, DecodesBlocksWithDifferentTables) {
  std::vector<CraftedBlock> blocks;
  for (std::uint64_t seed = 1; seed <= 9; ++seed) {
    const SymbolTable table = reference::test::make_random_table(static_cast<unsigned>(27 * seed), seed);
    blocks.push_back({.table = table, .input = text_of_symbols(table, 2222, seed)});
  }
  const Bytes frame = make_frame(stage().description.format, blocks, 40);
  // As many thread blocks as data blocks, and fewer: then one decodes several with a table each.
  for (const std::int64_t thread_blocks : {0, 2}) {
    for (const ParameterValues& step : steps_with_thread_blocks(stage().description, thread_blocks)) {
      expect_decodes(frame, all_inputs(blocks), step, 9);
      if (HasFatalFailure()) return;
    }
  }
}

TEST_P(GsstStageTest, DecodesRunsOfFfAtEverySplitBorder) {
  for (const std::uint32_t split_count : {2u, 3u, 32u, 255u, 256u}) {
    for (const std::size_t run : {1u, 2u, 3u, 4u, 31u, 255u, 256u, 257u, 600u}) {
      SCOPED_TRACE(std::to_string(run) + " bytes, " + std::to_string(split_count) + " splits");
      const SymbolTable table = table_of_length(3, 100);
      Bytes input = text_of_symbols(table, 700, run);
      input.insert(input.begin() + 333, run, 0xff);
      const std::vector<CraftedBlock> blocks = {{.table = table, .input = input}};
      expect_decodes(make_frame(stage().description.format, blocks, split_count), input, {}, run % 16);
      if (HasFatalFailure()) return;
    }
  }
}

// One thread block decodes all data blocks: with no codes for its last splits it goes from one to the next
// without a wait for codes between them.
TEST_P(GsstStageTest, DecodesMoreSplitsThanBytes) {
  for (const std::size_t size : {1u, 2u, 5u, 63u}) {
    std::vector<CraftedBlock> blocks;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      blocks.push_back({.table = {}, .input = reference::test::make_text(size, seed)});
    }
    for (const std::uint32_t split_count : {64u, 255u, 256u, 1000u}) {
      SCOPED_TRACE(std::to_string(size) + " bytes, " + std::to_string(split_count) + " splits");
      const Bytes frame = make_frame(stage().description.format, blocks, split_count);
      for (const ParameterValues& step : steps_with_thread_blocks(stage().description, 1)) {
        expect_decodes(frame, all_inputs(blocks), step, 1);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// What FSST writes for its encoder alone follows the last split's location: a decoder that takes it for one
// more location finds an escape there.
TEST_P(GsstStageTest, DecodesWhateverATableSaysToEncoders) {
  if (stage().description.format == format::BlockFormat::tiles) return;
  const std::vector<CraftedBlock> blocks = {
      {.table = table_of_length(3, 100), .input = text_of_symbols(table_of_length(3, 100), 1000, 5)}};
  // One byte holds the smaller number, so the block's layout is narrow; else it is wide.
  for (const std::uint32_t split_count : {30u, 300u}) {
    Bytes frame = make_frame(stage().description.format, blocks, split_count);
    const format::FrameView view = format::parse_frame(frame);
    const format::IndexEntry& entry = view.index.entries.front();
    const std::uint32_t header_bytes =
        format::BlockHeader(view.payload(0).data(), stage().description.format, entry.record.layout)
            .header_bytes();
    // Bytes 2 and 3 of the table's first word.
    std::fill_n(frame.begin() + static_cast<std::ptrdiff_t>(entry.payload_offset + header_bytes + 2), 2,
                0xff);
    expect_decodes(frame, all_inputs(blocks), {}, 3);
    if (HasFatalFailure()) return;
  }
}

TEST_P(GsstStageTest, DecodesMoreThanFourGibibytes) {
  if (GetParam().executor != Executor::gpu) GTEST_SKIP() << "too slow on the CPU";
  const Bytes input = more_than_four_gibibytes_of(reference::test::make_text(period_of_large_input, 17));
  const Bytes frame =
      reference::compress(input, {.format = stage().description.format,
                                  .block_bytes = std::uint64_t{1} << 21,
                                  .split_count = format::has_splits(stage().description.format) ? 128u : 1u});
  expect_decodes(frame, input, {}, 0);
}

}  // namespace
}  // namespace gsst::stage
