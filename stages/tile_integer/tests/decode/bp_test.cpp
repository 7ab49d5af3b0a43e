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
#include "common/format/tile_integer/bit_packing.hpp"
#include "common/format/tile_integer/for_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/bp_block.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Format `bp` and its decoders.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Packing;
using format::tile_integer::shape_of;
using format::tile_integer::Type;

constexpr std::uint64_t seed_of_bp = 2032;

// `count` values of which one in each 128 has all of `width` bits, and `rest` bytes after them.
ValueBytes bits_of_width(Type type, unsigned width, std::size_t count, std::size_t rest,
                         std::mt19937_64& random) {
  Values values(count);
  for (std::size_t i = 0; i < count; ++i) {
    values[i] = width == 0 ? 0 : lowest_bits(i % 128 == 0 ? ~std::uint64_t{0} : random(), width);
  }
  ValueBytes bytes = bytes_of(values, type);
  bytes.insert(bytes.end(), rest, 0xa5);
  return bytes;
}

void check_bp(const ValueBytes& payload, const ValueBytes& block) {
  format::tile_integer::check_for_payload(payload, static_cast<std::uint32_t>(block.size()), changed_block,
                                          Packing::bits);
}

// A frame of blocks that all have a payload, however large.
ValueBytes bp_frame(const ValueBytes& column, Type type, std::uint64_t block_bytes, std::uint32_t more_bits) {
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::bp_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::bp_payload(block, type, more_bits)};
      });
  return frame;
}

TEST(BpCodec, EveryWidthHasItsSizeAndComesBack) {
  std::mt19937_64 random(seed_of_bp);
  for (const Type type : all_types) {
    for (unsigned width = 0; width <= shape_of(type).max_width(); ++width) {
      for (const std::size_t count : {1, 127, 128, 129, 300}) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", " +
                     std::to_string(count) + " values, seed " + std::to_string(seed_of_bp));
        const std::size_t rest = count % shape_of(type).value_bytes;
        const ValueBytes block = bits_of_width(type, width, count, rest, random);
        const ValueBytes payload = reference::tile_integer::encode_bp(block, type);
        const std::size_t packed_blocks = (count + 127) / 128;
        const std::size_t words = 4 + packed_blocks + 1 + packed_blocks * 4 * width;
        EXPECT_EQ(payload.size(), format::padded_payload_bytes(4 * words + rest, 16));
        ASSERT_NO_THROW(check_bp(payload, block));
        EXPECT_LE(payload.size(), format::tile_integer::bp_rules.max_payload_bytes(1, block.size()));
        EXPECT_LE(block.size(),
                  payload.size() * format::tile_integer::bp_rules.limits().max_bytes_per_code_byte);
        ASSERT_TRUE(reference::tile_integer::decode_bp(payload, static_cast<std::uint32_t>(block.size())) ==
                    block);
      }
    }
  }
}

TEST(BpCodec, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_bp);
  const ValueBytes block = bits_of_width(Type::i32, 9, 384, 3, random);
  const ValueBytes payload = reference::tile_integer::encode_bp(block, Type::i32);
  const auto decode = [&](const ValueBytes& changed) {
    check_bp(changed, block);
    return reference::tile_integer::decode_bp(changed, static_cast<std::uint32_t>(block.size()));
  };
  // Types i32 and u32 decode alike: the type is left out.
  expect_every_byte_counts(payload, block, decode, 1);
}

TEST(BpCodec, FilesSayTheSizeOfAValueAndDecodeWithoutIt) {
  std::mt19937_64 random(seed_of_bp);
  const reference::Codec& codec = reference::codec_of(format::tile_integer::bp_format);
  EXPECT_FALSE(codec.has_option("type"));
  for (const Type type : {Type::i8, Type::i16, Type::i32, Type::i64}) {
    const ValueBytes input = bits_of_width(type, 3, 5000, 0, random);
    const ValueBytes file = reference::encode_file(
        codec, input,
        {.block_bytes = 8192, .options = {{"value-bytes", shape_of(type).value_bytes}}, .threads = 2});
    EXPECT_LT(file.size(), 5000U * 3 / 8 + 800);
    EXPECT_TRUE(reference::decode_file(codec, file, 2) == input);
  }
}

class BpStageTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, BpStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::bp_format)),
                         stage::case_name);

TEST_P(BpStageTest, DecodesEveryTypeAndWidth) {
  std::mt19937_64 random(seed_of_bp);
  for (const Type type : all_types) {
    for (unsigned width = 0; width <= shape_of(type).max_width(); ++width) {
      const ValueBytes column = bits_of_width(type, width, 300, width % shape_of(type).value_bytes, random);
      SCOPED_TRACE(std::string(shape_of(type).name) + ", width " + std::to_string(width) + ", seed " +
                   std::to_string(seed_of_bp));
      expect_decodes(bp_frame(column, type, 1 << 20, width % 3), column, {}, width % 17);
      if (HasFatalFailure()) return;
    }
  }
}

// At the borders of packed blocks, and blocks that end within them.
TEST_P(BpStageTest, DecodesLengthsAroundEveryBorder) {
  std::mt19937_64 random(seed_of_bp);
  for (const Type type : all_types) {
    for (const std::size_t count : {1, 127, 128, 129, 255, 257, 1000}) {
      const ValueBytes column = bits_of_width(type, 6, count, count % shape_of(type).value_bytes, random);
      for (const std::size_t values_of_block : {std::size_t{1} << 16, std::size_t{40}, std::size_t{200}}) {
        SCOPED_TRACE(std::string(shape_of(type).name) + ", " + std::to_string(count) +
                     " values in blocks of " + std::to_string(values_of_block) + ", seed " +
                     std::to_string(seed_of_bp));
        expect_decodes(bp_frame(column, type, values_of_block * shape_of(type).value_bytes, 0), column, {},
                       count % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
}

// Each block of another type: parts are those of the smallest.
TEST_P(BpStageTest, DecodesBlocksOfDifferentTypes) {
  constexpr std::size_t block_bytes = 8000;
  std::mt19937_64 random(seed_of_bp);
  ValueBytes column;
  for (const Type type : all_types) {
    const ValueBytes block = bits_of_width(type, 5, block_bytes / shape_of(type).value_bytes, 0, random);
    column.insert(column.end(), block.begin(), block.end());
  }
  std::size_t number = 0;
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::bp_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::encode_bp(block, all_types.at(number++))};
      });
  ASSERT_EQ(number, all_types.size());
  expect_decodes(frame, column, {}, 5);
}

}  // namespace
}  // namespace gsst::tile_integer
