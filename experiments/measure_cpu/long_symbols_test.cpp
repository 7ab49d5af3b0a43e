#include "experiments/measure_cpu/long_symbols.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::size_t longest_symbol(const LongSymbolTable& table) {
  std::size_t longest = 0;
  for (const std::string& symbol : table.symbols) longest = std::max(longest, symbol.size());
  return longest;
}

TEST(LongSymbols, GivesBackWhatItEncodes) {
  const Bytes training = reference::test::make_text(60000, 1);
  const LongSymbolTable table = train_long_symbols(training, 16, 1);
  for (const Bytes& input : {reference::test::make_text(20000, 2), reference::test::make_random(5000, 3),
                             Bytes{7}, Bytes(100, 'a')}) {
    EXPECT_EQ(decode_long_symbols(table, encode_long_symbols(table, input)), input);
  }
}

TEST(LongSymbols, KeepsWithinItsClasses) {
  // Eight letters: 4096 strings of four, more than there is room for where none costs anything.
  Bytes input = reference::test::make_random(150000, 1);
  for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>('a' + byte % 8);
  const LongSymbolTable table = train_long_symbols(input, 12, 0);
  EXPECT_EQ(std::accumulate(table.classes.begin(), table.classes.end(), std::size_t{0}),
            long_symbol_class_count);
  for (std::size_t length = 1; length <= longest_long_symbol; ++length) {
    const auto symbols = std::ranges::count(table.symbols, length, &std::string::size);
    EXPECT_LE(static_cast<std::size_t>(symbols), table.classes[length - 1] * long_symbol_class_codes);
  }
  EXPECT_LE(longest_symbol(table), 12u);
}

// 300 strings of 16 bytes in any order: a code for each, where symbols are long enough.
TEST(LongSymbols, FindsTheStringsThatAnInputIsMadeOf) {
  const Bytes strings = reference::test::make_random(300 * std::size_t{16}, 1);
  const Bytes order = reference::test::make_random(12000, 2);
  Bytes input;
  for (std::size_t i = 0; i + 1 < order.size(); i += 2) {
    const std::size_t string = (order[i] + 256u * order[i + 1]) % 300;
    input.insert(input.end(), strings.begin() + static_cast<std::ptrdiff_t>(16 * string),
                 strings.begin() + static_cast<std::ptrdiff_t>(16 * string + 16));
  }
  EXPECT_EQ(encode_long_symbols(train_long_symbols(input, 16, 1), input).size(), input.size() / 16);
  EXPECT_GE(encode_long_symbols(train_long_symbols(input, 8, 1), input).size(), input.size() / 8);
}

TEST(LongSymbols, CountsWhatABlockStores) {
  LongSymbolTable table{.symbols = {"abc"}, .classes = {}};
  table.classes[2] = 1;
  EXPECT_EQ(bytes_of_table(table), 256u * 3);
  // Header, one tile of 1024 codes, an offset, the table; 8 bytes more than a multiple of 16.
  EXPECT_EQ(stored_bytes(table, 1), 48 + 1536 + 4 + 768 + 4u);
  EXPECT_EQ(stored_bytes(table, 4 * 2048 + 1) - stored_bytes(table, 1), 8 * 1536 + 4 * 4u);
}

TEST(LongSymbols, TakesInputsWithoutStrings) {
  for (const Bytes& input : {Bytes{1}, Bytes(15, 'a'), Bytes(16, 'a')}) {
    EXPECT_TRUE(train_long_symbols(input, 16, 1).symbols.empty());
  }
}

}  // namespace
}  // namespace gsst::experiments
