#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/nsv_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/nsv_block.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Format `nsv` and its decoders.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;

constexpr std::uint64_t seed_of_nsv = 2044;
// Values of a thread block.
constexpr std::size_t values_of_nsv_part = 2048;
constexpr std::array<Type, 4> nsv_types = {Type::i8, Type::i16, Type::i32, Type::i64};

// `count` values of `value_bytes` bytes, of which each needs a random number of these, and `rest` bytes after
// them.
ValueBytes skewed_bytes(std::uint32_t value_bytes, std::size_t count, std::size_t rest,
                        std::mt19937_64& random) {
  ValueBytes bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const auto bits = static_cast<unsigned>(1 + random() % (8 * value_bytes));
    const std::uint64_t value = lowest_bits(random(), bits);
    for (std::size_t byte = 0; byte < value_bytes; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
    }
  }
  bytes.insert(bytes.end(), rest, 0xa5);
  return bytes;
}

// A frame of blocks that all have a payload, however large.
ValueBytes nsv_frame(const ValueBytes& column, Type type, std::uint64_t block_bytes) {
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::nsv_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::encode_nsv(block, type)};
      });
  return frame;
}

TEST(NsvCodec, ValuesOfEverySizeComeBack) {
  std::mt19937_64 random(seed_of_nsv);
  for (const Type type : nsv_types) {
    const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
    for (const std::size_t count : {0, 1, 3, 4, 5, 500}) {
      SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes, seed " +
                   std::to_string(seed_of_nsv));
      const ValueBytes block = skewed_bytes(value_bytes, count, count % value_bytes, random);
      const ValueBytes payload = reference::tile_integer::encode_nsv(block, type);
      const auto uncompressed = static_cast<std::uint32_t>(block.size());
      std::uint32_t found = 0;
      ASSERT_NO_THROW(found = format::tile_integer::check_nsv_payload(payload, uncompressed, 0));
      EXPECT_EQ(found, value_bytes);
      EXPECT_LE(payload.size(), format::tile_integer::nsv_rules.max_payload_bytes(1, block.size()));
      EXPECT_TRUE(reference::tile_integer::decode_nsv(payload, uncompressed) == block);
    }
  }
}

TEST(NsvCodec, ValuesHaveAsFewBytesAsTwoBitsCanSay) {
  const ValueBytes block = bytes_of({0, 0xff, 0x100, 0xffffff, 0x1000000}, Type::i32);
  const ValueBytes payload = reference::tile_integer::encode_nsv(block, Type::i32);
  // Codes 0, 0, 1, 2 and 3.
  const ValueBytes expected = {4, 0,    0,    0, 0,    0,    0, 0,    5,    0,    0,    0, 0, 0, 0,
                               0, 0x90, 0x03, 0, 0xff, 0x00, 1, 0xff, 0xff, 0xff, 0x00, 0, 0, 1};
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), payload.begin()));
  EXPECT_EQ(payload.size(), 40U);
  // Two, four, six or eight bytes.
  const ValueBytes wide = bytes_of({0xffff, 0x10000, 0x100000000, 0x1000000000000}, Type::i64);
  EXPECT_EQ(reference::tile_integer::encode_nsv(wide, Type::i64)[16], 0xe4);
}

TEST(NsvCodec, FilesSayTheSizeOfAValueAndDecodeWithoutIt) {
  const reference::Codec& codec = reference::codec_of(format::tile_integer::nsv_format);
  EXPECT_FALSE(codec.has_option("type"));
  Values values(5000, 3);
  values[77] = 1U << 31;
  const ValueBytes input = bytes_of(values, Type::i32);
  const ValueBytes file = reference::encode_file(codec, input, {.block_bytes = 8192, .threads = 2});
  EXPECT_LT(file.size(), 5000U * 5 / 4 + 500);
  EXPECT_TRUE(reference::decode_file(codec, file, 2) == input);
  // The codes of values that need all of their bytes make them larger.
  const ValueBytes raw =
      reference::encode_file(codec, bytes_of(Values(500, 1U << 31), Type::i32), {.threads = 1});
  EXPECT_EQ(format::parse_frame(raw).index.entries[0].record.layout, format::BlockLayout::raw);
}

TEST(NsvCodec, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_nsv);
  const ValueBytes block = skewed_bytes(4, 50, 3, random);
  const ValueBytes payload = reference::tile_integer::encode_nsv(block, Type::i32);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  expect_every_byte_counts(payload, block, [&](const ValueBytes& changed) {
    format::tile_integer::check_nsv_payload(changed, uncompressed, changed_block);
    return reference::tile_integer::decode_nsv(changed, uncompressed);
  });
}

class NsvStageTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, NsvStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::nsv_format)),
                         stage::case_name);

// Lengths at the borders of bytes of codes, of threads and of parts, at any address.
TEST_P(NsvStageTest, DecodesEverySizeAndLength) {
  std::mt19937_64 random(seed_of_nsv);
  for (const Type type : nsv_types) {
    const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{5}, values_of_nsv_part - 1,
                                    values_of_nsv_part, 2 * values_of_nsv_part + 9}) {
      SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes");
      const std::size_t rest = value_bytes - 1;
      if (count + rest == 0) continue;
      const ValueBytes column = skewed_bytes(value_bytes, count, rest, random);
      expect_decodes(nsv_frame(column, type, 1 << 20), column, {}, count % 16);
      if (HasFatalFailure()) return;
    }
  }
  const ValueBytes column = skewed_bytes(4, 4 * values_of_nsv_part, 3, random);
  for (const std::uint64_t block_bytes : {2043U, 30000U}) {
    expect_decodes(nsv_frame(column, Type::i32, block_bytes), column, {}, 5);
    if (HasFatalFailure()) return;
  }
}

// Of more parts than a thread block has threads, so that totals are summed in more than one go.
TEST_P(NsvStageTest, DecodesABlockOfManyParts) {
  std::mt19937_64 random(seed_of_nsv);
  const ValueBytes column = skewed_bytes(2, 257 * values_of_nsv_part + 9, 0, random);
  expect_decodes(nsv_frame(column, Type::i16, 1 << 21), column, {}, 0);
}

}  // namespace
}  // namespace gsst::tile_integer
