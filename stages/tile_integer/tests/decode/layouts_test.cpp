#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/format/tile_integer/layouts.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/for_block.hpp"
#include "reference_cpu/tile_integer/ofor_block.hpp"
#include "reference_cpu/tile_integer/vfor_block.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Formats `vfor` and `ofor` and their decoders, besides what those of all formats of the series are tested
// with. Sizes are computed here once more, from the values alone.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::shape_of;
using format::tile_integer::Type;
using reference::tile_integer::encode_ofor;
using reference::tile_integer::encode_vfor;

constexpr std::uint64_t seed_of_layouts = 2033;

// `count` values of which the first two of each `unit` are the smallest and the largest: all units of two
// values and more have this width.
Values values_of_units(Type type, unsigned width, std::size_t count, std::size_t unit,
                       std::mt19937_64& random) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t difference = lowest_bits(random(), width);
    if (i % unit == 0) difference = 0;
    if (i % unit == 1) difference = lowest_bits(~std::uint64_t{0}, width);
    values[i] = smallest_value(type) + difference;
  }
  return values;
}

// Bytes of a payload of such values; `of_bit` words for each bit of the width in a unit, and `more` besides.
std::size_t payload_bytes_of(std::size_t count, std::size_t unit, std::size_t of_bit, std::size_t more,
                             unsigned width, std::size_t rest) {
  const std::size_t units = (count + unit - 1) / unit;
  const std::size_t widths = units - (count % unit == 1 ? 1 : 0);
  return format::padded_payload_bytes(4 * (4 + units + 1 + units * more + widths * of_bit * width) + rest,
                                      16);
}

std::vector<unsigned> some_widths(Type type) {
  const unsigned most = shape_of(type).max_width();
  return {0, 1, 5, most / 2 + 1, most - 1, most};
}

TEST(VforCodec, EveryTypeAndLengthHasItsSizeAndComesBack) {
  std::mt19937_64 random(seed_of_layouts);
  for (const Type type : all_types) {
    for (const unsigned width : some_widths(type)) {
      for (const std::size_t count : {0, 1, 129, 4095, 4096, 4097}) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", " +
                     std::to_string(count) + " values, seed " + std::to_string(seed_of_layouts));
        ValueBytes block = bytes_of(values_of_units(type, width, count, 4096, random), type);
        const std::size_t rest = count % shape_of(type).value_bytes;
        block.insert(block.end(), rest, 0xa5);
        const ValueBytes payload = encode_vfor(block, type);
        const auto uncompressed = static_cast<std::uint32_t>(block.size());
        ASSERT_NO_THROW(format::tile_integer::check_for_payload(payload, uncompressed, 0, Packing::vertical));
        EXPECT_LE(payload.size(),
                  format::tile_integer::max_for_payload_bytes(type, uncompressed, Packing::vertical));
        EXPECT_EQ(payload.size(),
                  payload_bytes_of(count, 4096, 128, shape_of(type).reference_words, width, rest));
        ASSERT_TRUE(reference::tile_integer::decode_vfor(payload, uncompressed) == block);
      }
    }
  }
}

// Lane 1 has the values 1 and 129.
TEST(VforCodec, ALaneHasEvery128thValue) {
  Values values(130, 5);
  for (const std::size_t place : {0, 129}) values[place] = 6;
  const ValueBytes payload = encode_vfor(bytes_of(values, Type::u32), Type::u32);
  const std::vector<std::uint32_t> words = {3, 129, 130, 0, 6, 135, 5, 1, 2};
  EXPECT_EQ(payload, payload_of_words(words, 552));
}

TEST(VforCodec, OneLargeValueWidensAllOfItsVerticalBlock) {
  Values values(8192, 1);
  values[5000] = 1 << 20;
  const std::size_t words = 4 + 3 + 2 + 128 * 20;
  EXPECT_EQ(encode_vfor(bytes_of(values, Type::i32), Type::i32).size(),
            format::padded_payload_bytes(4 * words, 16));
}

TEST(OforCodec, EveryTypeAndLengthHasItsSizeAndIsOneOfFormatFor) {
  std::mt19937_64 random(seed_of_layouts);
  for (const Type type : all_types) {
    for (const unsigned width : some_widths(type)) {
      for (const std::size_t count : {0, 1, 127, 128, 129, 300}) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", " +
                     std::to_string(count) + " values, seed " + std::to_string(seed_of_layouts));
        ValueBytes block = bytes_of(values_of_units(type, width, count, 128, random), type);
        const std::size_t rest = count % shape_of(type).value_bytes;
        block.insert(block.end(), rest, 0xa5);
        const ValueBytes payload = encode_ofor(block, type);
        const auto uncompressed = static_cast<std::uint32_t>(block.size());
        for (const Packing packing : {Packing::one_width, Packing::values}) {
          ASSERT_NO_THROW(format::tile_integer::check_for_payload(payload, uncompressed, 0, packing));
        }
        EXPECT_LE(payload.size(),
                  format::tile_integer::max_for_payload_bytes(type, uncompressed, Packing::one_width));
        EXPECT_EQ(payload.size(),
                  payload_bytes_of(count, 128, 4, shape_of(type).reference_words + 1, width, rest));
        ASSERT_TRUE(reference::tile_integer::decode_for(payload, uncompressed) == block);
      }
    }
  }
}

TEST(OforCodec, OneLargeValueWidensFourMiniblocks) {
  Values values(256, 1);
  values[100] = 1 << 20;
  const ValueBytes block = bytes_of(values, Type::i32);
  EXPECT_EQ(encode_ofor(block, Type::i32).size() - 3 * 20 * 32 * 4 / 32,
            reference::tile_integer::encode_for(block, Type::i32).size());
}

class VerticalStageTest : public stage::StageTest {
protected:
  // A frame of blocks that all have a payload, however large, each of the type that `type_of` says for its
  // number.
  template <typename TypeOf>
  void expect_decodes_packed(const ValueBytes& column, std::uint64_t block_bytes, TypeOf&& type_of,
                             std::size_t shift) const {
    ValueBytes frame;
    std::size_t number = 0;
    reference::tile_integer::write_frame_file(
        format::tile_integer::vfor_format, format::reader_of(column),
        [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
        {.block_bytes = block_bytes, .threads = 1}, {},
        [&](std::span<const std::uint8_t> block) {
          return reference::tile_integer::BlockPayload{.layout = format::tile_integer::packed_layout,
                                                       .payload = encode_vfor(block, type_of(number++))};
        });
    expect_decodes(frame, column, {}, shift);
    for (const stage::Parameter& parameter : stage().description.parameters) {
      for (const std::int64_t value : parameter.values) {
        SCOPED_TRACE(parameter.name + " = " + std::to_string(value));
        if (!HasFatalFailure()) expect_decodes(frame, column, {{parameter.name, value}}, shift);
      }
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, VerticalStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::vfor_format)),
                         stage::case_name);

TEST_P(VerticalStageTest, DecodesEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_layouts);
  for (const Type type : all_types) {
    for (unsigned width = 0; width <= shape_of(type).max_width(); ++width) {
      SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", seed " +
                   std::to_string(seed_of_layouts));
      // At the largest width all lanes are full, at the others nine are fuller than the rest.
      const std::size_t count = width == shape_of(type).max_width() ? 4096 : 393;
      ValueBytes column = bytes_of(values_of_units(type, width, count, 4096, random), type);
      column.insert(column.end(), width % shape_of(type).value_bytes, 0xa5);
      expect_decodes_packed(
          column, 1 << 20, [&](std::size_t) { return type; }, width % 17);
      if (HasFatalFailure()) return;
    }
  }
}

// At the borders of lanes and of vertical blocks, and blocks of the frame that end within them.
TEST_P(VerticalStageTest, DecodesLengthsAroundEveryBorder) {
  std::mt19937_64 random(seed_of_layouts);
  for (const Type type : {Type::i8, Type::i32, Type::u64}) {
    for (const std::size_t count : {1, 127, 129, 4095, 4097, 8193}) {
      for (const std::size_t values_of_block : {1 << 16, 4100}) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", " + std::to_string(count) +
                     " values in blocks of " + std::to_string(values_of_block) + ", seed " +
                     std::to_string(seed_of_layouts));
        const ValueBytes column = bytes_of(values_of_units(type, 6, count, 4096, random), type);
        expect_decodes_packed(
            column, values_of_block * shape_of(type).value_bytes, [&](std::size_t) { return type; },
            count % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Parts are those of the smallest values, numbers and shared memory are for the largest.
TEST_P(VerticalStageTest, DecodesBlocksOfDifferentTypes) {
  constexpr std::size_t block_bytes = 9000;
  std::mt19937_64 random(seed_of_layouts);
  ValueBytes column;
  for (const Type type : all_types) {
    const std::size_t count = block_bytes / shape_of(type).value_bytes;
    const ValueBytes block =
        bytes_of(values_of_units(type, shape_of(type).max_width() - 1, count, 4096, random), type);
    column.insert(column.end(), block.begin(), block.end());
  }
  expect_decodes_packed(
      column, block_bytes, [](std::size_t number) { return all_types.at(number); }, 5);
}

}  // namespace
}  // namespace gsst::tile_integer
