#include "reference_cpu/train_tiles.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/compress_block.hpp"
#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::reference {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t compressed_bytes(const Bytes& input, std::uint32_t code_bits, unsigned level) {
  const CompressedBlock block = compress_block(
      input, {.format = format::BlockFormat::tiles, .code_bits = code_bits, .level = level}, 1, std::nullopt);
  EXPECT_EQ(block.record.layout, format::BlockLayout::wide);
  return block.bytes.size();
}

TEST(TileTraining, GivesTablesThatGiveTheInputBack) {
  const Bytes input = test::make_mixed(20000, 12);
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const unsigned level : {1u, 3u}) {
      for (const Parse parse : {Parse::greedy, Parse::optimal}) {
        const format::TileTable table = train_tile_table(input, code_bits, level, parse);
        ASSERT_EQ(table.code_bits, code_bits);
        const Bytes block = encode_tiles(table, input, {.parse = parse});
        format::check_tiles_block(block, static_cast<std::uint32_t>(input.size()), 0);
        Bytes output(input.size());
        decode_tiles(format::TilesHeader(block.data()), output, 0);
        ASSERT_EQ(output, input) << code_bits << " bits, level " << level;
      }
    }
  }
}

TEST(TileTraining, LeavesEscapesOutWhereFewBytesOccur) {
  Bytes letters = test::make_random(100000, 1);
  for (std::uint8_t& byte : letters) byte = static_cast<std::uint8_t>('A' + byte % 20);
  EXPECT_TRUE(train_tile_table(letters, 8, 3, Parse::optimal).escape_free);
  EXPECT_FALSE(train_tile_table(test::make_random(100000, 1), 8, 3, Parse::optimal).escape_free);
}

TEST(TileTraining, IsBetterAtAHigherLevel) {
  const Bytes input = test::make_text(300000, 2);
  EXPECT_LT(compressed_bytes(input, 8, 3), compressed_bytes(input, 8, 1));
}

// Each level takes the best of what it and lower ones make.
TEST(TileTraining, IsNotWorseAtAHigherLevel) {
  const Bytes input = test::make_mixed(gsst::test::test_sample().size(20000, 4000), 2);
  const auto size = [&](unsigned level) {
    return expected_tile_bytes(train_tile_table(input, 10, level, Parse::optimal), input, Parse::optimal);
  };
  EXPECT_LE(size(6), size(3));
  EXPECT_LE(size(7), size(6));
}

// Bytes of each DBText column as one block: tile_sizes.csv holds them for level 6. A small column is
// compared, where classes weigh most.
TEST(TileTraining, ReachesTheCommittedSizesOfDbtext) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sizes are the same with AddressSanitizer; the plain build compares them";
#endif
  const auto columns = test::dbtext_columns();
  if (!columns.contains("street")) GTEST_SKIP() << test::dbtext_is_missing;
  std::ifstream file("reference_cpu/tile_sizes.csv");
  ASSERT_TRUE(file) << "reference_cpu/tile_sizes.csv is missing";
  std::string line;
  std::getline(file, line);
  unsigned compared = 0;
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string column;
    std::getline(fields, column, ',');
    if (column != "street") continue;
    const Bytes input = test::read_file(columns.at(column));
    for (const Parse parse : {Parse::greedy, Parse::optimal}) {
      for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
        std::string size;
        std::getline(fields, size, ',');
        const format::TileTable table = train_tile_table(input, code_bits, 6, parse);
        EXPECT_EQ(encode_tiles(table, input, {.parse = parse}).size(), std::stoull(size))
            << column << ", " << code_bits << " bits, " << (parse == Parse::greedy ? "greedy" : "optimal");
        ++compared;
      }
    }
  }
  EXPECT_EQ(compared, 6u);
}

TEST(TileTraining, RefusesWidthsAndLevelsThatAreNone) {
  const Bytes input = test::make_text(1000, 3);
  EXPECT_THROW(train_tile_table(input, 9, 3, Parse::greedy), std::invalid_argument);
  EXPECT_THROW(train_tile_table(input, 8, 10, Parse::greedy), std::invalid_argument);
  EXPECT_THROW(check_options({.code_bits = 12}), std::invalid_argument);
  EXPECT_THROW(check_options({.format = format::BlockFormat::tiles, .code_bits = 9}), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::reference
