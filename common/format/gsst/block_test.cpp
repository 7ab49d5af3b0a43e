#include "common/format/gsst/block.hpp"
#include "common/format/formats.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "common/format/gsst/test_tables.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Locations = std::vector<std::uint32_t>;

constexpr std::array<BlockFormat, 3> frame_formats = {BlockFormat::blocks, BlockFormat::splits,
                                                      BlockFormat::coalesced};

// What a block is built from; every code gives one byte unless a test says otherwise.
struct Parts {
  BlockFormat format = BlockFormat::splits;
  std::uint32_t uncompressed_bytes = 0;
  SymbolTable table = table_of({"a", "b"});
  Bytes codes;
  Locations locations;
  Bytes starts_escaped;
};

Parts parts_of(BlockFormat format, std::uint32_t bytes, std::uint32_t split_count) {
  Parts parts;
  parts.format = format;
  parts.uncompressed_bytes = bytes;
  parts.codes.assign(bytes, 1);
  if (!has_splits(format)) return parts;
  std::uint32_t position = 0;
  for (std::uint32_t split = 0; split < split_count; ++split) {
    parts.locations.push_back(std::min(position, bytes));
    position += format == BlockFormat::splits ? static_cast<std::uint32_t>(part_size(bytes, split_count))
                                              : coalesced_split_codes(bytes, split_count, split);
  }
  return parts;
}

BuiltBlock build(const Parts& parts) {
  return build_block({.format = parts.format,
                      .uncompressed_bytes = parts.uncompressed_bytes,
                      .table = parts.table,
                      .codes = parts.codes,
                      .split_locations = parts.locations,
                      .split_starts_escaped = parts.starts_escaped});
}

BlockExpectation expectation(const Parts& parts, BlockLayout layout) {
  const auto split_count = static_cast<std::uint32_t>(parts.locations.size());
  return {.format = parts.format,
          .layout = layout,
          .uncompressed_bytes = parts.uncompressed_bytes,
          .split_count = has_splits(parts.format) ? split_count : 1};
}

BlockView parse(const Parts& parts, const BuiltBlock& built, std::optional<std::uint64_t> block = 4) {
  return parse_block(built.bytes, expectation(parts, built.layout), block);
}

// The writer takes the wide layout only where it must, so tests of it widen a narrow block.
BuiltBlock widen(const Parts& parts) {
  const BuiltBlock narrow = build(parts);
  EXPECT_EQ(narrow.layout, BlockLayout::narrow);
  const BlockHeader header(narrow.bytes.data(), parts.format, BlockLayout::narrow);
  BuiltBlock wide{.layout = BlockLayout::wide, .bytes = {}};
  const auto put = [&wide](std::uint32_t value) {
    wide.bytes.resize(wide.bytes.size() + 4);
    store_little_endian<4>(wide.bytes.data() + wide.bytes.size() - 4, value);
  };
  put(0);
  put(header.uncompressed_bytes());
  if (has_splits(parts.format)) {
    put(header.split_count());
    for (std::uint32_t split = 0; split < header.split_count(); ++split) {
      put(header.split_location(split) | (header.starts_escaped(split) ? 1u << 31 : 0));
    }
  }
  wide.bytes.insert(wide.bytes.end(), narrow.bytes.begin() + header.header_bytes(), narrow.bytes.end());
  store_little_endian<4>(wide.bytes.data(), wide.bytes.size());
  return wide;
}

BuiltBlock build_as(const Parts& parts, BlockLayout layout) {
  return layout == BlockLayout::wide ? widen(parts) : build(parts);
}

void set_location(BuiltBlock& built, std::uint32_t split, std::uint32_t value) {
  if (built.layout == BlockLayout::wide) {
    store_little_endian<4>(built.bytes.data() + 12 + std::size_t{4} * split, value);
  } else {
    store_little_endian<3>(built.bytes.data() + 8 + std::size_t{3} * split, value);
  }
}

void set_block_size(BuiltBlock& built, std::uint64_t size) {
  if (built.layout == BlockLayout::wide) {
    store_little_endian<4>(built.bytes.data(), size);
  } else {
    store_big_endian<3>(built.bytes.data(), size);
  }
}

class EveryLayout : public testing::TestWithParam<BlockLayout> {};

INSTANTIATE_TEST_SUITE_P(Block, EveryLayout, testing::Values(BlockLayout::narrow, BlockLayout::wide),
                         [](const auto& layout) {
                           return layout.param == BlockLayout::wide ? "Wide" : "Narrow";
                         });

TEST_P(EveryLayout, BuiltBlockParsesBack) {
  for (const BlockFormat format : frame_formats) {
    SCOPED_TRACE(block_format_name(format));
    const Parts parts = parts_of(format, 23, 5);
    const BuiltBlock built = build_as(parts, GetParam());
    const BlockView view = parse(parts, built);
    EXPECT_EQ(view.format, format);
    EXPECT_EQ(view.layout, GetParam());
    EXPECT_EQ(view.uncompressed_bytes, 23u);
    EXPECT_EQ(view.split_count, has_splits(format) ? 5u : 1u);
    EXPECT_EQ(view.table, parts.table);
    EXPECT_EQ(Bytes(view.codes.begin(), view.codes.end()), parts.codes);
    EXPECT_EQ(view.header.data(), built.bytes.data());
  }
}

TEST_P(EveryLayout, SplitsCoverCodesAndOutputWithoutGap) {
  for (const BlockFormat format : {BlockFormat::splits, BlockFormat::coalesced}) {
    for (const std::uint32_t bytes : {1u, 2u, 7u, 10u, 255u, 256u, 1000u}) {
      for (const std::uint32_t split_count : {1u, 2u, 6u, 32u, 255u}) {
        SCOPED_TRACE(std::to_string(bytes) + " bytes in " + std::to_string(split_count) + " splits");
        const Parts parts = parts_of(format, bytes, split_count);
        const BuiltBlock built = build_as(parts, GetParam());
        const BlockView view = parse(parts, built);
        std::uint64_t codes = 0;
        std::uint32_t output = 0;
        for (std::uint32_t index = 0; index < split_count; ++index) {
          const Split split = view.split(index);
          EXPECT_EQ(split.first_code, format == BlockFormat::coalesced ? index : codes);
          EXPECT_EQ(split.output_offset, output);
          codes += split.code_bytes;
          output += split.output_bytes;
        }
        EXPECT_EQ(codes, view.codes.size());
        EXPECT_EQ(output, bytes);
      }
    }
  }
}

TEST_P(EveryLayout, RejectsEveryTruncation) {
  for (const BlockFormat format : frame_formats) {
    const Parts parts = parts_of(format, 9, 3);
    const BuiltBlock whole = build_as(parts, GetParam());
    const bool wide = GetParam() == BlockLayout::wide;
    const std::size_t fixed = BlockHeader(whole.bytes.data(), format, GetParam()).fixed_header_bytes();
    const std::size_t header = BlockHeader(whole.bytes.data(), format, GetParam()).header_bytes();
    for (std::size_t size = 0; size < header + symbol_table_header_bytes + 2; ++size) {
      SCOPED_TRACE(std::string(block_format_name(format)) + " of " + std::to_string(size) + " bytes");
      BuiltBlock cut = whole;
      cut.bytes.resize(size);
      if (size >= (wide ? 4u : 3u)) set_block_size(cut, size);
      const char* field = size < fixed                                ? "block header"
                          : size < header                             ? "split locations"
                          : size < header + symbol_table_header_bytes ? "symbol table"
                                                                      : "symbols";
      expect_format_error(4, field, [&] { parse(parts, cut); });
    }
  }
}

TEST_P(EveryLayout, RejectsBlockSizeThatIsNotThePayload) {
  for (const BlockFormat format : frame_formats) {
    const Parts parts = parts_of(format, 9, 3);
    for (const int change : {-1, 1}) {
      BuiltBlock built = build_as(parts, GetParam());
      set_block_size(built, built.bytes.size() + static_cast<std::size_t>(change));
      expect_format_error(4, "block size", [&] { parse(parts, built); });
      built = build_as(parts, GetParam());
      built.bytes.resize(built.bytes.size() + static_cast<std::size_t>(change));
      expect_format_error(4, "block size", [&] { parse(parts, built); });
    }
  }
}

TEST_P(EveryLayout, RejectsUncompressedSizeThatIsNotTheRecords) {
  for (const BlockFormat format : frame_formats) {
    const Parts parts = parts_of(format, 9, 3);
    const BuiltBlock built = build_as(parts, GetParam());
    BlockExpectation expected = expectation(parts, GetParam());
    for (const std::uint32_t size : {8u, 10u, 0u, 0xffffffffu}) {
      expected.uncompressed_bytes = size;
      expect_format_error(4, "uncompressed size", [&] { parse_block(built.bytes, expected, 4); });
    }
  }
}

TEST_P(EveryLayout, AcceptsUncompressedSizesThatCodesCanHaveAndNoOthers) {
  for (const std::uint32_t codes : {1u, 4u, 5u}) {
    for (std::uint32_t size = 1; size <= 8 * codes + 2; ++size) {
      SCOPED_TRACE(std::to_string(codes) + " codes for " + std::to_string(size) + " bytes");
      Parts parts = parts_of(BlockFormat::blocks, size, 1);
      parts.codes.assign(codes, 0);
      const BuiltBlock built = build_as(parts, GetParam());
      if (size <= 8 * codes && codes <= 2 * size) {
        EXPECT_EQ(parse(parts, built).codes.size(), codes);
      } else {
        expect_format_error(4, "uncompressed size", [&] { parse(parts, built); });
      }
    }
  }
}

TEST_P(EveryLayout, RejectsOtherNumberOfSplitsThanTheFrames) {
  for (const BlockFormat format : {BlockFormat::splits, BlockFormat::coalesced}) {
    const Parts parts = parts_of(format, 9, 3);
    const BuiltBlock built = build_as(parts, GetParam());
    BlockExpectation expected = expectation(parts, GetParam());
    for (const std::uint32_t split_count : {1u, 2u, 4u, 255u, 256u + 3u, 65536u}) {
      expected.split_count = split_count;
      expect_format_error(4, "number of splits", [&] { parse_block(built.bytes, expected, 4); });
    }
  }
}

TEST_P(EveryLayout, RejectsDamagedSplitLocations) {
  for (const BlockFormat format : {BlockFormat::splits, BlockFormat::coalesced}) {
    SCOPED_TRACE(block_format_name(format));
    const Parts parts = parts_of(format, 9, 3);  // Locations 0, 3, 6.
    const auto expect_rejected = [&](std::uint32_t split, std::uint32_t value, const char* field) {
      SCOPED_TRACE(std::to_string(split) + " at " + std::to_string(value));
      BuiltBlock built = build_as(parts, GetParam());
      set_location(built, split, value);
      expect_format_error(4, field, [&] { parse(parts, built); });
    };
    expect_rejected(0, 1, "split location 0");
    expect_rejected(1, 7, "split location 2");
    expect_rejected(2, 2, "split location 2");
    expect_rejected(2, 10, "split location 2");
    expect_rejected(2, 0x7fffff, "split location 2");
    if (GetParam() == BlockLayout::wide) expect_rejected(2, 0x7fffffff, "split location 2");
  }
}

TEST_P(EveryLayout, RejectsSplitWhoseOutputIsImpossibleForItsCodes) {
  const Parts parts = parts_of(BlockFormat::splits, 9, 3);
  BuiltBlock built = build_as(parts, GetParam());
  set_location(built, 1, 0);
  expect_format_error(4, "split location 0", [&] { parse(parts, built); });
  built = build_as(parts, GetParam());
  set_location(built, 2, 9);
  expect_format_error(4, "split location 2", [&] { parse(parts, built); });
  // Split 1 with 6 code bytes for 3 bytes of output could be all escapes; 7 could not.
  Parts escapes = parts_of(BlockFormat::splits, 9, 3);
  escapes.codes.assign(12, 1);
  escapes.locations = {0, 3, 9};
  EXPECT_NO_THROW(parse(escapes, build_as(escapes, GetParam())));
  escapes.codes.assign(13, 1);
  escapes.locations = {0, 3, 10};
  built = build_as(escapes, GetParam());
  expect_format_error(4, "split location 1", [&] { parse(escapes, built); });
}

TEST_P(EveryLayout, RejectsCoalescedSplitOfMoreThanEightBytesACode) {
  Parts parts = parts_of(BlockFormat::coalesced, 17, 2);
  parts.codes.assign(3, 0);
  parts.locations = {0, 16};
  EXPECT_NO_THROW(parse(parts, build_as(parts, GetParam())));
  parts.locations = {0, 17};
  const BuiltBlock first = build_as(parts, GetParam());
  expect_format_error(4, "split location 0", [&] { parse(parts, first); });
  parts.locations = {0, 8};
  const BuiltBlock last = build_as(parts, GetParam());
  expect_format_error(4, "split location 1", [&] { parse(parts, last); });
}

TEST_P(EveryLayout, KeepsEscapeBitApartFromTheLocation) {
  Parts parts = parts_of(BlockFormat::coalesced, 9, 3);
  parts.starts_escaped = {0, 1, 0};
  const BuiltBlock built = build_as(parts, GetParam());
  const BlockView view = parse(parts, built);
  EXPECT_FALSE(view.split(0).starts_escaped);
  EXPECT_TRUE(view.split(1).starts_escaped);
  EXPECT_FALSE(view.split(2).starts_escaped);
  EXPECT_EQ(view.split(1).output_offset, 3u);
  const BlockHeader header(built.bytes.data(), BlockFormat::coalesced, GetParam());
  EXPECT_EQ(header.escape_bit(), GetParam() == BlockLayout::wide ? 1u << 31 : 1u << 23);
}

TEST_P(EveryLayout, RejectsEscapeBitInSplitThatCannotHaveIt) {
  const std::uint32_t bit = GetParam() == BlockLayout::wide ? 1u << 31 : 1u << 23;
  const Parts parts = parts_of(BlockFormat::coalesced, 2, 4);
  BuiltBlock built = build_as(parts, GetParam());
  set_location(built, 0, bit);
  expect_format_error(4, "split location 0", [&] { parse(parts, built); });
  built = build_as(parts, GetParam());
  set_location(built, 2, 2 | bit);
  expect_format_error(4, "split location 2", [&] { parse(parts, built); });
}

TEST_P(EveryLayout, HighestBitOfSplitsLocationIsPartOfTheLocation) {
  const std::uint32_t bit = GetParam() == BlockLayout::wide ? 1u << 31 : 1u << 23;
  const Parts parts = parts_of(BlockFormat::splits, 9, 3);
  BuiltBlock built = build_as(parts, GetParam());
  set_location(built, 2, 6 | bit);
  expect_format_error(4, "split location 2", [&] { parse(parts, built); });
}

TEST(Block, NamesTheBlockOfADamagedTable) {
  for (const BlockFormat format : frame_formats) {
    const Parts parts = parts_of(format, 9, 3);
    BuiltBlock built = build(parts);
    const BlockHeader header(built.bytes.data(), format, built.layout);
    built.bytes[header.header_bytes() + 8] = 1;
    expect_format_error(11, "zero-terminated flag", [&] { parse(parts, built, 11); });
    expect_format_error(std::nullopt, "zero-terminated flag", [&] { parse(parts, built, std::nullopt); });
  }
}

TEST(Block, RawPayloadIsTheOutput) {
  const Bytes payload = {1, 2, 3};
  for (const BlockFormat format : frame_formats) {
    const BlockExpectation expected{
        .format = format, .layout = BlockLayout::raw, .uncompressed_bytes = 3, .split_count = 5};
    const BlockView view = parse_block(payload, expected, 0);
    EXPECT_EQ(view.split_count, 1u);
    EXPECT_EQ(view.codes.data(), payload.data());
    EXPECT_EQ(view.split(0).output_bytes, 3u);
    EXPECT_TRUE(view.header.empty());
  }
  const BlockExpectation shorter{
      .format = BlockFormat::blocks, .layout = BlockLayout::raw, .uncompressed_bytes = 2, .split_count = 1};
  expect_format_error(6, "raw block size", [&] { parse_block(payload, shorter, 6); });
}

TEST(Block, NarrowUpTo255Splits) {
  for (const BlockFormat format : {BlockFormat::splits, BlockFormat::coalesced}) {
    for (const std::uint32_t split_count : {255u, 256u, max_split_count}) {
      SCOPED_TRACE(split_count);
      const Parts parts = parts_of(format, 1000, split_count);
      const BuiltBlock built = build(parts);
      EXPECT_EQ(built.layout, split_count == 255 ? BlockLayout::narrow : BlockLayout::wide);
      EXPECT_EQ(parse(parts, built).split_count, split_count);
    }
  }
}

TEST(Block, NarrowUpTo16777215BytesOfBlock) {
  for (const BlockFormat format : frame_formats) {
    const std::uint32_t header = has_splits(format) ? 8 + 3 : 7;
    const std::uint32_t codes = 0xffffff - header - static_cast<std::uint32_t>(symbol_table_header_bytes) - 2;
    for (const std::uint32_t size : {codes, codes + 1}) {
      const Parts parts = parts_of(format, size, 1);
      const BuiltBlock built = build(parts);
      EXPECT_EQ(built.layout, size == codes ? BlockLayout::narrow : BlockLayout::wide);
      EXPECT_EQ(parse(parts, built).codes.size(), size);
    }
  }
}

TEST(Block, CoalescedIsNarrowUpToLocation8388607) {
  for (const std::uint32_t location : {0x7fffffu, 0x800000u}) {
    Parts parts = parts_of(BlockFormat::coalesced, location + 8, 2);
    parts.codes.assign((std::size_t{location} + 15) / 8 * 2, 0);
    parts.locations = {0, location};
    parts.starts_escaped = {0, 1};
    const BuiltBlock built = build(parts);
    EXPECT_EQ(built.layout, location == 0x7fffff ? BlockLayout::narrow : BlockLayout::wide);
    const BlockView view = parse(parts, built);
    EXPECT_EQ(view.split(1).output_offset, location);
    EXPECT_TRUE(view.split(1).starts_escaped);
  }
}

TEST(Block, SplitsIsNarrowWithHighestBitInLocation) {
  Parts parts = parts_of(BlockFormat::splits, 0x900000, 2);
  parts.codes.assign(0x900000, 1);
  parts.locations = {0, 0x850000};
  const BuiltBlock built = build(parts);
  EXPECT_EQ(built.layout, BlockLayout::narrow);
  EXPECT_EQ(parse(parts, built).split(1).first_code, 0x850000u);
}

TEST(Block, LargestHeaderIsThatOfTheWideLayout) {
  EXPECT_EQ(max_block_header_bytes(BlockFormat::blocks, 1), 8u);
  for (const BlockFormat format : {BlockFormat::splits, BlockFormat::coalesced}) {
    EXPECT_EQ(max_block_header_bytes(format, 1), 16u);
    const Parts parts = parts_of(format, 1000, max_split_count);
    EXPECT_EQ(max_block_header_bytes(format, max_split_count), parse(parts, build(parts)).header.size());
  }
}

TEST(Block, CoalescedCodesAreDealtOutOnce) {
  for (const std::uint32_t codes : {0u, 1u, 5u, 31u, 32u, 33u, 1000u}) {
    for (const std::uint32_t split_count : {1u, 2u, 7u, 32u, 255u}) {
      std::vector<int> taken(codes, 0);
      std::uint32_t previous = codes;
      for (std::uint32_t split = 0; split < split_count; ++split) {
        const std::uint32_t split_codes = coalesced_split_codes(codes, split_count, split);
        EXPECT_LE(split_codes, previous);
        previous = split_codes;
        for (std::uint32_t index = 0; index < split_codes; ++index) {
          ++taken.at(coalesced_code_location(split_count, split, index));
        }
      }
      EXPECT_TRUE(std::all_of(taken.begin(), taken.end(), [](int count) { return count == 1; }))
          << codes << " codes in " << split_count << " splits";
    }
  }
}

TEST(Block, PartSizeRoundsUp) {
  EXPECT_EQ(part_size(10, 6), 2u);
  EXPECT_EQ(part_size(12, 6), 2u);
  EXPECT_EQ(part_size(13, 6), 3u);
  EXPECT_EQ(part_size(1, 65536), 1u);
}

TEST(Block, FormatNamesAreThoseOfTheCommand) {
  for (const BlockFormat format :
       {BlockFormat::fsst, BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced}) {
    EXPECT_EQ(block_format_from_name(block_format_name(format)), format);
  }
  EXPECT_EQ(block_format_name(BlockFormat::coalesced), "coalesced");
  EXPECT_EQ(block_format_from_name("zstd"), std::nullopt);
  EXPECT_EQ(block_format_from_name(""), std::nullopt);
}

}  // namespace
}  // namespace gsst::format
