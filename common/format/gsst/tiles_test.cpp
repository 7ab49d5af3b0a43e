#include "common/format/gsst/tiles.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"

namespace gsst::format {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Classes of every length behind the literal ones; code c of a class of length 2 and more has symbols whose
// bytes are all different.
TileTable table_of(std::uint32_t code_bits, bool escape_free) {
  TileTable table = make_literal_tile_table(code_bits, escape_free);
  const std::uint32_t literal = literal_class_count(code_bits, escape_free);
  for (std::uint32_t i = literal; i < length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(1 + (i - literal) % 8);
  }
  for (std::uint32_t code = literal << (code_bits - 4); code < table.symbols.size(); ++code) {
    table.symbols[code] =
        (0x0123456789abcdefULL * (code + 1)) & (~std::uint64_t{0} >> (64 - 8 * table.length(code)));
  }
  return table;
}

struct Example {
  TileShape shape;
  TileTable table;
  std::vector<std::uint16_t> codes;
  std::vector<std::uint32_t> strip_outputs;
  std::uint32_t uncompressed_bytes = 0;
  std::uint32_t tiles_per_strip = 2;

  Bytes build() const {
    return build_tiles_block({.shape = shape,
                              .tiles_per_strip = tiles_per_strip,
                              .uncompressed_bytes = uncompressed_bytes,
                              .table = table,
                              .codes = codes,
                              .strip_outputs = strip_outputs});
  }
};

// Each code that puts something out, in turn.
Example make_example(const TileShape& shape, bool escape_free, std::uint32_t code_count) {
  Example example{
      .shape = shape, .table = table_of(shape.code_bits, escape_free), .codes = {}, .strip_outputs = {}};
  std::uint32_t code = 0;
  while (example.codes.size() < code_count) {
    code = (code + 37) % shape.code_count();
    if (example.table.length(code) == 0) continue;
    if (example.codes.size() % (std::size_t{example.tiles_per_strip} * shape.codes()) == 0) {
      example.strip_outputs.push_back(example.uncompressed_bytes);
    }
    example.codes.push_back(static_cast<std::uint16_t>(code));
    example.uncompressed_bytes += example.table.length(code);
  }
  return example;
}

Example usual_example() {
  return make_example({.code_bits = 8, .codes_per_lane = 16}, false, 2500);
}

void expect_rejected(const Example& example, const std::string& field,
                     const std::function<void(Bytes&)>& damage) {
  Bytes bytes = example.build();
  damage(bytes);
  expect_format_error(3, field, [&] { check_tiles_block(bytes, example.uncompressed_bytes, 3); });
}

TEST(TileCode, IsWhatWasBuiltForEveryShape) {
  for (const std::uint32_t bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      const Example example =
          make_example({.code_bits = bits, .codes_per_lane = codes_per_lane}, bits != 8, 4000);
      const Bytes bytes = example.build();
      const TilesHeader header(bytes.data());
      ASSERT_EQ(header.shape(), example.shape);
      for (std::uint32_t i = 0; i < example.codes.size(); ++i) {
        const std::uint8_t* const tile = header.tile(i / example.shape.codes());
        ASSERT_EQ(tile_code(tile, example.shape, i % example.shape.codes()), example.codes[i])
            << bits << " " << i;
      }
    }
  }
}

// The layout that FORMAT.md describes, byte by byte.
TEST(TileCode, HasItsBitsWhereTheSpecificationSays) {
  const TileShape ten{.code_bits = 10, .codes_per_lane = 16};
  Bytes tile(ten.bytes());
  tile[13] = 0x80;
  // Code 13 is code 5 of the second group of 8: byte 1 of its pair, bits 4 and 5.
  tile[512 + 3] = 0b00'10'00'00;
  EXPECT_EQ(tile_code(tile.data(), ten, 13), 0x80u << 2 | 2u);
  const TileShape twelve{.code_bits = 12, .codes_per_lane = 16};
  tile.assign(twelve.bytes(), 0);
  tile[13] = 0x12;
  tile[512 + 6] = 0xa0;
  EXPECT_EQ(tile_code(tile.data(), twelve, 13), 0xa12u);
}

TEST(TilesBlock, IsAcceptedWithItsTable) {
  for (const std::uint32_t bits : {8u, 10u, 12u}) {
    for (const bool escape_free : {false, true}) {
      if (bits != 8 && !escape_free) continue;
      for (const std::uint32_t count : {1u, 511u, 512u, 513u, 1024u, 1025u, 5000u}) {
        const Example example = make_example({.code_bits = bits, .codes_per_lane = 16}, escape_free, count);
        const Bytes bytes = example.build();
        check_tiles_block(bytes, example.uncompressed_bytes, 0);
        EXPECT_EQ(bytes.size() % tiles_alignment, tiles_alignment / 2);
        const TilesHeader header(bytes.data());
        EXPECT_EQ(read_tile_table(header), example.table);
        EXPECT_EQ(header.code_count(), count);
        EXPECT_EQ(header.strip_count(), example.strip_outputs.size());
        EXPECT_EQ(header.strip_output(header.strip_count()), example.uncompressed_bytes);
      }
    }
  }
}

TEST(TilesBlock, IsRefusedWhereverItIsCut) {
  const Example example = usual_example();
  const Bytes whole = example.build();
  for (std::size_t size = 0; size < whole.size(); ++size) {
    Bytes bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    const char* const field = size < tiles_header_bytes ? "block header" : "block size";
    expect_format_error(1, field, [&] { check_tiles_block(bytes, example.uncompressed_bytes, 1); });
    if (size < tiles_header_bytes) continue;
    store_little_endian<4>(bytes.data(), size);
    expect_format_error(1, field, [&] { check_tiles_block(bytes, example.uncompressed_bytes, 1); });
  }
}

TEST(TilesBlock, NamesTheFieldThatIsWrong) {
  const Example example = usual_example();
  const auto set = [&](std::size_t offset, unsigned value) {
    return [=](Bytes& bytes) { bytes[offset] = static_cast<std::uint8_t>(value); };
  };
  expect_rejected(example, "block size", set(0, 1));
  expect_rejected(example, "uncompressed size", set(4, example.uncompressed_bytes + 1));
  for (const unsigned bits : {0u, 7u, 9u, 11u, 16u, 255u})
    expect_rejected(example, "code bits", set(8, bits));
  for (const unsigned codes : {0u, 8u, 17u, 31u, 40u, 255u}) {
    expect_rejected(example, "codes per lane", set(9, codes));
  }
  expect_rejected(example, "tiles per strip", set(10, 0));
  expect_rejected(example, "escape-free flag", set(16, 2));
  for (const std::size_t offset : {17U, 18U, 19U, 24U, 31U})
    expect_rejected(example, "block header", set(offset, 1));
  // 1025, and very many.
  expect_rejected(example, "dictionary id",
                  [](Bytes& bytes) { store_little_endian<2>(bytes.data() + 20, 1025); });
  expect_rejected(example, "dictionary id", set(23, 1));
  // A block that shares a table stores no symbols.
  expect_rejected(example, "block size", set(20, 1));
  expect_rejected(example, "length of class 0", set(32, 1));
  expect_rejected(example, "length of class 1", set(33, 0));
  expect_rejected(example, "length of class 5", set(37, 9));
  expect_rejected(example, "block size", set(37, 8));
  expect_rejected(example, "code count", [](Bytes& bytes) { store_little_endian<4>(bytes.data() + 12, 0); });
  expect_rejected(example, "code count",
                  [](Bytes& bytes) { store_little_endian<4>(bytes.data() + 12, 0xffffffff); });
  expect_rejected(example, "padding", [](Bytes& bytes) { bytes.back() = 1; });
}

TEST(TilesBlock, WithWideCodesHoldsEveryByte) {
  for (const std::uint32_t bits : {10u, 12u}) {
    const Example example = make_example({.code_bits = bits, .codes_per_lane = 24}, true, 3000);
    expect_rejected(example, "escape-free flag", [](Bytes& bytes) { bytes[16] = 0; });
    expect_rejected(example, "length of class 0", [](Bytes& bytes) { bytes[32] = 2; });
  }
}

TEST(TilesBlock, HasStripsThatFollowEachOther) {
  const Example example = usual_example();
  const std::size_t offsets = tiles_header_bytes + 5 * example.shape.bytes();
  const auto set = [&](std::size_t strip, std::uint32_t value) {
    return [=](Bytes& bytes) { store_little_endian<4>(bytes.data() + offsets + 4 * strip, value); };
  };
  const std::vector<std::uint32_t>& outputs = example.strip_outputs;
  ASSERT_EQ(outputs.size(), 3u);
  expect_rejected(example, "strip offset 0", set(0, 1));
  expect_rejected(example, "strip offset 1", set(1, example.uncompressed_bytes + 1));
  expect_rejected(example, "strip offset 1", set(1, outputs[2] + 1));
  // 1024 codes give at most 8192 bytes, and two of them at least one.
  expect_rejected(example, "strip offset 0", set(1, 511));
  expect_rejected(example, "strip offset 1", set(2, outputs[1] + 511));
  Bytes bytes = example.build();
  set(1, 512)(bytes);
  check_tiles_block(bytes, example.uncompressed_bytes, 3);
}

TEST(TilesPayload, IsPaddedSoThatTheNextBlockIsAligned) {
  for (std::uint64_t bytes = 0; bytes < 100; ++bytes) {
    const std::uint64_t padded = padded_tiles_payload_bytes(bytes);
    EXPECT_GE(padded, bytes);
    EXPECT_LT(padded, bytes + tiles_alignment);
    // Behind a frame header of 40 bytes and record headers of 24.
    EXPECT_EQ((40 + 24 + padded + 24) % tiles_alignment, 0u);
    EXPECT_EQ(padded_tiles_payload_bytes(padded), padded);
  }
}

TEST(TileTable, OfLiteralsRefusesImpossibleCodes) {
  EXPECT_THROW(make_literal_tile_table(9, true), std::invalid_argument);
  EXPECT_THROW(make_literal_tile_table(12, false), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::format
