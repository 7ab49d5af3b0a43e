#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "common/format/payload_rules.hpp"
#include "common/format/stream.hpp"
#include "common/format/tile_integer/dict_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/dict_block.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Format `dict` and its decoders.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;

constexpr std::uint64_t seed_of_dict = 2045;
constexpr std::array<Type, 4> dict_types = {Type::i8, Type::i16, Type::i32, Type::i64};

// `count` values of `value_bytes` bytes, at most `unique` different ones, and `rest` bytes after them.
ValueBytes repeated_bytes(std::uint32_t value_bytes, std::size_t count, std::size_t unique, std::size_t rest,
                          std::mt19937_64& random) {
  Values known(unique);
  for (std::uint64_t& value : known) value = random();
  ValueBytes bytes;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t value = known[i < unique ? i : random() % unique];
    for (std::size_t byte = 0; byte < value_bytes; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
    }
  }
  bytes.insert(bytes.end(), rest, 0xa5);
  return bytes;
}

// A frame of blocks that all have a payload, however large.
ValueBytes dict_frame(const ValueBytes& column, std::uint32_t value_bytes, std::uint32_t code_bytes,
                      std::uint64_t block_bytes) {
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::dict_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::dict_payload(block, value_bytes, code_bytes)};
      });
  return frame;
}

TEST(DictCodec, ValuesOfEverySizeComeBack) {
  std::mt19937_64 random(seed_of_dict);
  for (const Type type : dict_types) {
    const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
    for (const std::size_t count : {0, 1, 3, 500}) {
      SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes, seed " +
                   std::to_string(seed_of_dict));
      const ValueBytes block = repeated_bytes(value_bytes, count, 20, count % value_bytes, random);
      const ValueBytes payload = reference::tile_integer::encode_dict(block, type);
      const auto uncompressed = static_cast<std::uint32_t>(block.size());
      format::tile_integer::DictShape shape{};
      ASSERT_NO_THROW(shape = format::tile_integer::check_dict_payload(payload, uncompressed, 0));
      EXPECT_EQ(shape.code_bytes, 1U);
      EXPECT_LE(shape.entries, 20U);
      EXPECT_LE(payload.size(), format::tile_integer::dict_rules.max_payload_bytes(1, block.size()));
      EXPECT_TRUE(reference::tile_integer::decode_dict(payload, uncompressed) == block);
    }
  }
}

TEST(DictCodec, EntriesRiseAndCodesHaveAsFewBytesAsTheirNumberNeeds) {
  const ValueBytes block = bytes_of({9, 7, 9, 300}, Type::i32);
  EXPECT_TRUE(reference::tile_integer::encode_dict(block, Type::i32) ==
              payload_of_words({0x00000104, 0, 4, 3, 7, 9, 300, 0x02010001}, 40));
  for (const auto& [entries, bytes] :
       {std::pair{256U, 1}, std::pair{257U, 2}, std::pair{65536U, 2}, std::pair{65537U, 4}}) {
    Values values(entries);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = i;
    EXPECT_EQ(reference::tile_integer::encode_dict(bytes_of(values, Type::i32), Type::i32)[1], bytes);
  }
}

TEST(DictCodec, FilesSayTheSizeOfAValueAndDecodeWithoutIt) {
  std::mt19937_64 random(seed_of_dict);
  const reference::Codec& codec = reference::codec_of(format::tile_integer::dict_format);
  EXPECT_FALSE(codec.has_option("type"));
  const ValueBytes input = repeated_bytes(8, 5000, 30, 3, random);
  const ValueBytes file = reference::encode_file(
      codec, input, {.block_bytes = 8192, .options = {{"value-bytes", 8}}, .threads = 2});
  EXPECT_LT(file.size(), 5000U + 5 * 30 * 8 + 1000);
  EXPECT_TRUE(reference::decode_file(codec, file, 2) == input);
  // A dictionary of all values is larger than they are.
  const ValueBytes raw =
      reference::encode_file(codec, repeated_bytes(4, 500, 500, 0, random), {.threads = 1});
  EXPECT_EQ(format::parse_frame(raw).index.entries[0].record.layout, format::BlockLayout::raw);
}

TEST(DictCodec, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_dict);
  const ValueBytes block = repeated_bytes(4, 50, 9, 3, random);
  const ValueBytes payload = reference::tile_integer::encode_dict(block, Type::i32);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  expect_every_byte_counts(payload, block, [&](const ValueBytes& changed) {
    format::tile_integer::check_dict_payload(changed, uncompressed, changed_block);
    return reference::tile_integer::decode_dict(changed, uncompressed);
  });
}

class DictStageTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, DictStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::dict_format)),
                         stage::case_name);

// Lengths at the borders of parts of 8192 bytes, and blocks that end within a value, at any address.
TEST_P(DictStageTest, DecodesEverySizeAndLength) {
  std::mt19937_64 random(seed_of_dict);
  for (const std::uint32_t value_bytes : {1U, 2U, 4U, 8U}) {
    const std::size_t of_part = 8192 / value_bytes;
    for (const std::uint32_t code_bytes : {1U, 2U, 4U}) {
      for (const std::size_t count : {std::size_t{1}, of_part - 1, of_part + 1}) {
        SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes");
        const ValueBytes column = repeated_bytes(value_bytes, count, 100, value_bytes - 1, random);
        expect_decodes(dict_frame(column, value_bytes, code_bytes, 1 << 20), column, {}, count % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
  const ValueBytes column = repeated_bytes(4, 8000, 900, 3, random);
  for (const std::uint64_t block_bytes : {2043U, 30000U}) {
    expect_decodes(dict_frame(column, 4, 2, block_bytes), column, {}, 5);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gsst::tile_integer
