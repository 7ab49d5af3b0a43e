#include "reference_cpu/optimal_encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <vector>

#include "reference_cpu/decoder.hpp"
#include "reference_cpu/dictionary.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::reference {
namespace {

// The least code bytes for `input`, found from the first byte to the last with every symbol tried everywhere.
std::size_t fewest_code_bytes(const format::SymbolTable& table, std::span<const std::uint8_t> input) {
  const std::vector<Symbol> symbols = dictionary_of(table).symbols;
  std::vector<std::size_t> fewest(input.size() + 1, 2 * input.size());
  fewest[0] = 0;
  for (std::size_t i = 0; i < input.size(); ++i) {
    fewest[i + 1] = std::min(fewest[i + 1], fewest[i] + 2);
    std::uint64_t word = 0;
    const std::size_t left = std::min<std::size_t>(input.size() - i, 8);
    for (std::size_t byte = 0; byte < left; ++byte) word |= std::uint64_t{input[i + byte]} << (8 * byte);
    for (const Symbol& symbol : symbols) {
      if (symbol.length > left || first_bytes(word, symbol.length) != symbol.bytes) continue;
      fewest[i + symbol.length] = std::min(fewest[i + symbol.length], fewest[i] + 1);
    }
  }
  return fewest.back();
}

std::vector<std::uint8_t> encode(const format::SymbolTable& table, std::span<const std::uint8_t> input) {
  std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
  codes.resize(OptimalEncoder(table).encode(input, codes));
  return codes;
}

std::size_t greedy_code_bytes(const format::SymbolTable& table, std::span<const std::uint8_t> input) {
  std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
  return Encoder(table).encode_fast(input, codes);
}

void expect_optimal(const format::SymbolTable& table, std::span<const std::uint8_t> input) {
  const std::vector<std::uint8_t> codes = encode(table, input);
  EXPECT_LE(codes.size(), greedy_code_bytes(table, input));
  // A sanitizer has nothing to say of the plain search, which it makes slow: small inputs are enough then.
  if (gsst::test::test_sample().is_whole() || input.size() <= 4100) {
    EXPECT_EQ(codes.size(), fewest_code_bytes(table, input));
  }
  std::vector<std::uint8_t> output(input.size());
  EXPECT_EQ(decode(table, codes, output), DecodeProblem::none);
  EXPECT_TRUE(std::equal(output.begin(), output.end(), input.begin(), input.end()));
}

class OptimalEncoderTest : public testing::TestWithParam<test::NamedInput> {};

INSTANTIATE_TEST_SUITE_P(AwkwardInputs, OptimalEncoderTest, testing::ValuesIn(test::awkward_inputs()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(OptimalEncoderTest, GivesTheFewestCodesWithItsOwnTableAndForeignOnes) {
  // The plain search takes its time: it sees the first 20,000 bytes, several of the encoder's segments.
  const std::span<const std::uint8_t> input =
      std::span(GetParam().bytes).first(std::min<std::size_t>(GetParam().bytes.size(), 20000));
  expect_optimal({}, input);
  expect_optimal(train_symbol_table(input), input);
  static const format::SymbolTable of_text = train_symbol_table(test::make_text(50000, 9));
  expect_optimal(of_text, input);
  for (const unsigned symbol_count : {1u, 128u, 255u})
    expect_optimal(test::make_random_table(symbol_count, 77), input);
}

// Few byte values and short symbols: many that match everywhere, and some that are equal.
TEST(OptimalEncoder, GivesTheFewestCodesWhereManySymbolsMatch) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    format::SymbolTable table = test::make_random_table(40, seed);
    for (std::uint64_t& symbol : table.symbols) symbol &= 0x0101010101010101;
    std::vector<std::uint8_t> input = test::make_random(4090 + seed, seed);
    for (std::uint8_t& byte : input) byte &= 1;
    expect_optimal(table, input);
  }
}

TEST(OptimalEncoder, LooksAheadWhereTheLongestSymbolIsAMistake) {
  format::SymbolTable table;
  table.symbol_count = 3;
  table.symbols = {0x6261, 0x63626261, 0x616263626261};
  table.lengths = {2, 4, 6};
  table.symbols[1] = 0x6363;
  table.lengths[1] = 2;
  table.symbols[2] = 0x636261;
  table.lengths[2] = 3;
  // "abcc": "abc" leaves a "c" to escape.
  const std::vector<std::uint8_t> input = {'a', 'b', 'c', 'c'};
  EXPECT_EQ(encode(table, input), (std::vector<std::uint8_t>{0, 1}));
  EXPECT_EQ(greedy_code_bytes(table, input), 3u);
}

TEST(OptimalEncoder, TakesTheLongestOfEqualChoices) {
  format::SymbolTable table;
  table.symbol_count = 3;
  table.symbols = {0x6261, 0x636261, 0x61};
  table.lengths = {2, 3, 1};
  table.symbols[2] = 0x6463;
  table.lengths[2] = 2;
  // "ab" and "cd", or "abc" and an escaped "d"; then "abc" alone.
  EXPECT_EQ(encode(table, std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'a', 'b', 'c'}),
            (std::vector<std::uint8_t>{0, 2, 1}));
}

TEST(OptimalEncoder, RefusesTooSmallAnOutput) {
  const std::vector<std::uint8_t> input(10);
  std::vector<std::uint8_t> output(19);
  EXPECT_THROW(OptimalEncoder({}).encode(input, output), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::reference
