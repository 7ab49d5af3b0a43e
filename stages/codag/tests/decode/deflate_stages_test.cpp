#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/codag/deflate.hpp"
#include "common/frame/frame.hpp"
#include "reference_cpu/codag/inflate.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/codag/tests/decode/chunks.hpp"
#include "stages/codag/tests/decode/deflate_frames.hpp"
#include "stages/suite/stage_test.hpp"
#include "stages/suite/test_sample.hpp"

// Stages that decode format deflate: files that an implementation of its own has made, all that a match can
// be, and each mistake where the oracle names it.
namespace gsst::codag {
namespace {

using format::codag::DeflateStatus;
using reference::codag::InflateCensus;
using reference::codag::Inflated;

const std::string folder_of_deflate = "data/golden/codag/";

struct GoldenDeflate {
  std::string name;
  Chunk file;
  // 0 for a file that is right.
  std::uint32_t status;
  std::size_t block;
};

// Files of the format whose frames are right.
std::vector<GoldenDeflate> golden_deflate(const char* list) {
  std::ifstream file(folder_of_deflate + "golden.json");
  if (!file) throw std::runtime_error(folder_of_deflate + "golden.json: cannot be read");
  const nlohmann::json all = nlohmann::json::parse(file);
  std::vector<GoldenDeflate> files;
  for (const nlohmann::json& entry : all.at(list)) {
    if (entry.at("format") != "deflate") continue;
    const bool is_right = !entry.contains("status");
    if (!is_right && entry.at("status").is_null()) continue;
    const std::string name = entry.at("file");
    files.push_back({.name = name,
                     .file = reference::test::read_file(folder_of_deflate + name),
                     .status = is_right ? 0
                                        : format::codag::deflate_status_word(
                                              DeflateStatus{entry.at("status").get<std::uint8_t>()},
                                              entry.at("byte").get<std::uint64_t>()),
                     .block = is_right ? 0 : entry.at("block").get<std::size_t>()});
  }
  return files;
}

class DeflateStagesTest : public stage::StageTest {
protected:
  static const reference::Codec& codec() { return reference::codec_of(format::codag::deflate_format); }

  // The payloads of the frame that the codec makes of `input` at a level.
  static std::vector<Chunk> streams_of(const Chunk& input, std::size_t block_bytes, std::uint32_t level) {
    const Chunk file =
        reference::encode_file(codec(), input, {.block_bytes = block_bytes, .level = level, .threads = 1});
    std::vector<Chunk> streams;
    for (const format::IndexEntry& entry : format::parse_frame(file).index.entries) {
      if (entry.record.layout == format::BlockLayout::raw) continue;
      const auto begin = file.begin() + static_cast<std::ptrdiff_t>(entry.payload_offset);
      streams.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(entry.record.payload_bytes));
    }
    return streams;
  }

  // Decodes streams of blocks of `block_bytes` bytes, of which some are wrong, and expects what the oracle
  // says of each.
  void expect_as_inflated(const std::vector<Chunk>& streams, std::size_t block_bytes,
                          std::size_t shift) const {
    const stage::DecodeResult result = decode_guarded(frame_of_streams(streams, block_bytes), {}, shift);
    for (std::size_t block = 0; block < streams.size(); ++block) {
      SCOPED_TRACE("block " + std::to_string(block));
      const Inflated right = reference::codag::inflate_payload(streams[block], block_bytes);
      ASSERT_EQ(result.statuses[block], deflate_status(right, block_bytes));
      // Right as far as it goes.
      ASSERT_TRUE(
          std::ranges::equal(result.output().subspan(block * block_bytes, right.bytes.size()), right.bytes));
    }
  }
};

INSTANTIATE_TEST_SUITE_P(AllStages, DeflateStagesTest,
                         testing::ValuesIn(stage::stage_cases(stage::Operation::decode,
                                                              format::codag::deflate_format)),
                         stage::case_name);

TEST_P(DeflateStagesTest, DecodesEveryGoldenFile) {
  const std::vector<GoldenDeflate> files = golden_deflate("valid");
  ASSERT_GT(files.size(), 20U);
  std::size_t shift = 0;
  for (const GoldenDeflate& golden : files) {
    SCOPED_TRACE(golden.name);
    expect_decodes(golden.file, reference::decode_file(codec(), golden.file, 1), {}, shift++);
    if (HasFatalFailure()) return;
  }
}

TEST_P(DeflateStagesTest, NamesTheMistakeOfEveryGoldenFile) {
  std::array<bool, format::codag::last_deflate_status + 1> met{};
  for (const GoldenDeflate& golden : golden_deflate("invalid")) {
    SCOPED_TRACE(golden.name);
    const stage::DecodeResult result = decode_guarded(golden.file, {}, 5);
    EXPECT_EQ(result.statuses.at(golden.block), golden.status);
    met.at(golden.status & 0xff) = true;
  }
  EXPECT_EQ(std::ranges::count(met, true), format::codag::last_deflate_status);
}

// Every cut of a small stream of each kind, and its bits: those of the codes' lengths, then of elements.
TEST_P(DeflateStagesTest, NamesEachMistakeOfChangedStreamsAsTheOracleDoes) {
  const Chunk block = reference::test::make_text(240, 6);
  for (const std::uint32_t level : {1U, 12U}) {
    const std::vector<Chunk> streams = streams_of(block, block.size(), level);
    ASSERT_EQ(streams.size(), 1U);
    const Chunk& stream = streams[0];
    std::vector<Chunk> changed;
    for (std::size_t size = 1; size < stream.size(); ++size) {
      changed.emplace_back(stream.begin(), stream.begin() + static_cast<std::ptrdiff_t>(size));
    }
    for (std::size_t bit = 0; bit < 8 * stream.size(); bit += bit < 240 ? 1 : 11) {
      changed.push_back(stream);
      changed.back()[bit / 8] ^= static_cast<std::uint8_t>(1U << bit % 8);
    }
    std::vector<Chunk> taken;
    for (std::size_t number = 0; number < changed.size(); ++number) {
      if (test::test_sample().has(number)) taken.push_back(changed[number]);
    }
    expect_as_inflated(taken, block.size(), level);
    if (HasFatalFailure()) return;
  }
}

// Matches of the longest length that repeat 1 to 5 bytes, from a byte at every place in a word on.
TEST_P(DeflateStagesTest, CopiesLongMatchesOfShortDistances) {
  InflateCensus census;
  for (std::size_t before = 0; before < 4; ++before) {
    Chunk input;
    constexpr std::size_t block_bytes = 700;
    for (std::size_t distance = 1; distance <= 5; ++distance) {
      const Chunk noise = reference::test::make_random(before + distance, 8 * before + distance);
      Chunk block = noise;
      while (block.size() < block_bytes) block.push_back(block[block.size() - distance]);
      input.insert(input.end(), block.begin(), block.end());
    }
    const std::vector<Chunk> streams = streams_of(input, block_bytes, 9);
    ASSERT_EQ(streams.size(), 5U);
    for (const Chunk& stream : streams) reference::codag::inflate_payload(stream, block_bytes, &census);
    expect_as_inflated(streams, block_bytes, before);
    if (HasFatalFailure()) return;
  }
  EXPECT_GE(census.match_lengths[format::codag::deflate_longest_match], 40U);
  for (std::size_t symbol = 0; symbol < 5; ++symbol) EXPECT_GT(census.distance_symbols[symbol], 3U);
}

// Keys of which each is a byte and a copy of the one before, for keys shorter and longer than a warp has
// lanes: chains of matches, some of which overlap themselves and begin anywhere.
TEST_P(DeflateStagesTest, CopiesChainsOfMatches) {
  constexpr std::size_t block_bytes = 2500;
  InflateCensus census;
  Chunk input;
  for (const std::size_t key_bytes : {4U, 5U, 8U, 15U, 31U, 32U, 33U, 64U}) {
    const Chunk key = reference::test::make_random(key_bytes, key_bytes);
    Chunk block;
    for (std::size_t number = 0; block.size() < block_bytes; ++number) {
      const std::size_t times = 1 + key[number % key_bytes] % 3;
      for (std::size_t i = 0; i < times; ++i) {
        block.insert(block.end(), key.begin(), key.end());
        block[block.size() - key_bytes] = static_cast<std::uint8_t>(number);
      }
    }
    block.resize(block_bytes);
    input.insert(input.end(), block.begin(), block.end());
  }
  const std::vector<Chunk> streams = streams_of(input, block_bytes, 9);
  ASSERT_EQ(streams.size(), 8U);
  for (const Chunk& stream : streams) reference::codag::inflate_payload(stream, block_bytes, &census);
  expect_as_inflated(streams, block_bytes, 3);
  EXPECT_GT(std::accumulate(census.distance_symbols.begin(), census.distance_symbols.end(), std::size_t{0}),
            800U);
}

// Stored sections of many lines, and empty ones, before coded sections.
TEST_P(DeflateStagesTest, DecodesLongStoredSections) {
  const Chunk text = reference::test::make_text(800, 9);
  const std::vector<Chunk> coded = streams_of(text, text.size(), 9);
  ASSERT_EQ(coded.size(), 1U);
  for (const std::size_t bytes : {0U, 1U, 255U, 256U, 257U, 9000U}) {
    Chunk stream;
    for (const std::size_t length : {std::size_t{0}, bytes, std::size_t{0}, std::size_t{0}}) {
      const Chunk stored = reference::test::make_random(length, length);
      for (const std::size_t number : {std::size_t{0}, length, length >> 8, ~length, ~length >> 8}) {
        stream.push_back(static_cast<std::uint8_t>(number));
      }
      stream.insert(stream.end(), stored.begin(), stored.end());
    }
    stream.insert(stream.end(), coded[0].begin(), coded[0].end());
    SCOPED_TRACE(std::to_string(bytes) + " stored bytes");
    ASSERT_EQ(reference::codag::inflate_payload(stream, bytes + text.size()).status, DeflateStatus::decoded);
    // At some other sizes of the block too: too short, and too long within the stored section.
    expect_as_inflated({stream, stream}, bytes + text.size(), bytes % 19);
    expect_as_inflated({stream}, bytes + text.size() + 1, 0);
    expect_as_inflated({stream}, bytes / 2 + 600, 1);
    if (HasFatalFailure()) return;
  }
}

// Chunks of many sections and thousands of elements: text, the longest matches only, noise that is stored,
// and short matches that each need the one before. A middle byte of each stream is changed, too.
TEST_P(DeflateStagesTest, DecodesLongChunksOfAllKinds) {
  constexpr std::size_t block_bytes = 24000;
  Chunk input = reference::test::make_text(2 * block_bytes, 8);
  input.insert(input.begin() + block_bytes, 2 * block_bytes, std::uint8_t{7});
  const Chunk noise = reference::test::make_random(block_bytes / 2, 9);
  input.insert(input.begin() + block_bytes / 2, noise.begin(), noise.end());
  for (std::size_t i = 0; i < block_bytes / 8; ++i) {
    for (std::size_t byte = 0; byte < 8; ++byte) {
      input.push_back(static_cast<std::uint8_t>(byte == 0 ? i : byte == 1 ? i / 256 : 0));
    }
  }
  input.resize(input.size() / block_bytes * block_bytes);
  for (const std::uint32_t level : {1U, 9U}) {
    std::vector<Chunk> streams = streams_of(input, block_bytes, level);
    ASSERT_GE(streams.size(), 4U);
    const std::size_t right = streams.size();
    for (std::size_t number = 0; number < right; ++number) {
      streams.push_back(streams[number]);
      streams.back()[streams.back().size() / 2] ^= 0x10;
    }
    expect_as_inflated(streams, block_bytes, level);
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace gsst::codag
