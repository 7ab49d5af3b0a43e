#include "reference_cpu/tile_plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::reference {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes random_letters(std::size_t size, unsigned letters) {
  Bytes bytes = test::make_random(size, 8);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>('A' + byte % letters);
  return bytes;
}

TEST(TilePlan, TakesNarrowCodesWhereATableOfWideOnesWouldBeTooLarge) {
  EXPECT_EQ(plan_tiles(test::make_text(3000, 1), {.level = 3}).choice.code_bits, 8u);
  const TilePlan plan = plan_tiles(test::make_mixed(800000, 1), {.level = 3});
  EXPECT_GT(plan.choice.code_bits, 8u) << describe(plan.choice);
}

// One letter: every code has 8 bytes, and 32 or 16 of them a multiple of 128 bytes; 24 meet only half as
// often.
TEST(TilePlan, TakesALaneWhoseStoresDoNotMeet) {
  const TilePlan plan = plan_tiles(Bytes(100000, 'a'), {.code_bits = 8, .level = 3});
  EXPECT_EQ(plan.choice.codes_per_lane, 24u) << describe(plan.choice);
}

TEST(TilePlan, TakesTheLargestTilesWhereStoresDoNotMeet) {
  const Bytes input = test::make_text(20000, 3);
  for (const std::uint32_t bits : tile_code_bits) {
    EXPECT_EQ(plan_tiles(input, {.code_bits = bits, .level = 3}).choice.codes_per_lane, 32u) << bits;
  }
}

TEST(TilePlan, DoesWhatIsAskedFor) {
  const Bytes input = test::make_text(20000, 3);
  const TilePlan plan = plan_tiles(input, {.code_bits = 12, .codes_per_lane = 16, .level = 3});
  EXPECT_EQ(plan.table.code_bits, 12u);
  EXPECT_EQ(describe(plan.choice), "12-bit codes, 16 a lane, strips of 2048 codes, greedy parse");
  EXPECT_THROW(plan_tiles(input, {.code_bits = 9}), std::invalid_argument);
  EXPECT_THROW(plan_tiles(input, {.codes_per_lane = 20}), std::invalid_argument);
}

TEST(TilePlan, ServesWhatIsLikeItsInputAndNothingElse) {
  const TileRequest request = {.code_bits = 8, .level = 4, .parse = Parse::optimal};
  const Bytes text = random_letters(100000, 20);
  const TilePlan plan = plan_tiles(text, request);
  ASSERT_TRUE(plan.table.escape_free);
  EXPECT_TRUE(serves(plan, text, request));
  EXPECT_FALSE(serves(plan, random_letters(100000, 4), request));
  // A byte that has no code.
  Bytes with_another = text;
  with_another.back() = 0xff;
  EXPECT_FALSE(serves(plan, with_another, request));
}

// Of one block of eleven the plan has the letters alone; its own table has pairs of them.
TEST(TilePlan, IsMadeAnewForABlockThatItDoesNotServe) {
  const Bytes text = test::make_text(500000, 1);
  const Bytes letters = random_letters(50000, 20);
  Bytes input = text;
  input.insert(input.end(), letters.begin(), letters.end());
  const CompressOptions options = {
      .format = format::BlockFormat::tiles, .block_bytes = 50000, .code_bits = 8, .level = 3};
  const Bytes frame = compress(input, options);
  EXPECT_EQ(decompress_frame(frame), input);
  EXPECT_LT(frame.size(), compress(text, options).size() + compress(letters, options).size() * 11 / 10);
}

}  // namespace
}  // namespace gsst::reference
