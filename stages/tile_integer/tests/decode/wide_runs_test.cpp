#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "common/format/bytes.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/integer_stages.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// What the decoder of wide tiles of runs has ways of its own for: up to 128 runs in a run block, more, and as
// many as values, each in whole tiles and in others.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::most_run_block_words;
using format::tile_integer::shape_of;
using format::tile_integer::Type;

constexpr std::uint64_t seed_of_wide_runs = 1706;
constexpr std::size_t values_of_run_block = 512;

std::vector<stage::StageCase> wide_run_decoders() {
  std::vector<stage::StageCase> cases = integer_decoders();
  std::erase_if(cases, [](const stage::StageCase& one) { return one.stage != "tile_integer/10_wide_runs"; });
  return cases;
}

class WideRunsTest : public stage::StageTest {
protected:
  static ValueBytes frame_of_runs(const ValueBytes& column, Type type, std::uint64_t block_bytes) {
    return reference::encode_file(
        reference::codec_of(format::tile_integer::rfor_format), column,
        {.block_bytes = block_bytes, .options = {{"type", static_cast<std::uint64_t>(type)}}, .threads = 1});
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, WideRunsTest, testing::ValuesIn(wide_run_decoders()), stage::case_name);

// Run blocks of these numbers of runs, about as long as each other, whose values have up to `width` bits.
ValueBytes column_of_run_blocks(const std::vector<std::size_t>& runs_of_blocks, unsigned width, Type type,
                                std::mt19937_64& random) {
  Values values;
  for (const std::size_t runs : runs_of_blocks) {
    std::size_t previous = runs;
    for (std::size_t i = 0; i < values_of_run_block; ++i) {
      const std::size_t run = i * runs / values_of_run_block;
      // Neighbours differ in their lowest bit.
      values.push_back(run == previous ? values.back() : (lowest_bits(random(), width) & ~1ULL) | run % 2);
      previous = run;
    }
  }
  return bytes_of(values, type);
}

// Numbers of runs next to those that decide how a run block is decoded, next to each other in tiles.
const std::vector<std::size_t> numbers_of_runs = {1,   128, 129, 512, 511, 2,   256, 257,
                                                  512, 127, 130, 384, 385, 512, 33,  64};

TEST_P(WideRunsTest, DecodesRunBlocksOfEveryKindInTilesOfEverySize) {
  std::mt19937_64 random(seed_of_wide_runs);
  for (const Type type : all_types) {
    // Of these widths the last one is too large for 16 bits a value, or for 32.
    for (const unsigned width : {shape_of(type).max_width() / 8, shape_of(type).max_width() / 4,
                                 shape_of(type).max_width() / 4 * 3}) {
      SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", seed " +
                   std::to_string(seed_of_wide_runs));
      const ValueBytes column = column_of_run_blocks(numbers_of_runs, width, type, random);
      const std::uint64_t value_bytes = shape_of(type).value_bytes;
      for (const std::int64_t run_blocks : {0, 1, 2, 4}) {
        for (const std::uint64_t values : {16 * values_of_run_block, 5 * values_of_run_block + 77}) {
          expect_decodes(frame_of_runs(column, type, values * value_bytes), column,
                         {{"run_blocks_per_tile", run_blocks}, {"threads", 64}},
                         run_blocks == 2 ? value_bytes : 0);
          if (HasFatalFailure()) return;
        }
      }
    }
  }
}

// The traits of a frame say how large its largest run block is: a decoder has no more room for it.
TEST(WideRuns, TraitsSayHowLargeTheLargestRunBlockIs) {
  std::mt19937_64 random(seed_of_wide_runs);
  EXPECT_EQ(
      most_run_block_words(
          stage::frame_shape(reference::encode_file(reference::codec_of(format::tile_integer::rfor_format),
                                                    {}, {.threads = 1}))
              .payload_traits),
      0U);
  for (const Type type : all_types) {
    for (const std::size_t runs : {1, 32, 40, 64, 65, 96, 97, 128, 300, 512}) {
      const ValueBytes column =
          column_of_run_blocks({runs, 1, 1, 1}, shape_of(type).max_width(), type, random);
      const ValueBytes frame = reference::encode_file(
          reference::codec_of(format::tile_integer::rfor_format), column,
          {.block_bytes = 1 << 20, .options = {{"type", static_cast<std::uint64_t>(type)}}, .threads = 1});
      const format::FrameView view = format::parse_frame(frame);
      ASSERT_EQ(view.index.entries[0].record.layout, format::tile_integer::packed_layout);
      const auto largest = static_cast<std::uint32_t>(
          format::load_little_endian<4>(view.payload(0).data() + format::tile_integer::largest_offset));
      const std::uint32_t most = most_run_block_words(stage::frame_shape(frame).payload_traits);
      EXPECT_GE(most, largest);
      EXPECT_LT(most, largest + format::tile_integer::words_of_size_trait);
    }
  }
}

}  // namespace
}  // namespace gsst::tile_integer
