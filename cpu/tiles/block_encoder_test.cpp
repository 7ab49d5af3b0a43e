#include "cpu/tiles/block_encoder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "common/format/gsst/tiles.hpp"
#include "cpu/tiles/instruction_set_test.hpp"
#include "cpu/tiles/match_index_builder.hpp"
#include "cpu/tiles/table_trainer.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"

// Every instruction set of this processor, decoded by reference_cpu.
namespace gsst::cpu::tiles {
namespace {

using format::TilesHeader;
using format::TileTable;
using reference::test::NamedInput;

constexpr std::uint64_t encoder_seed = 1;

class TilesEncoderTest : public InstructionSetTest {
protected:
  // The block of `input`, which decodes to it and is the one that plain C++ makes.
  std::vector<std::uint8_t> encode(const TileTable& table, std::span<const std::uint8_t> input,
                                   const BlockShape& shape) {
    // Of exactly the input's bytes: AddressSanitizer watches what is read past the end.
    const auto exact = std::make_unique_for_overwrite<std::uint8_t[]>(input.size());
    std::ranges::copy(input, exact.get());
    std::vector<std::uint8_t> block;
    BlockEncoder(table, instructions()).encode({exact.get(), input.size()}, shape, memory_, block);
    expect_decodes(block, input);
    std::vector<std::uint8_t> portable;
    EncoderMemory fresh;
    BlockEncoder(table, instruction_sets().front()).encode(input, shape, fresh, portable);
    EXPECT_TRUE(block == portable) << "the block depends on the instruction set";
    return block;
  }

private:
  static void expect_decodes(const std::vector<std::uint8_t>& block, std::span<const std::uint8_t> input) {
    ASSERT_NO_THROW(format::check_tiles_block(block, static_cast<std::uint32_t>(input.size()), std::nullopt));
    std::vector<std::uint8_t> output(input.size());
    ASSERT_NO_THROW(reference::decode_tiles(TilesHeader(block.data()), output, std::nullopt));
    ASSERT_TRUE(std::ranges::equal(output, input)) << "other bytes";
  }

  // Used again for every input, as an encoder of frames does.
  EncoderMemory memory_;
};

INSTANTIATE_TEST_SUITE_P(InstructionSets, TilesEncoderTest, testing::Values("portable", "avx2", "avx512"),
                         [](const testing::TestParamInfo<const char*>& set) { return set.param; });

std::string describe(std::uint32_t code_bits, const BlockShape& shape, std::size_t bytes) {
  return std::to_string(code_bits) + " bits, " + std::to_string(shape.codes_per_lane) +
         " codes a lane, strips of " + std::to_string(shape.tiles_per_strip) + " tiles, " +
         std::to_string(bytes) + " bytes";
}

// Lengths around those of words, of what is parsed alternately, of segments, and of tiles and strips of
// literal bytes.
constexpr std::array<std::size_t, 31> border_lengths = {
    1,    2,    3,    7,    8,    9,    63,   64,   65,   255,   256,   257,   511,   512,    513,   768,
    1023, 1024, 1025, 2047, 2048, 2049, 8191, 8192, 8193, 16385, 65535, 65537, 70001, 131071, 131073};

TEST_P(TilesEncoderTest, EveryShapeAtEveryBorder) {
  const auto mixed = reference::test::make_mixed(border_lengths.back(), encoder_seed);
  const auto text = reference::test::make_text(border_lengths.back(), encoder_seed);
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    const TileTable table = train_table(text, code_bits);
    for (const std::uint32_t lane : format::tile_codes_per_lane) {
      for (const std::uint32_t tiles_per_strip : {1u, 2u, 5u}) {
        const BlockShape shape{.codes_per_lane = lane, .tiles_per_strip = tiles_per_strip};
        for (const std::size_t length : border_lengths) {
          SCOPED_TRACE(describe(code_bits, shape, length));
          encode(table, std::span(mixed).first(length), shape);
          encode(table, std::span(text).first(length), shape);
          ASSERT_FALSE(HasFailure());
        }
      }
    }
  }
}

TEST_P(TilesEncoderTest, AwkwardInputs) {
  for (const NamedInput& input : reference::test::awkward_inputs()) {
    if (input.bytes.empty()) continue;
    for (const std::uint32_t code_bits : format::tile_code_bits) {
      SCOPED_TRACE(input.name + ", " + std::to_string(code_bits) + " bits");
      encode(train_table(input.bytes, code_bits), input.bytes, {});
      ASSERT_FALSE(HasFailure());
    }
  }
}

// Every length of an input that is one segment: the parse is the oracle's, and so is the block.
TEST_P(TilesEncoderTest, OneSegmentAsTheOracle) {
  const auto text = reference::test::make_text(20'000, encoder_seed);
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    const TileTable table = train_table(text, code_bits);
    for (std::size_t length = 1; length <= 1024; ++length) {
      SCOPED_TRACE(describe(code_bits, {}, length));
      const auto input = std::span(text).subspan(length * 7, length);
      ASSERT_TRUE(encode(table, input, {}) == reference::encode_tiles(table, input));
    }
  }
}

// Symbols of few different bytes in classes of random lengths, unused ones and equal symbols among them: more
// start with the same three bytes than the parse knows.
TileTable random_table(std::uint32_t code_bits, std::mt19937_64& random) {
  TileTable table = format::make_literal_tile_table(code_bits, code_bits != 8);
  const std::uint32_t fixed = format::literal_class_count(code_bits, table.escape_free);
  const std::uint32_t class_codes = (1u << code_bits) / format::length_class_count;
  for (std::uint32_t i = fixed; i < format::length_class_count; ++i) {
    table.class_lengths[i] = static_cast<std::uint8_t>(random() % 9);
  }
  for (std::uint32_t code = fixed * class_codes; code < table.symbols.size(); ++code) {
    for (unsigned byte = 0; byte < table.length(code); ++byte) {
      table.symbols[code] |= (random() % 3 == 0 ? random() % 256 : random() % 3) << (8 * byte);
    }
  }
  return table;
}

TEST_P(TilesEncoderTest, TablesThatNoTrainingGives) {
  for (std::uint64_t seed = encoder_seed; seed < encoder_seed + 300; ++seed) {
    std::mt19937_64 random(seed);
    const std::uint32_t code_bits = format::tile_code_bits[seed % 3];
    const TileTable table = random_table(code_bits, random);
    std::vector<std::uint8_t> input;
    const std::size_t length = 1 + random() % 20'000;
    while (input.size() < length) {
      const std::size_t code = random() % table.symbols.size();
      for (unsigned byte = 0; byte < std::max(1u, table.length(static_cast<std::uint32_t>(code))); ++byte) {
        input.push_back(static_cast<std::uint8_t>(table.symbols[code] >> (8 * byte)));
      }
      if (random() % 8 == 0) input.push_back(static_cast<std::uint8_t>(random()));
    }
    const BlockShape shape{.codes_per_lane = format::tile_codes_per_lane[random() % 3],
                           .tiles_per_strip = static_cast<std::uint32_t>(1 + random() % 4)};
    SCOPED_TRACE("seed " + std::to_string(seed) + ", " + describe(code_bits, shape, input.size()));
    encode(table, input, shape);
    ASSERT_FALSE(HasFailure());
  }
}

// Literal bytes at every place of a strip: their halves are in the same one.
TEST_P(TilesEncoderTest, HalvesAtTheEndsOfStrips) {
  TileTable table = format::make_literal_tile_table(8, false);
  table.class_lengths[2] = 1;
  std::fill_n(table.symbols.begin() + 32, 16, 'a');
  for (std::size_t whole = 510; whole <= 514; ++whole) {
    std::vector<std::uint8_t> input(whole, 'a');
    input.insert(input.end(), 3000, 0xf7);
    const BlockShape shape{.codes_per_lane = 16, .tiles_per_strip = 1};
    SCOPED_TRACE(whole);
    const auto block = encode(table, input, shape);
    ASSERT_FALSE(HasFailure());
    // An odd number of codes before the halves takes one more in each strip.
    const std::size_t most = whole + 6000 + 6000 / 511 + 1;
    EXPECT_LE(TilesHeader(block.data()).code_count(), most);
    EXPECT_GE(TilesHeader(block.data()).code_count(), whole + 6000);
  }
}

TEST(TilesEncoder, RefusesTablesThatLackBytes) {
  const TileTable table = format::make_literal_tile_table(8, true);
  EXPECT_THROW(BlockEncoder{table}, std::invalid_argument);
}

TEST(MatchIndex, KnowsAsManySymbolsOfASlotAsItHasWays) {
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    TileTable table = format::make_literal_tile_table(code_bits, code_bits != 8);
    const std::size_t class_codes = table.symbols.size() / format::length_class_count;
    // Classes of 3 to 8 bytes, in each of which the first symbol starts with the same three.
    for (std::size_t length = 3; length <= 8; ++length) {
      const std::size_t number = length + 5;
      table.class_lengths[number] = static_cast<std::uint8_t>(length);
      std::fill_n(table.symbols.begin() + static_cast<std::ptrdiff_t>(number * class_codes), class_codes,
                  std::uint64_t{0x6161616161616161} >> (64 - 8 * length));
    }
    const auto index = std::make_unique_for_overwrite<MatchIndex>();
    build_match_index(table, *index);
    EXPECT_EQ(index->ways, match_ways(code_bits));
    const MatchCandidate* const slot = index->candidates + std::size_t{match_slot(0x616161)} * index->ways;
    // The longest are the last, and the shorter ones are left out.
    for (unsigned way = 0; way < index->ways; ++way) {
      EXPECT_EQ(step_input_bytes(slot[way].step), 8 - (index->ways - 1 - way)) << code_bits << " bits";
    }
  }
}

}  // namespace
}  // namespace gsst::cpu::tiles
