#include "common/format/gsst/shared_tables.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/gsst/block.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/test_frames.hpp"

namespace gsst::format {
namespace {

using SharedBytes = std::vector<std::uint8_t>;

constexpr std::uint32_t block_output = 900;

// A block of 900 codes of 10 bits, each a byte; what its codes put out does not matter here.
SharedBytes block_with_table(std::uint64_t first_symbol, std::uint8_t length = 3) {
  TileTable table = make_literal_tile_table(10, true);
  table.class_lengths[4] = length;
  table.symbols[256] = first_symbol;
  return build_tiles_block({.shape = {.code_bits = 10, .codes_per_lane = 16},
                            .tiles_per_strip = 2,
                            .uncompressed_bytes = block_output,
                            .table = table,
                            .codes = std::vector<std::uint16_t>(block_output, 'a'),
                            .strip_outputs = std::vector<std::uint32_t>{0}});
}

SharedBytes sharing_block(std::uint32_t dictionary_id) {
  SharedBytes block = block_with_table(0);
  share_table(block, dictionary_id);
  return block;
}

// Blocks of a frame; one of 908 bytes is stored as it is.
SharedBytes frame_of_blocks(const std::vector<SharedBytes>& blocks) {
  const FrameHeader header{.format = BlockFormat::tiles, .block_size = block_output, .split_count = 1};
  SharedBytes bytes;
  append(bytes, build_frame_header(header));
  FrameIndex index;
  for (const SharedBytes& block : blocks) {
    const bool is_raw = block.size() == raw_payload_bytes(BlockFormat::tiles, block_output);
    const BlockRecord record{.layout = is_raw ? BlockLayout::raw : BlockLayout::wide,
                             .payload_bytes = static_cast<std::uint32_t>(block.size()),
                             .uncompressed_bytes = block_output,
                             .checksum = 0};
    append_block(index, record);
    append(bytes, build_block_record(record));
    append(bytes, block);
  }
  append(bytes, build_frame_end(index));
  return bytes;
}

SharedBytes raw_block() {
  return SharedBytes(raw_payload_bytes(BlockFormat::tiles, block_output));
}

void expect_refused(const std::vector<SharedBytes>& blocks, std::uint64_t wrong) {
  const SharedBytes bytes = frame_of_blocks(blocks);
  const FrameView frame = parse_frame(bytes);
  expect_format_error(wrong, "dictionary id", [&] { parse_block(frame, wrong); });
  TableWindow window;
  expect_format_error(wrong, "dictionary id", [&] {
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const BlockRecord& record = frame.index.entries[block].record;
      window.table_of(parse_block(frame.payload(block),
                                  {.format = BlockFormat::tiles,
                                   .layout = record.layout,
                                   .uncompressed_bytes = record.uncompressed_bytes,
                                   .split_count = 1},
                                  block),
                      block);
    }
  });
}

TEST(SharedTable, IsFoundInTheBlockThatHoldsIt) {
  const std::vector<SharedBytes> blocks = {
      raw_block(),      block_with_table(0x636261), sharing_block(1), raw_block(),
      sharing_block(3), block_with_table(0x7a),     sharing_block(1), sharing_block(6)};
  const SharedBytes bytes = frame_of_blocks(blocks);
  const FrameView frame = parse_frame(bytes);
  TableWindow window;
  for (const auto& [block, symbol] : std::vector<std::pair<std::size_t, std::uint64_t>>{{0, 0},
                                                                                        {1, 0x636261},
                                                                                        {2, 0x636261},
                                                                                        {3, 0},
                                                                                        {4, 0x636261},
                                                                                        {5, 0x7a},
                                                                                        {6, 0x7a},
                                                                                        {7, 0x636261}}) {
    const TableBlock table = window.table_of(parse_block(frame, block), block);
    ASSERT_EQ(table == nullptr, symbol == 0) << block;
    if (!table) continue;
    EXPECT_EQ(TilesHeader(table->data()).symbol(256), symbol) << block;
    EXPECT_EQ(TilesHeader(find_table(frame, block).data()).symbol(256), symbol) << block;
  }
}

TEST(SharedTable, IsRefusedWhereTheNamedBlockDoesNotFit) {
  expect_refused({sharing_block(1)}, 0);
  expect_refused({block_with_table(1), sharing_block(2)}, 1);
  expect_refused({raw_block(), sharing_block(1)}, 1);
  expect_refused({block_with_table(1), sharing_block(1), sharing_block(1)}, 2);
  expect_refused({block_with_table(1, 4), sharing_block(1)}, 1);
  SharedBytes other_shape = sharing_block(1);
  other_shape[9] = 32;
  expect_refused({block_with_table(1), other_shape}, 1);
}

TEST(SharedTable, MakesABlockSmallerByItsSymbols) {
  const SharedBytes whole = block_with_table(1);
  const SharedBytes shared = sharing_block(5);
  EXPECT_EQ(whole.size() - shared.size(), 64u * 3u);
  EXPECT_EQ(TilesHeader(shared.data()).dictionary_id(), 5u);
  EXPECT_EQ(TilesHeader(shared.data()).block_bytes(), shared.size());
  check_tiles_block(shared, block_output, 7);
  check_tiles_block(sharing_block(max_dictionary_id), block_output, max_dictionary_id);
}

TEST(TableWindow, SharesOnlyTheSameTableAndNoneTooFarAway) {
  const auto table_block = [](std::uint64_t symbol) {
    return std::make_shared<const SharedBytes>(
        build_table_block(TilesHeader(block_with_table(symbol).data())));
  };
  TableWindow window;
  EXPECT_EQ(window.nearest(table_block(1), 10), std::nullopt);
  window.add(table_block(1), 10);
  EXPECT_EQ(window.nearest(table_block(1), 11), 1u);
  EXPECT_EQ(window.nearest(table_block(2), 12), std::nullopt);
  window.add(table_block(2), 12);
  EXPECT_EQ(window.nearest(table_block(2), 13), 1u);
  EXPECT_EQ(window.nearest(table_block(1), 10 + max_dictionary_id), max_dictionary_id);
  EXPECT_EQ(window.nearest(table_block(1), 11 + max_dictionary_id), std::nullopt);
}

// What holds the tables of a frame without end stays small.
TEST(TableWindow, ForgetsTablesThatNoBlockCanName) {
  const SharedBytes holder = block_with_table(1);
  const BlockView view = parse_block(holder,
                                     {.format = BlockFormat::tiles,
                                      .layout = BlockLayout::wide,
                                      .uncompressed_bytes = block_output,
                                      .split_count = 1},
                                     0);
  TableWindow window;
  const std::weak_ptr<const SharedBytes> first = window.table_of(view, 0);
  window.table_of(view, max_dictionary_id);
  EXPECT_FALSE(first.expired());
  window.table_of(view, max_dictionary_id + 1);
  EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace gsst::format
