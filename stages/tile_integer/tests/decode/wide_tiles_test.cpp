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
#include <vector>

#include "common/format/stream.hpp"
#include "common/format/tile_integer/tile_integer.hpp"
#include "common/frame/frame.hpp"
#include "common/frame/index_entry.hpp"
#include "common/simt/executor.hpp"
#include "common/stage/frame_shape.hpp"
#include "common/stage/plan.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"
#include "stages/tile_integer/tests/decode/integer_stages.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// What the decoders of wide tiles have ways of their own for: whole tiles and others, frames and outputs at
// multiples of 16 bytes and others, classes of widths.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::shape_of;
using format::tile_integer::Type;

constexpr std::uint64_t seed_of_wide_tiles = 1610;
// Of a tile, with the defaults.
constexpr std::size_t usual_tile_bytes = 2048;

std::vector<stage::StageCase> wide_tile_decoders() {
  std::vector<stage::StageCase> cases = integer_decoders();
  std::erase_if(cases,
                [](const stage::StageCase& one) { return !one.stage.starts_with("tile_integer/10_wide_"); });
  return cases;
}

class WideTilesTest : public stage::StageTest {
protected:
  ValueBytes frame_of(const ValueBytes& column, Type type, std::uint64_t block_bytes) const {
    return reference::encode_file(
        reference::codec_of(stage().description.format), column,
        {.block_bytes = block_bytes, .options = {{"type", static_cast<std::uint64_t>(type)}}, .threads = 1});
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, WideTilesTest, testing::ValuesIn(wide_tile_decoders()), stage::case_name);

// Numbers above 77 whose miniblocks have up to `width_of(miniblock)` bits more.
template <typename WidthOf>
ValueBytes column_of(std::size_t count, Type type, std::mt19937_64& random, WidthOf&& width_of) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = 77 + lowest_bits(random(), width_of(i / 32));
  return bytes_of(values, type);
}

// Every combination of values of all parameters.
std::vector<stage::ParameterValues> combinations(const stage::Description& description) {
  std::vector<stage::ParameterValues> all = {{}};
  for (const stage::Parameter& parameter : description.parameters) {
    std::vector<stage::ParameterValues> longer;
    for (const stage::ParameterValues& one : all) {
      for (const std::int64_t value : parameter.values) {
        longer.push_back(one);
        longer.back()[parameter.name] = value;
      }
    }
    all = std::move(longer);
  }
  return all;
}

// Of these, one of ten by turns: the tests below take each a few times.
constexpr std::array<std::size_t, 10> shifts = {0, 16, 4, 8, 12, 1, 2, 3, 7, 15};

TEST_P(WideTilesTest, DecodesWholeTilesOfEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_wide_tiles);
  for (const Type type : all_types) {
    const unsigned most = shape_of(type).max_width();
    for (unsigned width = 0; width <= most; ++width) {
      SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", seed " +
                   std::to_string(seed_of_wide_tiles));
      const std::size_t count = 4 * usual_tile_bytes / shape_of(type).value_bytes + 37;
      const ValueBytes column = column_of(count, type, random, [&](std::size_t) { return width; });
      const ValueBytes frame = frame_of(column, type, 1 << 20);
      for (const std::size_t shift : {std::size_t{0}, std::size_t{16}, shifts[width % shifts.size()]}) {
        expect_decodes(frame, column, {}, shift);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// A width for each miniblock: those of a packed block are in different classes, or in one.
TEST_P(WideTilesTest, DecodesMiniblocksOfDifferentWidths) {
  std::mt19937_64 random(seed_of_wide_tiles);
  for (const Type type : all_types) {
    const unsigned bits = shape_of(type).max_width();
    for (const unsigned most : {bits, bits / 2, bits / 4}) {
      for (const unsigned least : {0U, bits / 4 + 1, bits / 2 + 1}) {
        if (least > most) continue;
        SCOPED_TRACE(std::string(shape_of(type).name) + ", " + std::to_string(least) + " to " +
                     std::to_string(most) + " bits, seed " + std::to_string(seed_of_wide_tiles));
        std::uniform_int_distribution<unsigned> width(least, most);
        std::vector<unsigned> widths(512);
        for (unsigned& one : widths) one = width(random);
        const ValueBytes column =
            column_of(widths.size() * 32, type, random, [&](std::size_t number) { return widths[number]; });
        expect_decodes(frame_of(column, type, 1 << 20), column, {}, 0);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Blocks that end in a tile, with a rest, and whose output begins anywhere.
TEST_P(WideTilesTest, DecodesEveryCombinationOfParameters) {
  std::mt19937_64 random(seed_of_wide_tiles);
  const std::vector<stage::ParameterValues> choices = combinations(stage().description);
  const test::TestSample sample = test::test_sample();
  std::size_t choice = 0;
  for (const Type type : all_types) {
    const std::size_t value_bytes = shape_of(type).value_bytes;
    const ValueBytes column = column_of(14000 / value_bytes + 1, type, random, [&](std::size_t miniblock) {
      return static_cast<unsigned>(miniblock % shape_of(type).max_width());
    });
    // Of whole tiles, of one value more, and of values that are cut.
    std::vector<ValueBytes> frames;
    for (const std::size_t block_bytes :
         {2 * usual_tile_bytes, usual_tile_bytes + value_bytes, 3 * usual_tile_bytes - 1}) {
      frames.push_back(frame_of(column, type, block_bytes));
    }
    std::size_t number = 0;
    for (const stage::ParameterValues& parameters : choices) {
      if (!sample.has(choice++)) continue;
      std::string text = std::string(shape_of(type).name);
      for (const auto& [name, value] : parameters) text += ", " + name + " = " + std::to_string(value);
      SCOPED_TRACE(text);
      for (const ValueBytes& frame : frames) {
        expect_decodes(frame, column, parameters, number % 2 == 0 ? 0 : shifts[number % shifts.size()]);
        if (HasFatalFailure()) return;
        ++number;
      }
    }
  }
}

// Tiles for which shared memory has just room. A block of them alone would be raw: half of it has no bits.
TEST_P(WideTilesTest, DecodesTilesOfTheLargestSize) {
  std::mt19937_64 random(seed_of_wide_tiles);
  for (const Type type : all_types) {
    const std::size_t half = 8 * usual_tile_bytes / shape_of(type).value_bytes;
    const unsigned most = shape_of(type).max_width();
    const ValueBytes column = column_of(
        2 * half, type, random, [&](std::size_t miniblock) { return 32 * miniblock < half ? 0 : most; });
    const ValueBytes frame = frame_of(column, type, 1 << 20);
    ASSERT_EQ(format::parse_frame(frame).index.entries[0].record.layout, format::tile_integer::packed_layout);
    for (const stage::ParameterValues& parameters : combinations(stage().description)) {
      const auto step = parameters.find("step");
      if (step != parameters.end() && step->second < 3) continue;
      expect_decodes(frame, column, parameters, 0);
      if (HasFatalFailure()) return;
    }
  }
}

// Payloads of equal values are shorter than the starts that as many bytes of smaller values would have: the
// kernel for those must not look for them.
TEST_P(WideTilesTest, DecodesFramesOfTypesWithoutBits) {
  constexpr std::size_t block_bytes = 65536;
  constexpr std::array<Type, 4> types = {Type::i8, Type::i16, Type::i32, Type::i64};
  ValueBytes column;
  for (const Type type : types) {
    const ValueBytes block = bytes_of(Values(block_bytes / shape_of(type).value_bytes, 91), type);
    column.insert(column.end(), block.begin(), block.end());
  }
  std::size_t number = 0;
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      stage().description.format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        const ValueBytes alone = frame_of({block.begin(), block.end()}, types[number++], block_bytes);
        const format::FrameView view = format::parse_frame(alone);
        return reference::tile_integer::BlockPayload{
            .layout = view.index.entries[0].record.layout,
            .payload = {view.payload(0).begin(), view.payload(0).end()}};
      });
  ASSERT_EQ(number, types.size());
  for (const std::size_t shift : shifts) {
    expect_decodes(frame, column, {}, shift);
    if (HasFatalFailure()) return;
  }
}

class WideTilesInHostMemoryTest : public WideTilesTest {
protected:
  // A frame at a multiple of 16 bytes, with its index and its output at other addresses.
  ValueBytes decode_with_index_at(std::size_t index_shift, std::size_t output_shift,
                                  const ValueBytes& frame) const {
    const stage::FrameOnDevice shape = stage::frame_shape(frame);
    const std::unique_ptr<stage::Plan> plan =
        stage().decode.at(GetParam().executor).make({.frame = shape, .index_is_apart = true});
    const auto begin = frame.begin() + static_cast<std::ptrdiff_t>(shape.index_offset);
    const std::size_t index_bytes = std::size_t{shape.block_count} * format::index_entry_bytes;
    ValueBytes index(index_shift);
    index.insert(index.end(), begin, begin + static_cast<std::ptrdiff_t>(index_bytes));
    ValueBytes output(output_shift + shape.uncompressed_bytes);
    std::vector<std::uint32_t> status(shape.block_count, 1);
    stage::enqueue_all(
        *plan,
        std::array{stage::to_read(frame.data(), frame.size()),
                   stage::Given{.data = output.data() + output_shift, .bytes = shape.uncompressed_bytes},
                   stage::Given{.data = nullptr, .bytes = 0},
                   stage::Given{.data = status.data(),
                                .bytes = sizeof(std::uint32_t) * std::uint64_t{shape.block_count}},
                   stage::to_read(index.data() + index_shift, index_bytes)},
        nullptr);
    EXPECT_TRUE(std::ranges::all_of(status, [](std::uint32_t word) { return word == 0; }));
    output.erase(output.begin(), output.begin() + static_cast<std::ptrdiff_t>(output_shift));
    return output;
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, WideTilesInHostMemoryTest,
                         testing::ValuesIn(stage::in_host_memory(wide_tile_decoders())), stage::case_name);

TEST_P(WideTilesInHostMemoryTest, DecodesFramesWithIndexAndOutputAnywhere) {
  std::mt19937_64 random(seed_of_wide_tiles);
  const ValueBytes column = column_of(5000, Type::i32, random, [](std::size_t) { return 11U; });
  const ValueBytes frame = frame_of(column, Type::i32, 2 * usual_tile_bytes);
  for (const std::size_t index_shift : {0, 1, 4, 8}) {
    for (const std::size_t output_shift : {0, 1, 4, 8, 16}) {
      SCOPED_TRACE("index at " + std::to_string(index_shift) + ", output at " + std::to_string(output_shift));
      EXPECT_TRUE(decode_with_index_at(index_shift, output_shift, frame) == column);
    }
  }
}

// Blocks of several parts and of one, which are copied in pieces of all sizes, with bytes left over.
TEST_P(WideTilesInHostMemoryTest, DecodesRawBlocksWithIndexAndOutputAnywhere) {
  std::mt19937_64 random(seed_of_wide_tiles);
  ValueBytes column(std::size_t{100'003});
  for (std::uint8_t& byte : column) byte = static_cast<std::uint8_t>(random());
  const ValueBytes frame = frame_of(column, Type::i32, 40'008);
  for (const format::IndexEntry& entry : format::parse_frame(frame).index.entries) {
    ASSERT_EQ(entry.record.layout, format::BlockLayout::raw);
  }
  for (const std::size_t index_shift : {0, 1}) {
    for (const std::size_t output_shift : {0, 1, 2, 4, 8, 16}) {
      SCOPED_TRACE("index at " + std::to_string(index_shift) + ", output at " + std::to_string(output_shift));
      EXPECT_TRUE(decode_with_index_at(index_shift, output_shift, frame) == column);
    }
  }
}

// Chains of 512 values of 8 bytes, 16 packed blocks of them or four run blocks, with eight warps.
TEST_P(WideTilesInHostMemoryTest, RefusesTilesThatSharedMemoryHasNoRoomFor) {
  const simt::SharedMemoryLimit limit(std::size_t{64} * 1024);
  std::mt19937_64 random(seed_of_wide_tiles);
  const ValueBytes column = column_of(5000, Type::i64, random, [](std::size_t) { return 30U; });
  const ValueBytes frame = frame_of(column, Type::i64, 1 << 20);
  struct TileParameter {
    format::BlockFormat format;
    std::string name;
    std::int64_t too_many;
  };
  const std::array<TileParameter, 3> of_formats = {
      {{.format = format::tile_integer::for_format, .name = "blocks_per_tile", .too_many = 16},
       {.format = format::tile_integer::dfor_format, .name = "chains_per_tile", .too_many = 4},
       {.format = format::tile_integer::rfor_format, .name = "run_blocks_per_tile", .too_many = 4}}};
  const TileParameter& parameter =
      *std::ranges::find(of_formats, stage().description.format, &TileParameter::format);
  expect_decodes(frame, column, {{parameter.name, 1}, {"threads", 256}}, 0);
  EXPECT_THROW(run_decode(stage(), GetParam().executor, frame,
                          {{parameter.name, parameter.too_many}, {"threads", 256}}),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::tile_integer
