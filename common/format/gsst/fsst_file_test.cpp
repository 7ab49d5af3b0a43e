#include "common/format/gsst/fsst_file.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/gsst/test_tables.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes sample_block() {
  return build_fsst_block(table_of({"ab", "c"}), Bytes{0, 1, 255, 'x', 0});
}

TEST(FsstFile, BuiltBlockParsesBack) {
  Bytes bytes = sample_block();
  const std::size_t length = bytes.size();
  bytes.push_back(0x99);
  EXPECT_EQ(parse_fsst_block_length(bytes, 0), length);
  const FsstBlockView view = parse_fsst_block(bytes, 0);
  EXPECT_EQ(view.table, table_of({"ab", "c"}));
  EXPECT_EQ(Bytes(view.codes.begin(), view.codes.end()), (Bytes{0, 1, 255, 'x', 0}));
}

TEST(FsstFile, BlockSizeIsBigEndianAndCountsItself) {
  const Bytes bytes = sample_block();
  EXPECT_EQ((Bytes(bytes.begin(), bytes.begin() + 3)),
            (Bytes{0, 0, static_cast<std::uint8_t>(3 + 17 + 3 + 5)}));
}

TEST(FsstFile, SmallestBlockHasNoSymbolsAndNoCodes) {
  const Bytes bytes = build_fsst_block(SymbolTable{}, {});
  EXPECT_EQ(bytes.size(), 20u);
  EXPECT_TRUE(parse_fsst_block(bytes, 0).codes.empty());
}

TEST(FsstFile, LargestBlockFillsTheSizeField) {
  const Bytes codes(0xffffff - fsst_length_bytes - symbol_table_header_bytes, std::uint8_t{0xff});
  const Bytes bytes = build_fsst_block(SymbolTable{}, codes);
  EXPECT_EQ(bytes.size(), 0xffffffu);
  EXPECT_EQ(parse_fsst_block(bytes, 0).codes.size(), codes.size());
}

TEST(FsstFile, WriterRefusesBlockThatTheSizeFieldCannotSay) {
  const Bytes codes(0xffffff - fsst_length_bytes - symbol_table_header_bytes + 1);
  EXPECT_THROW(build_fsst_block(SymbolTable{}, codes), std::length_error);
}

TEST(FsstFile, RejectsEveryTruncation) {
  const Bytes bytes = sample_block();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    SCOPED_TRACE(size);
    expect_format_error(7, "block size", [&] { parse_fsst_block(std::span(bytes).first(size), 7); });
  }
}

TEST(FsstFile, RejectsEveryBlockSizeBelowTheSmallestBlock) {
  Bytes bytes = sample_block();
  for (std::uint64_t length = 0; length < 20; ++length) {
    store_big_endian<3>(bytes.data(), length);
    expect_format_error(1, "block size", [&] { parse_fsst_block_length(bytes, 1); });
  }
  store_big_endian<3>(bytes.data(), 20);
  EXPECT_EQ(parse_fsst_block_length(bytes, 1), 20u);
}

TEST(FsstFile, BlockSizeEndsTheTable) {
  Bytes bytes = sample_block();
  store_big_endian<3>(bytes.data(), 3 + 17 + 2);
  expect_format_error(2, "symbols", [&] { parse_fsst_block(bytes, 2); });
}

TEST(FsstFile, NamesTheBlockOfADamagedTable) {
  Bytes bytes = sample_block();
  bytes[3 + 8] = 1;
  expect_format_error(5, "zero-terminated flag", [&] { parse_fsst_block(bytes, 5); });
}

}  // namespace
}  // namespace gsst::format
