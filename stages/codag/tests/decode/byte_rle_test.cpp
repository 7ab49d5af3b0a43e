#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "common/format/codag/rle_rules.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codag/byte_rle_block.hpp"
#include "reference_cpu/codec.hpp"
#include "stages/codag/tests/decode/chunks.hpp"

// Format `byte_rle`: its codec and its rules.
namespace gsst::codag {
namespace {

using format::codag::Problem;

constexpr std::uint64_t seed_of_byte_rle = 64;

Chunk decoded_bytes(const Chunk& payload, std::size_t bytes) {
  return reference::codag::decode_byte_rle(payload, static_cast<std::uint32_t>(bytes), 3);
}

void expect_bytes_come_back(const Chunk& block) {
  const Chunk payload = reference::codag::encode_byte_rle(block);
  EXPECT_LE(payload.size(), format::codag::byte_rle_rules.max_payload_bytes(1, block.size()));
  EXPECT_TRUE(decoded_bytes(payload, block.size()) == block);
}

TEST(ByteRleCodec, RunsAndListsAreAsOrcSays) {
  // The examples of ORC's specification: 100 zeros are 61 00, and 44 45 are fe 44 45.
  EXPECT_EQ(reference::codag::encode_byte_rle(Chunk(100, 0)), (Chunk{0x61, 0x00}));
  EXPECT_EQ(reference::codag::encode_byte_rle(Chunk{0x44, 0x45}), (Chunk{0xfe, 0x44, 0x45}));
  EXPECT_EQ(reference::codag::encode_byte_rle(Chunk{1, 1, 2, 2, 2, 3}),
            (Chunk{0xfe, 1, 1, 0x00, 2, 0xff, 3}));
}

TEST(ByteRleCodec, RunsAndListsOfEveryLengthAreMet) {
  std::map<unsigned, unsigned> census;
  for (std::size_t length = 1; length <= 130; ++length) {
    Chunk list;
    for (std::size_t i = 0; i < length; ++i) list.push_back(static_cast<std::uint8_t>(i));
    for (const Chunk& block : {list, Chunk(length, 0x80)}) {
      const Chunk payload = reference::codag::encode_byte_rle(block);
      EXPECT_TRUE(decoded_bytes(payload, length) == block);
      ++census[payload[0]];
    }
  }
  EXPECT_EQ(census.size(), 256U);
}

TEST(ByteRleCodec, BytesOfEveryLengthComeBack) {
  std::mt19937_64 random(seed_of_byte_rle);
  for (const std::size_t count : {0U, 1U, 2U, 3U, 127U, 128U, 129U, 130U, 131U, 133U, 512U, 513U}) {
    SCOPED_TRACE(std::to_string(count) + " bytes, seed " + std::to_string(seed_of_byte_rle));
    expect_bytes_come_back(Chunk(count, 0xff));
    for (const unsigned kinds : {2U, 3U, 256U}) {
      Chunk block;
      for (std::size_t i = 0; i < count; ++i) block.push_back(static_cast<std::uint8_t>(random() % kinds));
      expect_bytes_come_back(block);
    }
  }
}

TEST(ByteRleCodec, EveryMistakeIsNamedWithItsByte) {
  const auto refused = [](const Chunk& stream, std::size_t bytes, Problem problem, std::uint64_t byte) {
    expect_problem(problem, byte, [&] { return decoded_bytes(stream, bytes); });
  };
  refused({}, 1, Problem::too_few_values, 0);
  refused({0, 7}, 4, Problem::too_few_values, 2);
  refused({0xff, 1, 0, 7}, 3, Problem::too_many_values, 2);
  refused({0xff, 1, 0xfe, 7, 7}, 2, Problem::too_many_values, 2);
  refused({0xff, 1, 0}, 4, Problem::cut_run, 2);
  refused({0xff, 1, 0xfe}, 3, Problem::cut_run, 2);
  refused({0xff, 1, 0xfe, 7}, 3, Problem::cut_run, 2);
  refused({0xff, 1, 0}, 1, Problem::bytes_left, 2);
}

TEST(ByteRleCodec, FilesAreRawWhereCodingDoesNotPay) {
  const reference::Codec& codec = reference::codec_of(format::codag::byte_rle_format);
  EXPECT_FALSE(codec.has_option("type"));
  Chunk input;
  for (std::size_t i = 0; i < 3000; ++i) input.push_back(static_cast<std::uint8_t>(i < 1000 ? i : i / 9));
  const Chunk file = reference::encode_file(codec, input, {.block_bytes = 1000, .threads = 2});
  const format::FrameView frame = format::parse_frame(file);
  EXPECT_EQ(frame.index.entries[0].record.layout, format::BlockLayout::raw);
  EXPECT_EQ(frame.index.entries[1].record.layout, format::codag::coded_layout);
  EXPECT_TRUE(reference::decode_file(codec, file, 1) == input);
}

}  // namespace
}  // namespace gsst::codag
