#include "reference_cpu/tile_codec.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/expect_format_error.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_matcher.hpp"
#include "reference_cpu/tile_table.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {
namespace {

using Bytes = std::vector<std::uint8_t>;

// Symbols for codes of any width: what stands at random places of the input.
format::TileTable table_for(const Bytes& input, std::uint32_t code_bits) {
  if (code_bits == 8) return make_tile_table(train_symbol_table(input));
  std::vector<WeightedSymbol> symbols;
  for (std::size_t i = 0; i + 8 < input.size() && symbols.size() < 8192; i += 3) {
    const unsigned length = 2 + static_cast<unsigned>(i) % 7;
    const std::uint64_t word = format::load_little_endian<8>(input.data() + i);
    symbols.push_back({.symbol = {.bytes = first_bytes(word, length), .length = length}, .weight = 1});
  }
  return allocate_tile_table(symbols, code_bits, true);
}

Bytes decode(const Bytes& block, std::size_t size, unsigned threads) {
  format::check_tiles_block(block, static_cast<std::uint32_t>(size), 0);
  Bytes output(size);
  decode_tiles(format::TilesHeader(block.data()), output, 0, threads);
  return output;
}

TEST(TileCodec, GivesBackEveryInput) {
  constexpr std::array<std::uint32_t, 3> codes_per_lane = {16, 24, 32};
  std::size_t turn = 0;
  for (const test::NamedInput& input : test::awkward_inputs()) {
    if (input.bytes.empty()) continue;
    for (const std::uint32_t bits : {8u, 10u, 12u}) {
      SCOPED_TRACE(input.name + ", " + std::to_string(bits) + " bits, shape " + std::to_string(turn % 3));
      const Bytes block = encode_tiles(table_for(input.bytes, bits), input.bytes,
                                       {.codes_per_lane = codes_per_lane[turn % 3],
                                        .parse = turn % 4 < 2 ? Parse::greedy : Parse::optimal});
      ASSERT_EQ(decode(block, input.bytes.size(), static_cast<unsigned>(1 + turn % 2)), input.bytes);
    }
    ++turn;
  }
}

// The least codes for `input` without strips, found from the last byte to the first with every code tried
// everywhere.
std::uint32_t fewest_codes(const format::TileTable& table, const Bytes& input) {
  std::vector<std::uint32_t> fewest(input.size() + 1);
  for (std::size_t i = input.size(); i-- > 0;) {
    fewest[i] = fewest[i + 1] + 2;
    for (std::uint32_t code = first_tile_symbol(table); code < table.symbols.size(); ++code) {
      const unsigned length = table.length(code);
      if (length == 0 || length > input.size() - i) continue;
      bool stands_here = true;
      for (unsigned byte = 0; byte < length; ++byte) {
        stands_here &= input[i + byte] == static_cast<std::uint8_t>(table.symbols[code] >> (8 * byte));
      }
      if (stands_here) fewest[i] = std::min(fewest[i], 1 + fewest[i + length]);
    }
  }
  return fewest[0];
}

// One strip, or with 8 bits a few: a code without output may stand at the end of each.
TEST(TileCodec, OptimalParseTakesTheFewestCodes) {
  for (const std::uint32_t bits : {8u, 10u, 12u}) {
    SCOPED_TRACE(std::to_string(bits) + " bits, seed 3");
    const Bytes input = test::make_mixed(3000, 3);
    const format::TileTable table = table_for(input, bits);
    const Bytes block = encode_tiles(table, input, {.parse = Parse::optimal});
    EXPECT_EQ(decode(block, input.size(), 1), input);
    const format::TilesHeader header(block.data());
    EXPECT_GE(header.code_count(), fewest_codes(table, input));
    EXPECT_LT(header.code_count(), fewest_codes(table, input) + header.strip_count());
  }
}

// A pair of codes that would cross the end of a strip: 4096 codes of 8 bits.
TEST(TileCodec, KeepsBothHalvesOfALiteralInOneStrip) {
  const std::array<WeightedSymbol, 1> symbols = {{{.symbol = {.bytes = 'a', .length = 1}, .weight = 1}}};
  const format::TileTable table = allocate_tile_table(symbols, 8, false);
  for (const std::size_t before : {4093u, 4094u, 4095u, 4096u}) {
    Bytes input(before, 'a');
    input.insert(input.end(), 5000, 0xe7);
    for (const Parse parse : {Parse::greedy, Parse::optimal}) {
      const Bytes block = encode_tiles(table, input, {.parse = parse});
      ASSERT_EQ(decode(block, input.size(), 1), input) << before;
      const format::TilesHeader header(block.data());
      EXPECT_EQ(header.code_count(), before + 10000 + before % 2) << before;
    }
  }
}

// Text, and bytes whose halves may not fall into two strips.
TEST(TileCodec, StripsHaveAsManyWholeTilesAsTheyMayHaveCodes) {
  const Bytes input = test::make_mixed(30000, 6);
  for (const std::uint32_t strip_codes : tile_strip_codes) {
    for (const std::uint32_t lane : format::tile_codes_per_lane) {
      SCOPED_TRACE(std::to_string(strip_codes) + " codes in a strip, " + std::to_string(lane) + " in a lane");
      const TileOptions options{.codes_per_lane = lane, .strip_codes = strip_codes};
      const format::TileTable table = table_for(input, 8);
      if (32 * lane > strip_codes) {
        EXPECT_THROW(encode_tiles(table, input, options), std::invalid_argument);
        continue;
      }
      const Bytes block = encode_tiles(table, input, options);
      EXPECT_EQ(format::TilesHeader(block.data()).tiles_per_strip(), strip_codes / (32 * lane));
      EXPECT_EQ(decode(block, input.size(), 2), input);
    }
  }
}

TEST(TileCodec, EscapeFreeTableRefusesABytePutNowhere) {
  const std::array<WeightedSymbol, 2> symbols = {{{.symbol = {.bytes = 'a', .length = 1}, .weight = 1},
                                                  {.symbol = {.bytes = 'b', .length = 1}, .weight = 1}}};
  const format::TileTable table = allocate_tile_table(symbols, 8, true);
  const Bytes good = {'a', 'b', 'b', 'a'};
  EXPECT_EQ(decode(encode_tiles(table, good), good.size(), 1), good);
  EXPECT_THROW(encode_tiles(table, Bytes{'a', 'c'}), std::invalid_argument);
}

TEST(TileCodec, NamesTheStripWhoseCodesDoNotFit) {
  const Bytes input = test::make_text(90000, 5);
  const Bytes block = encode_tiles(table_for(input, 8), input);
  const format::TilesHeader header(block.data());
  ASSERT_GT(header.strip_count(), 3u);
  // A code with its first half of a literal in place of a symbol, in the second tile of strip 2.
  Bytes damaged = block;
  const std::size_t tile = 2 * header.tiles_per_strip() + 1;
  damaged[48 + tile * header.shape().bytes() + 17] = 3;
  Bytes output(input.size());
  format::expect_format_error(7, "codes of strip 2",
                              [&] { decode_tiles(format::TilesHeader(damaged.data()), output, 7); });
}

}  // namespace
}  // namespace gsst::reference
