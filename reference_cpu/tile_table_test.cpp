#include "reference_cpu/tile_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_matcher.hpp"

namespace gsst::reference {
namespace {

// `count` symbols of each length, the first ones preferred.
std::vector<WeightedSymbol> symbols_of(const std::vector<unsigned>& counts) {
  std::vector<WeightedSymbol> symbols;
  for (unsigned length = 1; length <= counts.size(); ++length) {
    for (unsigned i = 0; i < counts[length - 1]; ++i) {
      const std::uint64_t used = ~std::uint64_t{0} >> (64 - 8 * length);
      symbols.push_back(
          {.symbol = {.bytes = (0x9e3779b97f4a7c15 * (i + 1)) & used, .length = length}, .weight = 1});
    }
  }
  return symbols;
}

bool holds(const format::TileTable& table, const Symbol& symbol) {
  for (std::uint32_t code = 0; code < table.symbols.size(); ++code) {
    if (table.symbols[code] == symbol.bytes && table.length(code) == symbol.length) return true;
  }
  return false;
}

TEST(TileTableAllocation, HoldsEverySymbolOfWholeClasses) {
  const auto symbols = symbols_of({16, 64, 48, 32, 16, 16, 16, 16});
  const format::TileTable table = allocate_tile_table(symbols, 8, false);
  for (const WeightedSymbol& weighted : symbols)
    EXPECT_TRUE(holds(table, weighted.symbol)) << weighted.symbol.length;
  EXPECT_EQ(std::ranges::count(table.class_lengths, 2), 4);
}

TEST(TileTableAllocation, DropsTheLeastPreferredOfALength) {
  const auto symbols = symbols_of({0, 250});
  const format::TileTable table = allocate_tile_table(symbols, 8, false);
  for (std::size_t i = 0; i < symbols.size(); ++i) EXPECT_EQ(holds(table, symbols[i].symbol), i < 224) << i;
}

TEST(TileTableAllocation, LeavesClassesUnusedWhereNothingWantsThem) {
  const format::TileTable table = allocate_tile_table(symbols_of({0, 0, 17}), 8, true);
  EXPECT_EQ(std::ranges::count(table.class_lengths, 3), 2);
  EXPECT_EQ(std::ranges::count(table.class_lengths, 0), 14);
}

TEST(TileTableAllocation, OfWideCodesHoldsEachByteOnce) {
  const format::TileTable table = allocate_tile_table(symbols_of({200, 1000, 3000}), 12, true);
  for (std::uint32_t byte = 0; byte < 256; ++byte) EXPECT_EQ(table.symbols[byte], byte);
  EXPECT_EQ(std::ranges::count(table.class_lengths, 1), 1);
  EXPECT_EQ(std::ranges::count(table.class_lengths, 2), 4);
  EXPECT_EQ(std::ranges::count(table.class_lengths, 3), 11);
}

TEST(TileMatcher, FindsTheLongestSymbolThatTheInputHolds) {
  const std::vector<WeightedSymbol> symbols = {{.symbol = {.bytes = 'a', .length = 1}, .weight = 1},
                                               {.symbol = {.bytes = 0x6261, .length = 2}, .weight = 1},
                                               {.symbol = {.bytes = 0x64636261, .length = 4}, .weight = 1}};
  const TileMatcher matcher(allocate_tile_table(symbols, 8, false));
  const std::vector<std::uint8_t> input = {'a', 'b', 'c', 'd'};
  const auto length_of = [&](std::size_t begin, std::size_t end) {
    const auto match = matcher.longest_match(std::span(input).subspan(begin, end - begin));
    return match ? match->length : 0;
  };
  EXPECT_EQ(length_of(0, 4), 4u);
  EXPECT_EQ(length_of(0, 3), 2u);
  EXPECT_EQ(length_of(0, 1), 1u);
  EXPECT_EQ(length_of(1, 4), 0u);
}

}  // namespace
}  // namespace gsst::reference
