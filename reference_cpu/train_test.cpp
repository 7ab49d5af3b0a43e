#include "reference_cpu/train.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/encoder.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::reference {
namespace {

std::size_t code_bytes(std::span<const std::uint8_t> input) {
  const Encoder encoder(train_symbol_table(input));
  std::vector<std::uint8_t> codes(Encoder::max_encoded_bytes(input.size()));
  return encoder.encode_fast(input, codes);
}

// column -> (uncompressed bytes, code bytes with one table for the whole column)
std::map<std::string, std::pair<std::size_t, std::size_t>> committed_sizes() {
  std::ifstream file("reference_cpu/compressed_sizes.csv");
  EXPECT_TRUE(file) << "reference_cpu/compressed_sizes.csv is missing";
  std::map<std::string, std::pair<std::size_t, std::size_t>> sizes;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string name;
    std::string uncompressed;
    std::string codes;
    std::getline(fields, name, ',');
    std::getline(fields, uncompressed, ',');
    std::getline(fields, codes, ',');
    sizes[name] = {std::stoull(uncompressed), std::stoull(codes)};
  }
  return sizes;
}

TEST(Train, GivesAnEmptyTableForAnEmptyInput) {
  EXPECT_EQ(train_symbol_table({}).symbol_count, 0u);
}

TEST(Train, GivesTheSameTableAgainAndAnotherForAnotherSeed) {
  const auto input = test::make_mixed(200000, 4);
  EXPECT_EQ(train_symbol_table(input), train_symbol_table(input));
  EXPECT_NE(train_symbol_table(input), train_symbol_table(input, default_training_seed + 1));
}

// The table is a part of the format's promise to be the same on every machine.
TEST(Train, HasSymbolsInTheStoredOrderAndEachOnce) {
  for (const test::NamedInput& input : test::awkward_inputs()) {
    SCOPED_TRACE(input.name);
    const format::SymbolTable table = train_symbol_table(input.bytes);
    std::vector<std::uint8_t> stored(format::stored_symbol_table_bytes(table));
    format::write_symbol_table(table, stored);
    EXPECT_EQ(format::parse_symbol_table(stored, std::nullopt).table, table);
    std::set<std::pair<std::uint64_t, unsigned>> symbols;
    for (unsigned code = 0; code < table.symbol_count; ++code) {
      symbols.emplace(table.symbols[code], table.lengths[code]);
    }
    EXPECT_EQ(symbols.size(), table.symbol_count);
  }
}

TEST(Train, KeepsToItsLimits) {
  const auto text = test::make_text(100000, 6);
  const TableLimits limits = {.long_symbols = 10, .pair_rows = 5, .pairs_per_row = 2};
  const format::SymbolTable table = train_symbol_table(text, default_training_seed, limits);
  unsigned long_symbols = 0;
  std::map<std::uint64_t, unsigned> pairs_of_row;
  for (unsigned code = 0; code < table.symbol_count; ++code) {
    if (table.lengths[code] > 2) ++long_symbols;
    if (table.lengths[code] == 2) ++pairs_of_row[table.symbols[code] & 0xff];
  }
  EXPECT_LE(long_symbols, 10u);
  EXPECT_GT(long_symbols, 5u);
  EXPECT_LE(pairs_of_row.size(), 5u);
  EXPECT_GT(pairs_of_row.size(), 2u);
  for (const auto& [row, pairs] : pairs_of_row) EXPECT_LE(pairs, 2u) << row;
  EXPECT_NE(train_symbol_table(text), table);
  EXPECT_EQ(train_symbol_table(text, default_training_seed, TableLimits{}), train_symbol_table(text));
}

TEST(Train, ReachesTheCommittedSizeOnMadeUpText) {
  const auto sizes = committed_sizes();
  const auto text = test::make_text(1000000, 1);
  EXPECT_EQ(sizes.at("made_up_text"), std::make_pair(text.size(), code_bytes(text)));
}

// The folder of the cache may be empty, and holds tiled columns too.
TEST(DbtextColumns, AreThoseWhoseFilesAreThere) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "dbtext_columns_test";
  std::filesystem::remove_all(folder);
  EXPECT_TRUE(test::dbtext_columns_in(folder).empty());
  std::filesystem::create_directory(folder);
  EXPECT_TRUE(test::dbtext_columns_in(folder).empty());
  for (const char* const name : {"city", "city_tiled_to_1000_bytes"}) std::ofstream(folder / name) << name;
  const std::map<std::string, std::filesystem::path> only_city = {{"city", folder / "city"}};
  EXPECT_EQ(test::dbtext_columns_in(folder), only_city);
  std::filesystem::remove_all(folder);
}

TEST(Train, ReachesTheCommittedSizeOfEachColumn) {
  const auto columns = test::dbtext_columns();
  if (columns.empty()) GTEST_SKIP() << test::dbtext_is_missing;
  const auto sizes = committed_sizes();
  std::size_t number = 0;
  for (const auto& [column, path] : columns) {
    if (!gsst::test::test_sample().has(number++)) continue;
    const auto input = test::read_file(path);
    EXPECT_EQ(sizes.at(column), std::make_pair(input.size(), code_bytes(input))) << column;
  }
}

// FSST's own library, one table for the whole column, codes only.
TEST(Train, IsNotBehindTheLibraryOnDbtext) {
  const std::map<std::string, double> library_ratios = {
      {"genome", 2.872}, {"hex", 1.846},        {"l_comment", 2.733}, {"location", 2.701},  {"movies", 1.593},
      {"urls2", 2.010},  {"ps_comment", 3.357}, {"wiki", 1.576},      {"wikipedia", 1.813}, {"yago", 1.554}};
  const auto sizes = committed_sizes();
  double product = 1;
  for (const auto& [column, library_ratio] : library_ratios) {
    const auto [uncompressed, codes] = sizes.at(column);
    const double relative = static_cast<double>(uncompressed) / static_cast<double>(codes) / library_ratio;
    EXPECT_GT(relative, 0.985) << column;
    product *= relative;
  }
  EXPECT_GE(product, 1.0);
}

}  // namespace
}  // namespace gsst::reference
