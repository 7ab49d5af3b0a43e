#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/nsf_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "reference_cpu/tile_integer/nsf_block.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Format `nsf` and its decoders.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;

constexpr std::uint64_t seed_of_nsf = 2031;

struct NsfSizes {
  std::uint32_t value_bytes;
  std::uint32_t number_bytes;
};

// All that the format allows.
constexpr std::array<NsfSizes, 10> nsf_sizes = {
    {{1, 1}, {2, 1}, {2, 2}, {4, 1}, {4, 2}, {4, 4}, {8, 1}, {8, 2}, {8, 4}, {8, 8}}};

// By the logarithm of the size.
constexpr std::array<Type, 4> types_by_size = {Type::i8, Type::i16, Type::i32, Type::i64};

std::string text_of(const NsfSizes& sizes) {
  return "values of " + std::to_string(sizes.value_bytes) + " bytes in " +
         std::to_string(sizes.number_bytes) + ", seed " + std::to_string(seed_of_nsf);
}

// `count` values with all bits of a number, and `rest` bytes after them.
ValueBytes values_of_bytes(const NsfSizes& sizes, std::size_t count, std::size_t rest,
                           std::mt19937_64& random) {
  ValueBytes bytes(count * sizes.value_bytes, 0);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t byte = 0; byte < sizes.number_bytes; ++byte) {
      bytes[i * sizes.value_bytes + byte] = i == count / 2 ? 0xff : static_cast<std::uint8_t>(random());
    }
  }
  bytes.insert(bytes.end(), rest, 0xa5);
  return bytes;
}

// A frame of blocks that all have a payload, however large.
ValueBytes nsf_frame(const ValueBytes& column, const NsfSizes& sizes, std::uint64_t block_bytes) {
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::nsf_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::nsf_payload(block, sizes.value_bytes, sizes.number_bytes)};
      });
  return frame;
}

TEST(NsfCodec, EverySizeHasAsFewBytesAsItNeedsAndComesBack) {
  std::mt19937_64 random(seed_of_nsf);
  for (const NsfSizes& sizes : nsf_sizes) {
    const Type type = types_by_size[std::countr_zero(sizes.value_bytes)];
    for (const std::size_t count : {1, 2, 15, 16, 17, 100}) {
      SCOPED_TRACE(text_of(sizes) + ", " + std::to_string(count) + " values");
      const std::size_t rest = count % sizes.value_bytes;
      const ValueBytes block = values_of_bytes(sizes, count, rest, random);
      const ValueBytes payload = reference::tile_integer::encode_nsf(block, type);
      EXPECT_EQ(payload.size(), format::padded_payload_bytes(16 + count * sizes.number_bytes + rest, 16));
      const auto uncompressed = static_cast<std::uint32_t>(block.size());
      ASSERT_NO_THROW(format::tile_integer::check_nsf_payload(payload, uncompressed, 0));
      EXPECT_LE(payload.size(), format::tile_integer::nsf_rules.max_payload_bytes(1, block.size()));
      EXPECT_TRUE(reference::tile_integer::decode_nsf(payload, uncompressed) == block);
    }
  }
}

TEST(NsfCodec, NumbersHaveOneTwoFourOrEightBytes) {
  for (const auto& [value, bytes] : {std::pair<std::uint64_t, std::size_t>{0, 1},
                                     {0xff, 1},
                                     {0x100, 2},
                                     {0xffff, 2},
                                     {0x10000, 4},
                                     {0xffffffff, 4},
                                     {0x100000000, 8},
                                     {~std::uint64_t{0}, 8}}) {
    const ValueBytes block = bytes_of({0, value, 0}, Type::i64);
    EXPECT_EQ(reference::tile_integer::encode_nsf(block, Type::i64)[1], bytes) << value;
  }
}

TEST(NsfCodec, FilesSayTheSizeOfAValueAndDecodeWithoutIt) {
  std::mt19937_64 random(seed_of_nsf);
  const reference::Codec& codec = reference::codec_of(format::tile_integer::nsf_format);
  EXPECT_FALSE(codec.has_option("type"));
  for (const std::uint32_t value_bytes : {2, 4, 8}) {
    const ValueBytes input =
        values_of_bytes({.value_bytes = value_bytes, .number_bytes = 1}, 5000, 1, random);
    const ValueBytes file = reference::encode_file(
        codec, input, {.block_bytes = 8192, .options = {{"value-bytes", value_bytes}}, .threads = 2});
    EXPECT_LT(file.size(), input.size() / value_bytes + 1000);
    EXPECT_TRUE(reference::decode_file(codec, file, 2) == input);
  }
  // Four bytes where nothing is said; a byte that has no higher ones is stored raw.
  const ValueBytes input = values_of_bytes({.value_bytes = 4, .number_bytes = 1}, 5000, 0, random);
  EXPECT_LT(reference::encode_file(codec, input, {.threads = 1}).size(), 5300U);
  const ValueBytes raw =
      reference::encode_file(codec, input, {.options = {{"value-bytes", 1}}, .threads = 1});
  EXPECT_EQ(format::parse_frame(raw).index.entries[0].record.layout, format::BlockLayout::raw);
}

TEST(NsfCodec, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_nsf);
  const ValueBytes block = values_of_bytes({.value_bytes = 4, .number_bytes = 2}, 99, 3, random);
  const ValueBytes payload = reference::tile_integer::encode_nsf(block, Type::i32);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  expect_every_byte_counts(payload, block, [&](const ValueBytes& changed) {
    format::tile_integer::check_nsf_payload(changed, uncompressed, changed_block);
    return reference::tile_integer::decode_nsf(changed, uncompressed);
  });
}

class NsfStageTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, NsfStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::nsf_format)),
                         stage::case_name);

// Lengths at the borders of stores of 16 bytes and of parts of 8192, at any address.
TEST_P(NsfStageTest, DecodesEverySizeAndLength) {
  std::mt19937_64 random(seed_of_nsf);
  for (const NsfSizes& sizes : nsf_sizes) {
    const std::size_t of_part = 8192 / sizes.value_bytes;
    for (const std::size_t count : {std::size_t{1}, std::size_t{17}, of_part - 1, of_part, of_part + 1}) {
      SCOPED_TRACE(text_of(sizes) + ", " + std::to_string(count) + " values");
      const ValueBytes column = values_of_bytes(sizes, count, count % sizes.value_bytes, random);
      for (const std::size_t shift : {std::size_t{0}, count % 16}) {
        expect_decodes(nsf_frame(column, sizes, 1 << 20), column, {}, shift);
        if (HasFatalFailure()) return;
      }
    }
    const ValueBytes column = values_of_bytes(sizes, 3000, 0, random);
    for (const std::uint64_t block_bytes : {std::uint64_t{16}, std::uint64_t{1032}, std::uint64_t{8192}}) {
      SCOPED_TRACE(text_of(sizes) + ", blocks of " + std::to_string(block_bytes) + " bytes");
      expect_decodes(nsf_frame(column, sizes, block_bytes), column, {}, 16);
      if (HasFatalFailure()) return;
    }
  }
}

// Blocks of values of different sizes, and a raw one, in a frame.
TEST_P(NsfStageTest, DecodesBlocksOfDifferentSizes) {
  constexpr std::size_t block_bytes = 20000;
  std::mt19937_64 random(seed_of_nsf);
  ValueBytes column;
  for (const NsfSizes& sizes : nsf_sizes) {
    const ValueBytes block = values_of_bytes(sizes, block_bytes / sizes.value_bytes, 0, random);
    column.insert(column.end(), block.begin(), block.end());
  }
  std::size_t number = 0;
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::nsf_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        const NsfSizes& sizes = nsf_sizes[number++];
        reference::tile_integer::BlockPayload payload = {
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::nsf_payload(block, sizes.value_bytes, sizes.number_bytes)};
        if (sizes.value_bytes > 1) return payload;
        payload = {.layout = format::BlockLayout::raw, .payload = {block.begin(), block.end()}};
        payload.payload.resize(format::raw_payload_bytes(format::tile_integer::nsf_format, block.size()), 0);
        return payload;
      });
  ASSERT_EQ(number, nsf_sizes.size());
  for (const std::size_t shift : {0, 5}) expect_decodes(frame, column, {}, shift);
}

}  // namespace
}  // namespace gsst::tile_integer
