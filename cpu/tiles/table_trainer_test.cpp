#include "cpu/tiles/table_trainer.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "cpu/tiles/match_index.hpp"
#include "cpu/tiles/match_index_builder.hpp"
#include "reference_cpu/dbtext_test.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/tile_codec.hpp"
#include "reference_cpu/train_tiles.hpp"

namespace gsst::cpu::tiles {
namespace {

using format::TileTable;
using reference::test::NamedInput;

TEST(TableTrainer, EveryInstructionSetGivesTheSameTable) {
  for (const NamedInput& input : reference::test::awkward_inputs()) {
    for (const std::uint32_t code_bits : format::tile_code_bits) {
      const TileTable expected = train_table(input.bytes, code_bits, instruction_sets().front());
      for (const InstructionSet& instructions : instruction_sets()) {
        ASSERT_EQ(train_table(input.bytes, code_bits, instructions), expected)
            << input.name << ", " << code_bits << " bits, " << instructions.name;
      }
    }
  }
}

// The parse finds every symbol of 3 and more bytes.
TEST(TableTrainer, NoMoreSymbolsOfASlotThanTheParseKnows) {
  const auto text = reference::test::make_text(1 << 20, 1);
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    const TileTable table = train_table(text, code_bits);
    std::map<std::uint32_t, std::set<std::pair<unsigned, std::uint64_t>>> slots;
    for (std::uint32_t code = code_bits == 8 ? 32 : 256; code < table.symbols.size(); ++code) {
      if (table.length(code) < 3) continue;
      slots[match_slot(table.symbols[code])].emplace(table.length(code), table.symbols[code]);
    }
    EXPECT_GT(slots.size(), 20u) << code_bits << " bits";
    for (const auto& [slot, symbols] : slots) {
      EXPECT_LE(symbols.size(), match_ways(code_bits)) << code_bits << " bits, slot " << slot;
    }
  }
}

TEST(TableTrainer, NothingToLearn) {
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    EXPECT_EQ(train_table({}, code_bits), format::make_literal_tile_table(code_bits, code_bits != 8));
  }
  // The few symbols of a short input cost more than they save.
  const std::vector<std::uint8_t> three = {'a', 'b', 'c'};
  EXPECT_EQ(train_table(three, 12), format::make_literal_tile_table(12, true));
}

// Text that repeats takes long symbols.
TEST(TableTrainer, FindsWhatRepeats) {
  const std::string words = "abcdefgh12345678";
  std::vector<std::uint8_t> input;
  for (std::size_t i = 0; i < 10'000; ++i) input.insert(input.end(), words.begin(), words.end());
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    const TileTable table = train_table(input, code_bits);
    const auto block = reference::encode_tiles(table, input);
    EXPECT_LT(format::TilesHeader(block.data()).code_count(), input.size() / 7) << code_bits << " bits";
  }
}

// How much larger a block is with the first level's table of reference_cpu.
double gain_over_reference(std::span<const std::uint8_t> input) {
  const auto size = [&](const TileTable& table) {
    return static_cast<double>(reference::encode_tiles(table, input).size());
  };
  return size(reference::train_tile_table(input, 8, 1, reference::Parse::greedy)) /
         size(train_table(input, 8));
}

TEST(TableTrainer, AsGoodAsTheFirstLevelOfTheReference) {
  EXPECT_GT(gain_over_reference(reference::test::make_text(300'000, 1)), 0.97);
  const auto columns = reference::test::dbtext_columns();
  if (columns.empty()) GTEST_SKIP() << reference::test::dbtext_is_missing;
  double logarithms = 0;
  for (const auto& [name, path] : columns) {
    const double gain = gain_over_reference(reference::test::read_file(path));
    EXPECT_GT(gain, 0.97) << name;
    logarithms += std::log(gain);
  }
  EXPECT_GT(logarithms, 0.0) << "larger in the geometric mean";
}

TEST(TableTrainer, RefusesAnotherWidth) {
  EXPECT_THROW(train_table({}, 9), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::cpu::tiles
