#include "reference_cpu/level.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/decoder.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/sampled_inputs_test.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

using format::BlockFormat;

struct Encoded {
  format::SymbolTable table;
  std::vector<std::uint8_t> codes;

  std::size_t bytes() const { return format::stored_symbol_table_bytes(table) + codes.size(); }
};

Encoded encode_at_level(std::span<const std::uint8_t> input, unsigned level) {
  Encoded encoded{.table = train_for_level(input, level),
                  .codes = std::vector<std::uint8_t>(Encoder::max_encoded_bytes(input.size()))};
  encoded.codes.resize(TableEncoder(encoded.table, level_parse(level)).encode(input, encoded.codes));
  return encoded;
}

class LevelTest : public testing::TestWithParam<test::NamedInput> {};

INSTANTIATE_TEST_SUITE_P(AwkwardInputs, LevelTest, testing::ValuesIn(test::sampled_awkward_inputs()),
                         [](const auto& parameter) { return parameter.param.name; });

// The whole input is in the sample that dictionaries are compared on: no level can be worse than the one
// below.
TEST_P(LevelTest, RoundTripsAndIsNeverWorseThanTheLevelBelow) {
  // More only takes longer: this is more than one segment of a parse.
  const std::span<const std::uint8_t> input =
      std::span(GetParam().bytes).first(std::min<std::size_t>(GetParam().bytes.size(), 4100));
  std::size_t below = std::size_t{0} - 1;
  for (const unsigned level : {1u, 2u, 3u, 9u}) {
    SCOPED_TRACE("level " + std::to_string(level));
    const Encoded encoded = encode_at_level(input, level);
    EXPECT_LE(encoded.bytes(), below);
    below = encoded.bytes();
    std::vector<std::uint8_t> output(input.size());
    ASSERT_EQ(decode(encoded.table, encoded.codes, output), DecodeProblem::none);
    EXPECT_TRUE(std::equal(output.begin(), output.end(), input.begin()));
    output.assign(input.size(), 0);
    ASSERT_EQ(decode_fast(encoded.table, encoded.codes, output), DecodeProblem::none);
    EXPECT_TRUE(std::equal(output.begin(), output.end(), input.begin()));
    std::vector<std::uint8_t> stored(format::stored_symbol_table_bytes(encoded.table));
    format::write_symbol_table(encoded.table, stored);
    EXPECT_EQ(format::parse_symbol_table(stored, std::nullopt).table, encoded.table);
  }
}

TEST(Level, RoundTripsInEachFormatAtEachLevel) {
  const auto input = test::make_text(700, 21);
  for (unsigned level = min_level; level <= max_level; ++level) {
    SCOPED_TRACE("level " + std::to_string(level));
    for (const BlockFormat block_format :
         {BlockFormat::fsst, BlockFormat::blocks, BlockFormat::splits, BlockFormat::coalesced}) {
      const auto compressed = compress(
          input,
          {.format = block_format, .block_bytes = 500, .split_count = 7, .level = level, .threads = 1});
      EXPECT_EQ(
          block_format == BlockFormat::fsst ? decompress_fsst_file(compressed) : decompress_frame(compressed),
          input);
    }
  }
}

// Splits of a few bytes: a parse of the whole would say little of them.
TEST(Level, FilesOfManySplitsNeverGrowWithTheLevel) {
  const auto input = test::make_text(4000, 22);
  for (const std::uint32_t split_count : {2u, 128u, 1000u}) {
    std::size_t below = std::size_t{0} - 1;
    for (const unsigned level : {1u, 2u, 3u, 6u}) {
      const std::size_t bytes =
          compress(input, {.split_count = split_count, .level = level, .threads = 1}).size();
      EXPECT_LE(bytes, below) << split_count << " splits, level " << level;
      below = bytes;
    }
  }
}

TEST(Level, GivesTheSameBytesWithEveryThreadCount) {
  const auto input = test::make_mixed(20000, 21);
  for (const std::uint64_t block_bytes : {std::uint64_t{5000}, std::uint64_t{20000}}) {
    CompressOptions options{.block_bytes = block_bytes, .split_count = 32, .level = 3, .threads = 1};
    const auto expected = compress(input, options);
    for (const unsigned threads : {2u, 5u}) {
      options.threads = threads;
      EXPECT_EQ(compress(input, options), expected) << threads << " threads";
    }
  }
}

TEST(Level, OneIsTheTrainerOfTheThesis) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{500}, std::size_t{100000}}) {
    const auto input = test::make_text(bytes, 8);
    EXPECT_EQ(train_for_level(input, 1), train_symbol_table(input));
    EXPECT_EQ(train_for_level(input, 2), train_symbol_table(input));
  }
  EXPECT_EQ(level_parse(1), Parse::greedy);
  EXPECT_EQ(level_parse(2), Parse::optimal);
}

TEST(Level, TrainsForWiderCodesFromLevelThreeOn) {
  const auto input = test::make_text(100000, 8);
  EXPECT_THROW(train_dictionary_for_level(input, CodeWidth{12}, 2), std::invalid_argument);
  const Dictionary dictionary = train_dictionary_for_level(input, CodeWidth{12}, 3);
  EXPECT_EQ(dictionary.width.bits, 12u);
  EXPECT_FALSE(dictionary.symbols.empty());
}

TEST(Level, RefusesWhatIsNoLevel) {
  for (const unsigned level : {0u, 10u}) {
    EXPECT_THROW(level_parse(level), std::invalid_argument);
    EXPECT_THROW(level_sample_bytes(level), std::invalid_argument);
    EXPECT_THROW(train_for_level({}, level), std::invalid_argument);
    EXPECT_THROW(compress({}, {.level = level}), std::invalid_argument);
  }
}

// Bytes of the stored table and of the codes, with one table for the whole column: column -> one for each
// level.
std::map<std::string, std::vector<std::size_t>> committed_sizes_by_level() {
  std::ifstream file("reference_cpu/compressed_sizes_by_level.csv");
  EXPECT_TRUE(file) << "reference_cpu/compressed_sizes_by_level.csv is missing";
  std::map<std::string, std::vector<std::size_t>> sizes;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string column;
    std::getline(fields, column, ',');
    for (std::string field; std::getline(fields, field, ',');) sizes[column].push_back(std::stoull(field));
  }
  return sizes;
}

TEST(Level, CommittedSizesNeverGrowWithTheLevel) {
  const auto committed = committed_sizes_by_level();
  EXPECT_EQ(committed.size(), 21u);
  for (const auto& [column, sizes] : committed) {
    ASSERT_EQ(sizes.size(), max_level) << column;
    for (std::size_t i = 1; i < sizes.size(); ++i)
      EXPECT_LE(sizes[i], sizes[i - 1]) << column << " level " << i + 1;
  }
}

TEST(Level, ReachesTheCommittedSizesOfMadeUpText) {
  const auto text = test::make_text(1000000, 1);
  const auto sizes = committed_sizes_by_level().at("made_up_text");
  for (const unsigned level : {1u, 2u, 3u}) {
    EXPECT_EQ(encode_at_level(text, level).bytes(), sizes.at(level - 1)) << "level " << level;
  }
}

// The smaller columns; the smallest ones at the highest level.
TEST(Level, ReachesTheCommittedSizesOfDbtext) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sizes are the same with AddressSanitizer; the plain build compares them";
#endif
  const auto columns = test::dbtext_columns();
  if (columns.empty()) GTEST_SKIP() << test::dbtext_is_missing;
  const auto sizes_by_level = committed_sizes_by_level();
  for (const auto& [column, path] : columns) {
    const auto& sizes = sizes_by_level.at(column);
    const auto input = test::read_file(path);
    if (input.size() > 500000) continue;
    for (const unsigned level : {1u, 3u, 9u}) {
      if (level == 9 && input.size() > 134000) continue;
      EXPECT_EQ(encode_at_level(input, level).bytes(), sizes.at(level - 1)) << column << " level " << level;
    }
  }
}

}  // namespace
}  // namespace gsst::reference
