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
#include "common/format/tile_integer/delta_nsf_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/tile_integer/delta_nsf_block.hpp"
#include "reference_cpu/tile_integer/file_writer.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/tile_integer/tests/decode/changed_bytes.hpp"
#include "stages/tile_integer/tests/decode/values.hpp"

// Format `delta_nsf` and its decoders.
namespace gsst::tile_integer {
namespace {

using format::tile_integer::Type;

constexpr std::uint64_t seed_of_delta_nsf = 2046;
// Differences of a thread block.
constexpr std::size_t values_of_difference_part = 2048;
constexpr std::array<Type, 4> delta_nsf_types = {Type::i8, Type::i16, Type::i32, Type::i64};

// `count` values of `value_bytes` bytes, of which neighbours differ by numbers of up to `bits` bits in either
// direction, modulo the type, and `rest` bytes after them.
ValueBytes wandering_bytes(std::uint32_t value_bytes, std::uint32_t bits, std::size_t count, std::size_t rest,
                           std::mt19937_64& random) {
  ValueBytes bytes;
  std::uint64_t value = random();
  for (std::size_t i = 0; i < count; ++i) {
    value += format::tile_integer::difference_of_number(lowest_bits(random(), bits));
    for (std::size_t byte = 0; byte < value_bytes; ++byte) {
      bytes.push_back(static_cast<std::uint8_t>(value >> 8 * byte));
    }
  }
  bytes.insert(bytes.end(), rest, 0xa5);
  return bytes;
}

// A frame of blocks that all have a payload, however large.
ValueBytes delta_nsf_frame(const ValueBytes& column, std::uint32_t value_bytes, std::uint32_t number_bytes,
                           std::uint64_t block_bytes) {
  ValueBytes frame;
  reference::tile_integer::write_frame_file(
      format::tile_integer::delta_nsf_format, format::reader_of(column),
      [&](std::span<const std::uint8_t> bytes) { frame.insert(frame.end(), bytes.begin(), bytes.end()); },
      {.block_bytes = block_bytes, .threads = 1}, {},
      [&](std::span<const std::uint8_t> block) {
        return reference::tile_integer::BlockPayload{
            .layout = format::tile_integer::packed_layout,
            .payload = reference::tile_integer::delta_nsf_payload(block, value_bytes, number_bytes)};
      });
  return frame;
}

TEST(DeltaNsfCodec, DifferencesHaveNumbersFromZeroOn) {
  using format::tile_integer::difference_of_number;
  using format::tile_integer::number_of_difference;
  constexpr std::uint64_t one = 1;
  for (const auto& [difference, number] : {std::pair<std::uint64_t, std::uint64_t>{0, 0},
                                           {~std::uint64_t{0}, 1},
                                           {1, 2},
                                           {0 - 2 * one, 3},
                                           {(one << 63) - 1, 0 - 2 * one},
                                           {one << 63, 0 - one}}) {
    EXPECT_EQ(number_of_difference(difference), number);
    EXPECT_EQ(difference_of_number(number), difference);
  }
}

TEST(DeltaNsfCodec, ValuesOfEverySizeComeBack) {
  std::mt19937_64 random(seed_of_delta_nsf);
  for (const Type type : delta_nsf_types) {
    const std::uint32_t value_bytes = format::tile_integer::shape_of(type).value_bytes;
    for (std::uint32_t number_bytes = 1; number_bytes <= value_bytes; number_bytes *= 2) {
      for (const std::size_t count : {0, 1, 2, 500}) {
        SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes in " +
                     std::to_string(number_bytes) + ", seed " + std::to_string(seed_of_delta_nsf));
        const ValueBytes block =
            wandering_bytes(value_bytes, 8 * number_bytes, count, count % value_bytes, random);
        const ValueBytes payload = reference::tile_integer::encode_delta_nsf(block, type);
        const auto uncompressed = static_cast<std::uint32_t>(block.size());
        std::uint32_t found = 0;
        ASSERT_NO_THROW(found = format::tile_integer::check_delta_nsf_payload(payload, uncompressed, 0));
        EXPECT_EQ(found, value_bytes);
        if (count == 500) {
          EXPECT_EQ(payload[1], number_bytes);
        }
        EXPECT_LE(payload.size(), format::tile_integer::delta_nsf_rules.max_payload_bytes(1, block.size()));
        EXPECT_TRUE(reference::tile_integer::decode_delta_nsf(payload, uncompressed) == block);
      }
    }
  }
}

TEST(DeltaNsfCodec, TheBaseIsTheFirstValueAndDifferencesWrap) {
  const ValueBytes block = bytes_of({0x80000000, 0x7fffffff, 0x80000001, 0x80000000}, Type::i32);
  EXPECT_TRUE(reference::tile_integer::encode_delta_nsf(block, Type::i32) ==
              payload_of_words({0x00000104, 0, 4, 0, 0x80000000, 0, 0x01040100}, 40));
}

TEST(DeltaNsfCodec, FilesSayTheSizeOfAValueAndDecodeWithoutIt) {
  std::mt19937_64 random(seed_of_delta_nsf);
  const reference::Codec& codec = reference::codec_of(format::tile_integer::delta_nsf_format);
  EXPECT_FALSE(codec.has_option("type"));
  const ValueBytes input = wandering_bytes(8, 8, 5000, 3, random);
  const ValueBytes file = reference::encode_file(
      codec, input, {.block_bytes = 8192, .options = {{"value-bytes", 8}}, .threads = 2});
  EXPECT_LT(file.size(), 6000U);
  EXPECT_TRUE(reference::decode_file(codec, file, 2) == input);
  const ValueBytes raw =
      reference::encode_file(codec, wandering_bytes(4, 32, 500, 0, random), {.threads = 1});
  EXPECT_EQ(format::parse_frame(raw).index.entries[0].record.layout, format::BlockLayout::raw);
}

TEST(DeltaNsfCodec, EveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_delta_nsf);
  const ValueBytes block = wandering_bytes(4, 16, 50, 3, random);
  const ValueBytes payload = reference::tile_integer::encode_delta_nsf(block, Type::i32);
  const auto uncompressed = static_cast<std::uint32_t>(block.size());
  expect_every_byte_counts(payload, block, [&](const ValueBytes& changed) {
    format::tile_integer::check_delta_nsf_payload(changed, uncompressed, changed_block);
    return reference::tile_integer::decode_delta_nsf(changed, uncompressed);
  });
}

class DeltaNsfStageTest : public stage::StageTest {};

INSTANTIATE_TEST_SUITE_P(AllStages, DeltaNsfStageTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::tile_integer::delta_nsf_format)),
                         stage::case_name);

// Lengths at the borders of threads and of parts, at any address.
TEST_P(DeltaNsfStageTest, DecodesEverySizeAndLength) {
  std::mt19937_64 random(seed_of_delta_nsf);
  for (const std::uint32_t value_bytes : {1U, 2U, 4U, 8U}) {
    for (std::uint32_t number_bytes = 1; number_bytes <= value_bytes; number_bytes *= 2) {
      for (const std::size_t count :
           {std::size_t{1}, std::size_t{9}, values_of_difference_part, values_of_difference_part + 1}) {
        SCOPED_TRACE(std::to_string(count) + " values of " + std::to_string(value_bytes) + " bytes in " +
                     std::to_string(number_bytes));
        const ValueBytes column =
            wandering_bytes(value_bytes, 8 * number_bytes, count, value_bytes - 1, random);
        expect_decodes(delta_nsf_frame(column, value_bytes, number_bytes, 1 << 20), column, {}, count % 16);
        if (HasFatalFailure()) return;
      }
    }
  }
  const ValueBytes column = wandering_bytes(4, 8, 4 * values_of_difference_part, 3, random);
  for (const std::uint64_t block_bytes : {2043U, 30000U}) {
    expect_decodes(delta_nsf_frame(column, 4, 4, block_bytes), column, {}, 5);
    if (HasFatalFailure()) return;
  }
}

// Of more parts than a thread block has threads, so that totals are summed in more than one go.
TEST_P(DeltaNsfStageTest, DecodesABlockOfManyParts) {
  std::mt19937_64 random(seed_of_delta_nsf);
  const ValueBytes column = wandering_bytes(2, 8, 257 * values_of_difference_part + 9, 0, random);
  expect_decodes(delta_nsf_frame(column, 2, 1, 1 << 21), column, {}, 0);
}

}  // namespace
}  // namespace gsst::tile_integer
