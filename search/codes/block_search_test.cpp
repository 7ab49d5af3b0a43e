#include "search/codes/block_search.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <random>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/block_decoder.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/tiles_block_test.hpp"
#include "search/codes/find_in_text_test.hpp"
#include "search/codes/searched_tables.hpp"
#include "stages/suite/test_sample.hpp"

// Blocks, searched on their codes by every instruction set of this processor, against decoding and comparing.
namespace gsst::search::codes {
namespace {

using format::TilesHeader;
using reference::test::all_tile_codes;
using reference::test::TileCodes;
using test::find_in_text;
using test::Positions;
using test::Text;

constexpr std::uint64_t searched_block = 7;

// Symbols of few bytes: parts of a pattern are everywhere, and matches overlap.
format::TileTable make_table(const TileCodes& codes, std::span<const std::uint8_t> alphabet,
                             std::mt19937_64& random) {
  format::TileTable table = format::make_literal_tile_table(codes.code_bits, codes.escape_free);
  const std::uint32_t fixed = format::literal_class_count(codes.code_bits, codes.escape_free);
  const std::uint32_t class_codes = (1u << codes.code_bits) / format::length_class_count;
  for (std::uint32_t i = fixed; i < format::length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(random() % 9);
  }
  for (std::uint32_t code = fixed * class_codes; code < table.symbols.size(); ++code) {
    table.symbols[code] = 0;
    for (unsigned byte = 0; byte < table.length(code); ++byte) {
      table.symbols[code] |= std::uint64_t{alphabet[random() % alphabet.size()]} << (8 * byte);
    }
  }
  return table;
}

// Halves as a writer has them, or anywhere.
enum class HalvesOrder { as_written, any };

std::vector<std::uint16_t> make_codes(const TileCodes& kind, std::size_t count,
                                      std::span<const std::uint8_t> alphabet, HalvesOrder order,
                                      std::mt19937_64& random) {
  std::vector<std::uint16_t> codes;
  while (codes.size() < count) {
    const auto code = static_cast<std::uint16_t>(random() % (1u << kind.code_bits));
    if (kind.escape_free || order == HalvesOrder::any) {
      codes.push_back(code);
    } else if (random() % 4 == 0) {
      const std::uint8_t byte = alphabet[random() % alphabet.size()];
      codes.push_back(byte >> 4);
      codes.push_back(static_cast<std::uint16_t>(16 + (byte & 15)));
    } else {
      codes.push_back(code < 32 ? code + 32 : code);
    }
  }
  codes.resize(count);
  return codes;
}

// A block of these codes, whose strips have the bytes that their codes decode to.
Text make_block(const TileCodes& kind, std::uint32_t codes_per_lane, std::uint32_t tiles_per_strip,
                const format::TileTable& table, std::span<const std::uint16_t> codes) {
  return reference::test::tiles_block_of({.code_bits = kind.code_bits, .codes_per_lane = codes_per_lane},
                                         tiles_per_strip, table, codes);
}

// A part of `text`, as it is or with a byte changed.
Text make_pattern(const Text& text, std::size_t most_bytes, std::mt19937_64& random) {
  const std::size_t size = 1 + random() % std::min(most_bytes, text.size());
  const std::size_t begin = random() % (text.size() - size + 1);
  Text pattern(text.begin() + static_cast<std::ptrdiff_t>(begin),
               text.begin() + static_cast<std::ptrdiff_t>(begin + size));
  if (random() % 3 == 0) pattern[random() % size] = text[random() % text.size()];
  return pattern;
}

class CodeSearchTest : public testing::TestWithParam<WalkInstructions> {
protected:
  // The block is in memory of exactly its bytes, which AddressSanitizer watches.
  Positions search(const Text& block, const Literal& literal, std::span<const std::uint8_t> sample) const {
    const auto exact = std::make_unique_for_overwrite<std::uint8_t[]>(block.size());
    std::ranges::copy(block, exact.get());
    const TilesHeader header(exact.get());
    const LiteralPlan plan(literal, sample);
    const std::shared_ptr<const SearchedTable> table = SearchedTables(plan).table_of(header);
    Positions found;
    const bool is_searched = find_in_block(
        plan,
        {.block = header, .table = *table->codes, .shifts = *table->shifts, .block_number = searched_block},
        any_number_of_pieces, [&](std::uint64_t position) { found.push_back(position); }, GetParam());
    EXPECT_TRUE(is_searched);
    return found;
  }

  void expect_as_decoded(const Text& block, const Text& text, const Text& pattern, bool ignore_case) const {
    const Literal literal(pattern, ignore_case);
    const Text sample(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.size() / 3));
    ASSERT_EQ(search(block, literal, sample), find_in_text(text, pattern, ignore_case))
        << "pattern of " << pattern.size() << " bytes" << (ignore_case ? ", any case" : "");
  }
};

INSTANTIATE_TEST_SUITE_P(WalkInstructionSets, CodeSearchTest,
                         testing::ValuesIn(walk_instructions().begin(), walk_instructions().end()),
                         [](const testing::TestParamInfo<WalkInstructions>& set) {
                           return std::string(set.param.name);
                         });

Text decode(const Text& block) {
  const TilesHeader header(block.data());
  Text text(header.uncompressed_bytes());
  reference::decode_tiles(header, text, searched_block);
  return text;
}

// Every shape, with numbers of codes around the borders of pieces, tiles and strips.
TEST_P(CodeSearchTest, FindsWhatIsInTheText) {
  const std::array<Text, 3> alphabets = {Text{'a', 'b'}, Text{'a', 'A', 'b', 'B', 'c', '@', '`', ' '},
                                         Text{0x00, 0xff, 0x0f, 0xf0}};
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::uint64_t seed = 0;
  for (const TileCodes& kind : all_tile_codes) {
    for (const std::uint32_t codes_per_lane : format::tile_codes_per_lane) {
      const std::uint32_t tile = 32 * codes_per_lane;
      for (const std::uint32_t count : {1u, 31u, 32u, 33u, tile - 1, tile, 2 * tile + 65, 7 * tile - 31}) {
        for (const Text& alphabet : alphabets) {
          if (!sample.has(++seed)) continue;
          SCOPED_TRACE(describe(kind, codes_per_lane) + ", " + std::to_string(count) + " codes, seed " +
                       std::to_string(seed));
          std::mt19937_64 random(seed);
          const format::TileTable table = make_table(kind, alphabet, random);
          const HalvesOrder order = random() % 3 == 0 ? HalvesOrder::any : HalvesOrder::as_written;
          const auto tiles_per_strip = static_cast<std::uint32_t>(1 + random() % 2);
          const Text block = make_block(kind, codes_per_lane, tiles_per_strip, table,
                                        make_codes(kind, count, alphabet, order, random));
          const Text text = decode(block);
          if (text.empty()) continue;
          for (unsigned i = 0; i < 12; ++i) {
            const Text pattern = make_pattern(text, i < 8 ? 24 : 300, random);
            ASSERT_NO_FATAL_FAILURE(expect_as_decoded(block, text, pattern, random() % 2 == 0));
          }
        }
      }
    }
  }
}

// Encoded text, whose symbols are those of a writer.
TEST_P(CodeSearchTest, FindsPartsOfEncodedText) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  std::size_t choice = 0;
  const Text text = reference::test::make_text(60000, 5);
  const std::set<std::uint8_t> bytes(text.begin(), text.end());
  const Text alphabet(bytes.begin(), bytes.end());
  std::mt19937_64 random(11);
  for (const TileCodes& kind : all_tile_codes) {
    format::TileTable table = make_table(kind, alphabet, random);
    if (kind.code_bits == 8 && kind.escape_free) {
      // A class for single bytes.
      table.class_lengths.fill(1);
      for (std::size_t code = 0; code < table.symbols.size(); ++code) {
        table.symbols[code] = alphabet[code % alphabet.size()];
      }
    }
    for (const std::uint32_t strip_codes : reference::tile_strip_codes) {
      if (!sample.has(choice++)) continue;
      const Text block =
          reference::encode_tiles(table, text, {.codes_per_lane = 16, .strip_codes = strip_codes});
      SCOPED_TRACE(describe(kind, 16) + ", strips of " + std::to_string(strip_codes));
      for (unsigned i = 0; i < 60; ++i) {
        const Text pattern = make_pattern(text, i % 7 == 0 ? 4096 : 30, random);
        ASSERT_NO_FATAL_FAILURE(expect_as_decoded(block, text, pattern, i % 4 == 0));
      }
    }
  }
}

// Blocks with bytes changed anywhere: what is decoded without error is searched right or refused for codes
// without output; the rest gives an error or positions inside of the text, and nothing outside of the block
// is read.
TEST_P(CodeSearchTest, DamagedBlocks) {
  const gsst::test::TestSample sample = gsst::test::test_sample();
  const Text alphabet = {'a', 'b'};
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    if (!sample.has(seed)) continue;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const TileCodes& kind = all_tile_codes[random() % all_tile_codes.size()];
    Text block = make_block(kind, 16, 1, make_table(kind, alphabet, random),
                            make_codes(kind, 1 + random() % 2000, alphabet, HalvesOrder::as_written, random));
    const std::uint32_t bytes = TilesHeader(block.data()).uncompressed_bytes();
    const std::size_t codes_end = block.size() - block.size() / 3;
    for (unsigned i = 0; i < 3; ++i) block[random() % codes_end] = static_cast<std::uint8_t>(random());
    if (random() % 2 == 0) block[random() % block.size()] = static_cast<std::uint8_t>(random());
    if (random() % 5 == 0) block[random() % 48] = static_cast<std::uint8_t>(random());
    const Text pattern = make_pattern(Text{'a', 'a', 'b', 'a', 'b', 'b', 'a', 'a', 'a', 'b'}, 10, random);
    try {
      format::check_tiles_block(block, bytes, searched_block);
    } catch (const format::FormatError&) {
      continue;
    }
    if (TilesHeader(block.data()).dictionary_id() != 0) continue;
    Text text;
    try {
      text = decode(block);
    } catch (const format::FormatError&) {
    }
    try {
      const Positions found = search(block, Literal(pattern), {});
      for (const std::uint64_t position : found) ASSERT_LE(position + pattern.size(), bytes);
      if (!text.empty()) {
        ASSERT_EQ(found, find_in_text(text, pattern, false));
      }
    } catch (const format::FormatError& error) {
      ASSERT_EQ(error.block(), searched_block);
      ASSERT_TRUE(text.empty() || std::string(error.what()).find("are not searched") != std::string::npos)
          << error.what();
    }
  }
}

TEST(CodeSearch, RefusesManyCodesWithoutOutput) {
  const TileCodes kind{8, false};
  format::TileTable table = format::make_literal_tile_table(8, false);
  std::vector<std::uint16_t> codes(200, 3);
  // As many bytes as a strip of so many codes has at least.
  for (std::size_t i = 0; i < 200; ++i) codes.push_back(16);
  const Text block = make_block(kind, 16, 1, table, codes);
  ASSERT_NO_THROW(format::check_tiles_block(block, TilesHeader(block.data()).uncompressed_bytes(), 0));
  const TilesHeader header(block.data());
  const LiteralPlan plan(Literal(Text{0x30}));
  const auto searched = SearchedTables(plan).table_of(header);
  try {
    find_in_block(plan,
                  {.block = header,
                   .table = *searched->codes,
                   .shifts = *searched->shifts,
                   .block_number = searched_block},
                  any_number_of_pieces, [](std::uint64_t) {});
    FAIL() << "searched";
  } catch (const format::FormatError& error) {
    EXPECT_STREQ(error.what(),
                 "block 7: codes of strip 0: are not searched: more than 64 codes in a row put nothing out");
  }
}

TEST(CodeSearch, StopsWhereManyPiecesMayHaveTheLiteral) {
  const TileCodes kind{10, true};
  constexpr std::uint64_t pieces = 128;
  const format::TileTable table = format::make_literal_tile_table(10, true);
  for (const PieceLimit& limit : {PieceLimit{16, 4}, PieceLimit{16, 100}, PieceLimit{0, 2}}) {
    const std::uint64_t most = limit.least + pieces / limit.pieces_for_each;
    for (const std::uint64_t matches : {most, most + 1}) {
      SCOPED_TRACE(std::to_string(matches) + " matches");
      std::vector<std::uint16_t> codes(pieces * piece_codes, 'a');
      for (std::uint64_t i = 1; i <= matches; ++i) codes[codes.size() - i * piece_codes] = 'b';
      const Text block = make_block(kind, 16, 1, table, codes);
      const TilesHeader header(block.data());
      const LiteralPlan plan(Literal(Text{'b'}));
      const auto searched = SearchedTables(plan).table_of(header);
      const SearchedCodes searched_codes = {.block = header,
                                            .table = *searched->codes,
                                            .shifts = *searched->shifts,
                                            .block_number = searched_block};
      std::uint64_t found = 0;
      const bool is_searched = find_in_block(plan, searched_codes, limit, [&](std::uint64_t) { ++found; });
      const auto found_pieces = find_pieces(plan, searched_codes, limit);
      EXPECT_EQ(is_searched, matches == most);
      EXPECT_EQ(found, matches == most ? most : 0);
      EXPECT_EQ(found_pieces.has_value(), matches == most);
      if (found_pieces) {
        EXPECT_EQ(found_pieces->size(), most);
      }
    }
  }
}

TEST(CodeSearch, RefusesAnEmptyLiteral) {
  EXPECT_THROW(Literal(Text{}), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::search::codes
