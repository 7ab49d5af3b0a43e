#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "common/format/codag/rle_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codag/orc_rle_v1_block.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/codag/tests/decode/chunks.hpp"

// Format `orc_rle_v1`: its codec and its rules.
namespace gsst::codag {
namespace {

using format::codag::Problem;
using format::codag::Type;

constexpr std::uint64_t seed_of_v1 = 65;

Chunk decoded_v1(const Chunk& payload, std::size_t bytes) {
  return reference::codag::decode_orc_rle_v1(payload, static_cast<std::uint32_t>(bytes), 3);
}

// The runs of a payload: of each its first byte.
std::vector<unsigned> first_bytes_v1(const Chunk& payload) {
  std::vector<unsigned> firsts;
  for (std::size_t i = 1; i < payload.size();) {
    const unsigned first = payload[i++];
    firsts.push_back(first);
    std::size_t varints = first < 128 ? 1 : 256 - first;
    if (first < 128) ++i;
    for (; varints != 0; ++i) varints -= payload[i] < 128 ? 1 : 0;
  }
  return firsts;
}

void expect_round_trip_v1(const Numbers& numbers, Type type, std::size_t rest = 0) {
  Chunk block = chunk_of(numbers, type);
  block.insert(block.end(), rest, 0xa5);
  const Chunk payload = reference::codag::encode_orc_rle_v1(block, type);
  EXPECT_EQ(format::codag::checked_type(payload, static_cast<std::uint32_t>(block.size()), 0), type);
  EXPECT_LE(payload.size(), format::codag::orc_rle_v1_rules.max_payload_bytes(1, block.size()));
  EXPECT_TRUE(decoded_v1(payload, block.size()) == block);
}

TEST(OrcRleV1Codec, RunsAndListsAreAsTheFormatPageSays) {
  // The example of ORC's specification: 100 values 7 are 61 00 07, and 2, 3, 6, 7, 11 are fb 02 03 06 07 0b.
  EXPECT_EQ(reference::codag::encode_orc_rle_v1(chunk_of(Numbers(100, 7), Type::u32), Type::u32),
            stream_of(Type::u32, {0x61, 0x00, 0x07}));
  EXPECT_EQ(reference::codag::encode_orc_rle_v1(chunk_of({2, 3, 6, 7, 11}, Type::u64), Type::u64),
            stream_of(Type::u64, {0xfb, 2, 3, 6, 7, 11}));
  // 100 to 1 are 61 ff 64, zigzag c8 01.
  const Numbers falling = numbers_of(100, [](std::size_t i) { return 100 - i; });
  EXPECT_EQ(reference::codag::encode_orc_rle_v1(chunk_of(falling, Type::u32), Type::u32),
            stream_of(Type::u32, {0x61, 0xff, 0x64}));
  EXPECT_EQ(reference::codag::encode_orc_rle_v1(chunk_of(falling, Type::i16), Type::i16),
            stream_of(Type::i16, {0x61, 0xff, 0xc8, 0x01}));
}

TEST(OrcRleV1Codec, RunsAndListsOfEveryLengthAreMet) {
  std::map<unsigned, unsigned> census;
  for (std::size_t length = 1; length <= 130; ++length) {
    // A list of that many values whose differences differ, and a run of as many.
    const Numbers list = numbers_of(length, [](std::size_t i) { return i * i * 1000; });
    const Numbers run = numbers_of(length, [](std::size_t i) { return 5 * i; });
    for (const Numbers& numbers : {list, run}) {
      const Chunk block = chunk_of(numbers, Type::i64);
      const Chunk payload = reference::codag::encode_orc_rle_v1(block, Type::i64);
      EXPECT_TRUE(decoded_v1(payload, block.size()) == block);
      for (const unsigned first : first_bytes_v1(payload)) ++census[first];
    }
  }
  EXPECT_EQ(census.size(), 256U);
}

TEST(OrcRleV1Codec, ValuesOfEveryTypeAndLengthComeBack) {
  std::mt19937_64 random(seed_of_v1);
  for (const Type type : all_value_types) {
    for (const std::size_t count : {0U, 1U, 2U, 3U, 127U, 128U, 129U, 130U, 131U, 512U, 513U}) {
      SCOPED_TRACE(std::string(format::codag::shape_of(type).name) + ", " + std::to_string(count) +
                   " values, seed " + std::to_string(seed_of_v1));
      expect_round_trip_v1(Numbers(count, random()), type, format::codag::shape_of(type).value_bytes - 1);
      expect_round_trip_v1(numbers_of(count, [&](std::size_t) { return random(); }), type);
      expect_round_trip_v1(numbers_of(count, [&](std::size_t) { return random() >> random() % 64; }), type);
      expect_round_trip_v1(numbers_of(count, [&](std::size_t i) { return i / 5 * (random() % 3); }), type);
    }
  }
}

TEST(OrcRleV1Codec, RunsWrapAroundTheBordersOfATypeOf64Bits) {
  constexpr std::uint64_t smallest = std::uint64_t{1} << 63;
  for (const Type type : {Type::i64, Type::u64}) {
    for (const std::uint64_t border : {smallest, std::uint64_t{0}}) {
      for (const std::int64_t delta : {-128, -127, -1, 0, 1, 127}) {
        const Numbers run = numbers_of(
            130, [&](std::size_t i) { return border + static_cast<std::uint64_t>(delta) * (i - 65); });
        const Chunk payload = reference::codag::encode_orc_rle_v1(chunk_of(run, type), type);
        EXPECT_EQ(first_bytes_v1(payload), std::vector<unsigned>{127});
        expect_round_trip_v1(run, type);
      }
      for (const std::int64_t delta : {-129, 128}) {
        const Numbers list =
            numbers_of(5, [&](std::size_t i) { return border + static_cast<std::uint64_t>(delta) * i; });
        EXPECT_EQ(first_bytes_v1(reference::codag::encode_orc_rle_v1(chunk_of(list, type), type)),
                  std::vector<unsigned>{251});
      }
    }
    expect_round_trip_v1({smallest, smallest - 1, 0, ~std::uint64_t{0}, smallest, 1}, type);
  }
}

TEST(OrcRleV1Codec, ARunOfANarrowTypeKeepsTheLowestBytes) {
  // 127, 128, 129 of an i8: the run does not know that it has left the type.
  EXPECT_EQ(decoded_v1(stream_of(Type::i8, {0, 1, 0xfe, 0x01}), 3), (Chunk{127, 128, 129}));
}

TEST(OrcRleV1Codec, EveryMistakeIsNamedWithItsByte) {
  const auto refused = [](const std::vector<unsigned>& stream, std::size_t bytes, Problem problem,
                          std::uint64_t byte) {
    expect_problem(problem, byte, [&] { return decoded_v1(stream_of(Type::i32, stream), bytes); });
  };
  refused({}, 4, Problem::too_few_values, 1);
  refused({0, 0, 2}, 16, Problem::too_few_values, 4);
  refused({0, 0, 2}, 8, Problem::too_many_values, 1);
  refused({0xff, 2, 0, 0, 2}, 12, Problem::too_many_values, 3);
  refused({0xff, 2, 0xfe, 2, 2}, 8, Problem::too_many_values, 3);
  refused({0xff, 2, 0}, 16, Problem::cut_run, 3);
  refused({0xff, 2, 0, 0}, 16, Problem::cut_run, 3);
  refused({0xff, 2, 0xfe, 2}, 12, Problem::cut_run, 3);
  refused({0xff, 2, 0xfe, 2, 0x80}, 12, Problem::cut_run, 3);
  const std::vector<unsigned> nine = {0xff, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};
  std::vector<unsigned> stream = nine;
  refused(stream, 4, Problem::cut_run, 1);
  stream.push_back(1);
  EXPECT_EQ(decoded_v1(stream_of(Type::i32, stream), 4), Chunk(4, 0));
  stream.back() = 2;
  refused(stream, 4, Problem::overlong_varint, 1);
  stream.back() = 0x81;
  stream.push_back(0);
  refused(stream, 4, Problem::overlong_varint, 1);
  refused({0xff, 2, 0}, 4, Problem::bytes_left, 3);
  // Three bytes that are no whole value follow the stream.
  refused({0, 7, 7, 7}, 3, Problem::bytes_left, 1);
}

TEST(OrcRleV1Codec, RulesRefuseTypesAndPayloadsWithoutTheRest) {
  const auto expect_field = [](const Chunk& payload, std::uint32_t bytes, const char* field) {
    try {
      format::codag::checked_type(payload, bytes, 3);
      ADD_FAILURE() << "accepted";
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.field(), field);
      EXPECT_EQ(error.block(), 3U);
    }
  };
  expect_field({}, 4, "payload bytes");
  expect_field({6}, 4, "type");
  expect_field({255, 0, 0}, 4, "type");
  expect_field({static_cast<std::uint8_t>(Type::i64), 1, 2}, 3, "payload bytes");
}

TEST(OrcRleV1Codec, StatusWordsSayTheMistakeAndItsByte) {
  const std::uint32_t word = format::codag::status_of(Problem::overlong_varint, 300);
  EXPECT_EQ(word, 300U << 8 | 4);
  EXPECT_EQ(format::codag::orc_rle_v1_rules.describe(word).field, "varints");
  EXPECT_NE(format::codag::orc_rle_v1_rules.describe(word).problem.find("byte 300"), std::string::npos);
  // Places that have no room in a word, and the word of a wrong checksum.
  EXPECT_EQ(format::codag::byte_of(format::codag::status_of(Problem::cut_run, std::uint64_t{1} << 32)),
            format::codag::last_byte_of_status);
  EXPECT_EQ(format::codag::byte_rle_rules.describe(255).field, format::describe_status(255).field);
  EXPECT_EQ(format::codag::byte_rle_rules.describe(8).field, "status");
}

TEST(OrcRleV1Codec, EveryCutAndEveryChangedByteIsRefusedOrChangesTheOutput) {
  std::mt19937_64 random(seed_of_v1);
  const Chunk block =
      chunk_of(numbers_of(60, [&](std::size_t i) { return i < 30 ? 9 : random() % 70000; }), Type::i32);
  const Chunk payload = reference::codag::encode_orc_rle_v1(block, Type::i32);
  const auto is_refused = [&](const Chunk& changed) {
    try {
      format::codag::checked_type(changed, static_cast<std::uint32_t>(block.size()), 3);
      EXPECT_FALSE(decoded_v1(changed, block.size()) == block);
      return false;
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.block(), 3U);
      return true;
    }
  };
  for (std::size_t size = 0; size < payload.size(); ++size) {
    EXPECT_TRUE(is_refused(Chunk(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size))));
  }
  for (std::size_t byte = 1; byte < payload.size(); ++byte) {
    for (const unsigned bits : {0x01U, 0x40U, 0x80U, 0xffU}) {
      Chunk changed = payload;
      changed[byte] = static_cast<std::uint8_t>(changed[byte] ^ bits);
      is_refused(changed);
    }
  }
}

TEST(OrcRleV1Codec, FilesDecodeWithoutBeingToldTheType) {
  const reference::Codec& codec = reference::codec_of(format::codag::orc_rle_v1_format);
  const Chunk input = chunk_of(numbers_of(5000, [](std::size_t i) { return i / 7; }), Type::i64);
  const format::CodecOptions options = {{"type", static_cast<std::uint64_t>(Type::i64)}};
  const Chunk file = reference::encode_file(codec, input, {.block_bytes = 8190, .options = options});
  EXPECT_LT(file.size(), input.size() / 7);
  EXPECT_TRUE(reference::decode_file(codec, file, 1) == input);
  // Numbers that need all of their bits make a list larger than what it stands for.
  const Chunk raw = reference::encode_file(codec, Chunk(400, 0x5a), {.block_bytes = 400});
  EXPECT_EQ(format::parse_frame(raw).index.entries[0].record.layout, format::codag::coded_layout);
  std::mt19937_64 random(seed_of_v1);
  const Chunk noise = chunk_of(numbers_of(100, [&](std::size_t) { return random(); }), Type::i64);
  const Chunk stored = reference::encode_file(codec, noise, {.block_bytes = 800, .options = options});
  EXPECT_EQ(format::parse_frame(stored).index.entries[0].record.layout, format::BlockLayout::raw);
  EXPECT_TRUE(reference::decode_file(codec, stored, 1) == noise);
}

}  // namespace
}  // namespace gsst::codag
