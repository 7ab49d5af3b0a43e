#include "reference_cpu/block_codec.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/block.hpp"
#include "reference_cpu/sampled_inputs_test.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;

std::vector<std::uint8_t> round_trip(BlockFormat block_format, const format::SymbolTable& table,
                                     const std::vector<std::uint8_t>& input, std::uint32_t split_count) {
  const format::BuiltBlock built = encode_block(block_format, table, input, split_count, 1);
  EXPECT_EQ(encode_block(block_format, table, input, split_count, 2).bytes, built.bytes);
  const format::BlockView view =
      format::parse_block(built.bytes,
                          {.format = block_format,
                           .layout = built.layout,
                           .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                           .split_count = split_count},
                          0);
  std::vector<std::uint8_t> output(input.size(), 0xcd);
  decode_block(view, output, 0, 1);
  std::vector<std::uint8_t> parallel_output(input.size(), 0xcd);
  decode_block(view, parallel_output, 0, 2);
  EXPECT_EQ(parallel_output, output);
  return output;
}

class BlockCodecTest : public testing::TestWithParam<test::NamedInput> {};

INSTANTIATE_TEST_SUITE_P(AwkwardInputs, BlockCodecTest, testing::ValuesIn(test::sampled_awkward_inputs()),
                         [](const auto& parameter) { return parameter.param.name; });

TEST_P(BlockCodecTest, RoundTripsInEachFormat) {
  const std::vector<std::uint8_t>& input = GetParam().bytes;
  if (input.empty()) {
    EXPECT_THROW(encode_block(BlockFormat::blocks, {}, input, 1), std::invalid_argument);
    return;
  }
  const format::SymbolTable table = train_symbol_table(input);
  EXPECT_EQ(round_trip(BlockFormat::blocks, table, input, 1), input);
  EXPECT_EQ(round_trip(BlockFormat::tiles, table, input, 1), input);
  for (const std::uint32_t split_count : {1u, 2u, 3u, 32u, 255u, 256u, 1000u}) {
    SCOPED_TRACE(split_count);
    EXPECT_EQ(round_trip(BlockFormat::splits, table, input, split_count), input);
    EXPECT_EQ(round_trip(BlockFormat::coalesced, table, input, split_count), input);
    EXPECT_EQ(round_trip(BlockFormat::coalesced, {}, input, split_count), input);
  }
}

// A literal 0xFF is stored as 255 255, and either half can be the last code of a split: both parities of the
// borders occur, with escapes only and with symbols around the run.
TEST(CoalescedBlock, RoundTripsRunsOf0xffOfManyLengths) {
  format::SymbolTable letters;
  letters.symbol_count = 2;
  letters.symbols = {0x6261, 0x61};
  letters.lengths = {2, 1};
  format::SymbolTable pairs_of_ff = letters;
  pairs_of_ff.symbols[0] = 0xffff;
  for (std::size_t length = 1; length <= 600; length += length < 70 ? 1 : 7) {
    for (const std::size_t before : {0, 1, 2}) {
      std::vector<std::uint8_t> input(before, 'a');
      input.insert(input.end(), length, 0xff);
      input.push_back('a');
      input.push_back('b');
      for (const std::uint32_t split_count : {2u, 3u, 32u, 255u, 256u}) {
        for (const format::SymbolTable& table : {letters, pairs_of_ff, format::SymbolTable{}}) {
          const format::BuiltBlock built = encode_block(BlockFormat::coalesced, table, input, split_count);
          const format::BlockView view =
              format::parse_block(built.bytes,
                                  {.format = BlockFormat::coalesced,
                                   .layout = built.layout,
                                   .uncompressed_bytes = static_cast<std::uint32_t>(input.size()),
                                   .split_count = split_count},
                                  0);
          std::vector<std::uint8_t> output(input.size(), 0xcd);
          decode_block(view, output, 0);
          ASSERT_EQ(output, input) << "run of " << length << ", " << split_count << " splits";
        }
      }
    }
  }
}

TEST(BlockCodec, NamesBlockAndSplitOfWrongCodes) {
  const std::vector<std::uint8_t> input(1000, 'a');
  format::SymbolTable table;
  table.symbol_count = 1;
  table.symbols = {0x61};
  table.lengths = {1};
  format::BuiltBlock built = encode_block(BlockFormat::splits, table, input, 4);
  built.bytes[built.bytes.size() - 300] = 7;
  const format::BlockView view = format::parse_block(
      built.bytes,
      {.format = BlockFormat::splits, .layout = built.layout, .uncompressed_bytes = 1000, .split_count = 4},
      12);
  std::vector<std::uint8_t> output(1000);
  try {
    decode_block(view, output, 12, 2);
    FAIL() << "no error";
  } catch (const format::FormatError& error) {
    EXPECT_EQ(error.block(), 12u);
    EXPECT_EQ(error.field(), "codes of split 2");
    EXPECT_STREQ(error.what(), "block 12: codes of split 2: a code has no symbol in the table");
  }
}

TEST(BlockCodec, RefusesWrongArguments) {
  const std::vector<std::uint8_t> input(10, 'a');
  EXPECT_THROW(encode_block(BlockFormat::fsst, {}, input, 1), std::invalid_argument);
  EXPECT_THROW(encode_block(BlockFormat::splits, {}, input, 0), std::invalid_argument);
  EXPECT_THROW(encode_block(BlockFormat::splits, {}, input, format::max_split_count + 1),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::reference
