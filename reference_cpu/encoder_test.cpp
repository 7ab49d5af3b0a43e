#include "reference_cpu/encoder.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "reference_cpu/decoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {
namespace {

class EncoderTest : public testing::TestWithParam<test::NamedInput> {};

INSTANTIATE_TEST_SUITE_P(AwkwardInputs, EncoderTest, testing::ValuesIn(test::awkward_inputs()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(EncoderTest, RoundTripsWithItsOwnTable) {
  const std::vector<std::uint8_t>& input = GetParam().bytes;
  const format::SymbolTable table = train_symbol_table(input);
  const Encoder encoder(table);
  std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
  codes.resize(encoder.encode(input, codes));
  std::vector<std::uint8_t> output(input.size());
  EXPECT_EQ(decode(table, codes, output), DecodeProblem::none);
  EXPECT_EQ(output, input);
  output.assign(input.size(), 0);
  EXPECT_EQ(decode_fast(table, codes, output), DecodeProblem::none);
  EXPECT_EQ(output, input);
}

// Tables that were not trained for the input: many escapes, symbols that share a place, none at all.
TEST_P(EncoderTest, RoundTripsWithForeignTablesAndFastIsTheSame) {
  const std::vector<std::uint8_t>& input = GetParam().bytes;
  std::vector<format::SymbolTable> tables = {
      {}, train_symbol_table(input), train_symbol_table(test::make_text(50000, 9))};
  for (const unsigned symbol_count : {1u, 128u, 255u})
    tables.push_back(test::make_random_table(symbol_count, 77));
  for (const format::SymbolTable& table : tables) {
    const Encoder encoder(table);
    std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
    codes.resize(encoder.encode(input, codes));
    std::vector<std::uint8_t> fast_codes(Encoder::max_encoded_bytes(input.size()));
    fast_codes.resize(encoder.encode_fast(input, fast_codes));
    EXPECT_EQ(fast_codes, codes);
    std::vector<std::uint8_t> output(input.size());
    EXPECT_EQ(decode(table, codes, output), DecodeProblem::none);
    EXPECT_EQ(output, input);
  }
}

TEST(Encoder, FastIsTheSameOnManyMixedInputs) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const std::vector<std::uint8_t> input = test::make_mixed(4096 + seed * 211, seed);
    const Encoder encoder(train_symbol_table(input, seed));
    std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
    codes.resize(encoder.encode(input, codes));
    std::vector<std::uint8_t> fast_codes(Encoder::max_encoded_bytes(input.size()));
    fast_codes.resize(encoder.encode_fast(input, fast_codes));
    ASSERT_EQ(fast_codes, codes);
  }
}

TEST(Encoder, TakesTheLongestSymbol) {
  format::SymbolTable table;
  table.symbol_count = 3;
  table.symbols = {0x6261, 0x64636261, 0x61};
  table.lengths = {2, 4, 1};
  const std::vector<std::uint8_t> input = {'a', 'b', 'c', 'd', 'a', 'b', 'c', 'a', 'a', 'b'};
  std::vector<std::uint8_t> codes(20);
  codes.resize(Encoder(table).encode(input, codes));
  EXPECT_EQ(codes, (std::vector<std::uint8_t>{1, 0, 255, 'c', 2, 0}));
}

TEST(Encoder, RefusesTooSmallAnOutput) {
  const std::vector<std::uint8_t> input(10);
  std::vector<std::uint8_t> output(19);
  EXPECT_THROW(Encoder({}).encode(input, output), std::invalid_argument);
  EXPECT_THROW(Encoder({}).encode_fast(input, output), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::reference
