#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/rle_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/rle_block.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Formats `rle` and `rle_nsf` and their decoders.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;
using reference::tile_integer::RleSizes;

constexpr std::uint64_t seed_of_rle = 2042;
// Runs or values of a thread block.
constexpr std::size_t numbers_of_rle_part = 2048;

// `count` values in runs of 1 to `longest`, whose numbers have all bits of `sizes`, and `rest` bytes after
// them.
ValueBytes runs_of_bytes(const RleSizes& sizes, std::size_t count, std::size_t longest, std::size_t rest,
                         std::mt19937_64& random) {
  Values values;
  while (values.size() < count) {
    values.resize(std::min<std::size_t>(count, values.size() + 1 + random() % longest),
                  lowest_bits(random(), 8 * sizes.number_bytes));
  }
  ValueBytes bytes;
  for (const std::uint64_t value : values) {
    for (std::size_t byte = 0; byte < sizes.value_bytes; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
    }
  }
  bytes.insert(bytes.end(), rest, 0xa5);
  return bytes;
}

// A frame of blocks that all have a payload, however large.
ValueBytes rle_frame(format::BlockFormat format, const ValueBytes& column, const RleSizes& sizes,
                     std::uint64_t block_bytes) {
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::rle_payload(block, sizes)};
      });
  return frame;
}

// By the logarithm of the size.
constexpr std::array<Type, 4> rle_types = {Type::i8, Type::i16, Type::i32, Type::i64};

TEST(RleCodec, RunsOfEverySizeComeBack) {
  std::mt19937_64 random(seed_of_rle);
  for (const std::uint32_t value_bytes : {1, 2, 4, 8}) {
    const Type type = rle_types[std::countr_zero(value_bytes)];
    for (const std::size_t count : {0, 1, 2, 100, 3000}) {
      const std::size_t rest = count % value_bytes;
      const ValueBytes block =
          runs_of_bytes({.value_bytes = value_bytes, .number_bytes = 1, .length_bytes = 4}, count,
                        count > 1000 ? 700 : 3, rest, random);
      const auto uncompressed = static_cast<std::uint32_t>(block.size());
      for (const bool is_short : {false, true}) {
        SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes" +
                     (is_short ? ", short" : "") + ", seed " + std::to_string(seed_of_rle));
        const ValueBytes payload = is_short ? reference::tile_integer::encode_rle_nsf(block, type)
                                            : reference::tile_integer::encode_rle(block, type);
        format::tile_integer::RleShape shape{};
        ASSERT_NO_THROW(shape = format::tile_integer::check_rle_payload(payload, uncompressed, is_short, 0));
        EXPECT_EQ(shape.number_bytes, is_short ? 1U : value_bytes);
        EXPECT_EQ(shape.length_bytes, is_short ? (count > 1000 ? 2U : 1U) : 4U);
        EXPECT_EQ(payload.size(),
                  format::padded_payload_bytes(
                      16 + shape.runs * (shape.number_bytes + shape.length_bytes) + rest, 16));
        EXPECT_LE(payload.size(), format::tile_integer::rle_rules.max_payload_bytes(1, block.size()));
        EXPECT_TRUE(reference::tile_integer::decode_rle(payload, uncompressed) == block);
      }
    }
  }
}

TEST(RleCodec, RunsAreOfOneValueAndAsLongAsTheyGo) {
  const ValueBytes block = bytes_of({7, 7, 7, 300, 7}, Type::i32);
  const ValueBytes payload = reference::tile_integer::encode_rle(block, Type::i32);
  EXPECT_TRUE(payload == payload_of_words({0x00040404, 0, 5, 3, 7, 300, 7, 3, 1, 1}, 40));
  const ValueBytes narrow = reference::tile_integer::encode_rle_nsf(block, Type::i32);
  EXPECT_TRUE(narrow == payload_of_words({0x00010204, 0, 5, 3, 300 << 16 | 7, 1 << 24 | 3 << 16 | 7, 1}, 40));
}

TEST(RleCodec, FilesSayTheSizeOfAValueAndDecodeWithoutIt) {
  std::mt19937_64 random(seed_of_rle);
  for (const format::BlockFormat format :
       {format::tile_integer::rle_format, format::tile_integer::rle_nsf_format}) {
    const reference::Codec& codec = reference::codec_of(format);
    EXPECT_FALSE(codec.has_option("type"));
    const ValueBytes input =
        runs_of_bytes({.value_bytes = 8, .number_bytes = 8, .length_bytes = 4}, 5000, 1000, 3, random);
    const ValueBytes file = reference::encode_file(
        codec, input, {.block_bytes = 8192, .options = {{"value-bytes", 8}}, .threads = 2});
    EXPECT_LT(file.size(), 2000U);
    EXPECT_TRUE(reference::decode_file(codec, file, 2) == input);
    // Runs of one value are larger than the values.
    const ValueBytes raw = reference::encode_file(
        codec, runs_of_bytes({.value_bytes = 4, .number_bytes = 4, .length_bytes = 4}, 500, 1, 0, random),
        {.threads = 1});
    EXPECT_EQ(format::parse_frame(raw).index.entries[0].record.layout, format::BlockLayout::raw);
  }
}

TEST(RleCodec, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_rle);
  const ValueBytes block =
      runs_of_bytes({.value_bytes = 4, .number_bytes = 2, .length_bytes = 4}, 90, 4, 3, random);
  const ValueBytes payload = reference::tile_integer::encode_rle_nsf(block, Type::i32);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  expect_every_byte_counts(payload, block, [&](const ValueBytes& changed) {
    format::tile_integer::check_rle_payload(changed, uncompressed, true, changed_block);
    return reference::tile_integer::decode_rle(changed, uncompressed);
  });
}

class RleStageTest : public stage::StageTest {};

std::vector<stage::StageCase> rle_decoders() {
  std::vector<stage::StageCase> cases =
      stage::stage_cases(stage::Operation::decode, format::tile_integer::rle_format);
  for (const stage::StageCase& one :
       stage::stage_cases(stage::Operation::decode, format::tile_integer::rle_nsf_format)) {
    cases.push_back(one);
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(AllStages, RleStageTest, testing::ValuesIn(rle_decoders()), stage::case_name);

// Runs that end at the borders of parts and go across them, in blocks at any address.
TEST_P(RleStageTest, DecodesRunsOfEverySizeAndLength) {
  const format::BlockFormat format = stage().description.format;
  const bool is_short = format == format::tile_integer::rle_nsf_format;
  std::mt19937_64 random(seed_of_rle);
  for (const std::uint32_t value_bytes : {1U, 2U, 4U, 8U}) {
    for (const std::uint32_t length_bytes : {2U, 4U}) {
      const RleSizes sizes = {.value_bytes = value_bytes,
                              .number_bytes = is_short ? (value_bytes + 1) / 2 : value_bytes,
                              .length_bytes = is_short ? length_bytes : 4};
      for (const std::size_t count : {std::size_t{1}, numbers_of_rle_part, numbers_of_rle_part + 1}) {
        for (const std::size_t longest : {std::size_t{1}, 3 * numbers_of_rle_part}) {
          SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) +
                       " bytes in runs of up to " + std::to_string(longest));
          const ValueBytes column = runs_of_bytes(sizes, count, longest, count % value_bytes, random);
          expect_decodes(rle_frame(format, column, sizes, 1 << 20), column, {}, count % 16);
          if (HasFatalFailure()) return;
        }
      }
      if (!is_short) break;
    }
  }
  // Blocks of which some end within a value, and one whose runs are more than a part of them.
  const RleSizes sizes = {.value_bytes = 4, .number_bytes = 4, .length_bytes = 4};
  const ValueBytes column = runs_of_bytes(sizes, 4 * numbers_of_rle_part, 2, 3, random);
  for (const std::uint64_t block_bytes : {2043U, 30000U}) {
    expect_decodes(rle_frame(format, column, sizes, block_bytes), column, {}, 5);
    if (HasFatalFailure()) return;
  }
}

// Of more parts than a thread block has threads, so that totals are summed in more than one go.
TEST_P(RleStageTest, DecodesABlockOfManyParts) {
  const RleSizes sizes = {.value_bytes = 1, .number_bytes = 1, .length_bytes = 4};
  std::mt19937_64 random(seed_of_rle);
  const ValueBytes column = runs_of_bytes(sizes, 257 * numbers_of_rle_part + 9, 5000, 0, random);
  expect_decodes(rle_frame(stage().description.format, column, sizes, 1 << 20), column, {}, 0);
}

}  // namespace
}  // namespace gsst::tile_integer
