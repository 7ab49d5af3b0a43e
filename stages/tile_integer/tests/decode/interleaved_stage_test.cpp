#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Decoders of format `ifor`, besides what all decoders of the series are tested with: a short column of wide
// values is stored raw.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::shape_of;
using format::tile_integer::Type;

constexpr std::uint64_t seed_of_interleaved = 2031;

class InterleavedStageTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, InterleavedStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::ifor_format)),
                         stage::case_name);

TEST_P(InterleavedStageTest, DecodesWholeBlocksOfEveryWidth) {
  std::mt19937_64 random(seed_of_interleaved);
  for (const Type type : all_types) {
    SCOPED_TRACE(std::string(shape_of(type).name) + ", seed " + std::to_string(seed_of_interleaved));
    Values values;
    for (unsigned width = 0; width <= shape_of(type).max_width(); ++width) {
      for (std::size_t i = 0; i < format::tile_integer::interleaved_block_values; ++i) {
        values.push_back(smallest_value(type) + lowest_bits(random(), width));
      }
    }
    // Part of an interleaved block.
    values.insert(values.end(), 77, smallest_value(type) + 1);
    const ValueBytes column = bytes_of(values, type);
    const ValueBytes frame = reference::encode_file(
        reference::codec_of(format::tile_integer::ifor_format), column,
        {.block_bytes = 1 << 20, .options = {{"type", static_cast<std::uint64_t>(type)}}, .threads = 1});
    for (const format::IndexEntry& entry : format::parse_frame(frame).index.entries) {
      ASSERT_NE(entry.record.layout, format::BlockLayout::raw);
    }
    for (const std::size_t shift : {0, 7}) expect_decodes(frame, column, {}, shift);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gsst::tile_integer
