#include "stages/zero_length/feed/feed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"
#include "common/format/zero_length/zero_length.hpp"
#include "reference_cpu/zero_length/elements.hpp"
#include "reference_cpu/zero_length/file_writer.hpp"
#include "stages/zero_length/03_simd/instruction_sets.hpp"
#include "stages/zero_length/tests/inputs.hpp"

namespace gsst::zero_length {
namespace {

using test::Bytes;

// The file that the oracle writes of `input`.
Bytes oracle_file(const Bytes& input, std::uint64_t block_bytes) {
  Bytes file;
  reference::zero_length::write_file(format::zero_length::bare_format, format::reader_of(input),
                                     format::writer_to(file), {.block_bytes = block_bytes}, {},
                                     reference::zero_length::encode_elements, UINT64_MAX);
  return file;
}

// Takes all blocks that are ready.
void drain(Feed& feed, Bytes& file) {
  while (const std::optional<FeedBlock> block = feed.next_block()) {
    file.insert(file.end(), block->bytes.begin(), block->bytes.end());
    feed.release();
  }
}

// Takes blocks until the guard block, as they become ready.
void drain_to_the_end(Feed& feed, Bytes& file) {
  for (bool is_last = false; !is_last;) {
    feed.wait_for_block();
    const std::optional<FeedBlock> block = feed.next_block();
    ASSERT_TRUE(block.has_value());
    is_last = block->uncompressed_bytes == 0;
    file.insert(file.end(), block->bytes.begin(), block->bytes.end());
    feed.release();
  }
}

// Pushes all of `input` in pieces of `piece` bytes. Takes out what is ready after each.
Bytes file_of(const FeedOptions& options, const Bytes& input, std::size_t piece) {
  Feed feed(options);
  Bytes file;
  for (std::span<const std::uint8_t> rest = input; !rest.empty();) {
    const std::size_t taken = feed.push(rest.first(std::min(piece, rest.size())));
    rest = rest.subspan(taken);
    if (taken == 0) feed.wait_for_block();
    drain(feed, file);
  }
  feed.finish();
  drain_to_the_end(feed, file);
  return file;
}

TEST(ZeroLengthFeed, WritesTheOraclesBytesWhateverIsPushedAtOnce) {
  const std::uint64_t seed = test::first_seed();
  for (const std::uint64_t block_bytes : {1, 2, 63, 64, 1009, 4096}) {
    for (const std::size_t size : {std::uint64_t{0}, std::uint64_t{1}, block_bytes - 1, block_bytes,
                                   block_bytes + 1, 5 * block_bytes, 7 * block_bytes + 3}) {
      const Bytes input = test::random_mix(size, seed + size);
      const Bytes expected = oracle_file(input, block_bytes);
      for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{61}, std::size_t{1013},
                                      std::size_t{3 * block_bytes}, std::size_t{3 * block_bytes + 5}}) {
        for (const std::uint32_t slots : {1, 2, 3}) {
          for (const std::uint32_t threads : {0, 1, 3}) {
            // Many threads start and end: of few sizes only.
            if (threads != 0 && piece != 61 && piece != 3 * block_bytes) continue;
            const FeedOptions options = {.block_bytes = block_bytes, .slots = slots, .threads = threads};
            ASSERT_EQ(file_of(options, input, piece), expected)
                << block_bytes << " bytes a block, " << size << " bytes, pushed by " << piece << ", " << slots
                << " slots, " << threads << " threads";
          }
        }
      }
    }
  }
}

TEST(ZeroLengthFeed, EachInstructionSetWritesTheSame) {
  const Bytes input = test::random_floats(100'003, test::first_seed(), 20);
  const Bytes expected = oracle_file(input, 4099);
  for (const auto& set : simd::instruction_sets()) {
    const FeedOptions options = {.block_bytes = 4099,
                                 .vector_bytes = static_cast<std::uint32_t>(set.vector_bytes)};
    EXPECT_EQ(Feed(options).options().vector_bytes, set.vector_bytes);
    EXPECT_EQ(file_of(options, input, 10'007), expected) << set.vector_bytes;
  }
}

TEST(ZeroLengthFeed, EveryShortStringIsEncoded) {
  test::for_each_short_string(5, [](const Bytes& string) {
    ASSERT_EQ(file_of({.block_bytes = 3, .slots = 1}, string, 2), oracle_file(string, 3));
  });
}

TEST(ZeroLengthFeed, AFullRingTakesNothingMoreUntilABlockIsReleased) {
  for (const std::uint32_t threads : {0, 2}) {
    Feed feed({.block_bytes = 10, .slots = 2, .threads = threads});
    const Bytes input(100, 7);
    EXPECT_EQ(feed.push(input), 20U);
    EXPECT_EQ(feed.push(input), 0U);
    EXPECT_EQ(feed.state().pushed_bytes, 20U);
    EXPECT_EQ(feed.state().filled_blocks, 2U);
    feed.wait_for_block();
    ASSERT_TRUE(feed.next_block());
    // A block that is out keeps its slot.
    EXPECT_EQ(feed.push(input), 0U);
    EXPECT_EQ(feed.state().handed_out_blocks, 1U);
    feed.release();
    EXPECT_EQ(feed.state().released_blocks, 1U);
    EXPECT_EQ(feed.push(std::span(input).first(4)), 4U);
    EXPECT_EQ(feed.push(input), 6U);
    EXPECT_EQ(feed.push(input), 0U);
  }
}

TEST(ZeroLengthFeed, BlocksThatAreOutStayAsTheyAre) {
  Feed feed({.block_bytes = 4, .slots = 3});
  const Bytes input = {1, 2, 3, 4, 0, 0, 0, 0, 255, 255, 255, 255, 9};
  EXPECT_EQ(feed.push(input), 12U);
  std::vector<FeedBlock> blocks;
  while (const std::optional<FeedBlock> block = feed.next_block()) blocks.push_back(*block);
  ASSERT_EQ(blocks.size(), 3U);
  feed.release();
  EXPECT_EQ(feed.push(std::span(input).subspan(12)), 1U);
  feed.finish();
  EXPECT_EQ(blocks[1].index, 1U);
  EXPECT_TRUE(
      std::ranges::equal(blocks[1].bytes, Bytes{18, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 255, 4}));
  EXPECT_EQ(blocks[2].uncompressed_bytes, 4U);
  EXPECT_EQ(blocks[2].bytes.size(), 24U);
  feed.release();
  feed.release();
  const std::optional<FeedBlock> last = feed.next_block();
  ASSERT_TRUE(last);
  EXPECT_EQ(last->uncompressed_bytes, 1U);
  EXPECT_EQ(last->bytes.back(), 9);
}

TEST(ZeroLengthFeed, WhatWasReleasedLastIsTakenFirst) {
  for (const std::uint32_t threads : {0, 2}) {
    Feed feed({.block_bytes = 64, .slots = 8, .threads = threads});
    const std::uint8_t* first = nullptr;
    for (int i = 0; i < 20; ++i) {
      ASSERT_EQ(feed.push(Bytes(64, 7)), 64U);
      feed.wait_for_block();
      const std::optional<FeedBlock> block = feed.next_block();
      ASSERT_TRUE(block.has_value());
      if (first == nullptr) first = block->bytes.data();
      EXPECT_EQ(block->bytes.data(), first) << "block " << i << ", " << threads << " threads";
      feed.release();
    }
  }
}

TEST(ZeroLengthFeed, AnEmptyFeedIsAGuardBlock) {
  for (const std::uint32_t threads : {0, 1}) {
    Feed feed({.threads = threads});
    EXPECT_FALSE(feed.next_block());
    feed.finish();
    feed.wait_for_block();
    const std::optional<FeedBlock> guard = feed.next_block();
    ASSERT_TRUE(guard);
    EXPECT_EQ(guard->index, 0U);
    EXPECT_EQ(guard->uncompressed_bytes, 0U);
    EXPECT_TRUE(std::ranges::equal(guard->bytes, Bytes(8, 0)));
    feed.release();
    feed.wait_for_block();
    EXPECT_FALSE(feed.next_block());
    EXPECT_EQ(feed.state().released_blocks, 0U);
  }
}

TEST(ZeroLengthFeed, FinishingNeedsNoSlot) {
  Feed feed({.block_bytes = 2, .slots = 1});
  EXPECT_EQ(feed.push(Bytes(2, 5)), 2U);
  feed.finish();
  EXPECT_EQ(feed.next_block()->bytes.size(), 18U);
  EXPECT_EQ(feed.next_block()->bytes.size(), 8U);
}

TEST(ZeroLengthFeed, WhatIsOutOfRangeIsRefused) {
  EXPECT_THROW(Feed({.block_bytes = 0}), std::invalid_argument);
  EXPECT_THROW(Feed({.block_bytes = (std::uint64_t{1} << 30) + 1}), std::invalid_argument);
  EXPECT_THROW(Feed({.slots = 0}), std::invalid_argument);
  EXPECT_THROW(Feed({.slots = 65537}), std::invalid_argument);
  EXPECT_THROW(Feed({.threads = 1025}), std::invalid_argument);
  EXPECT_THROW(Feed({.vector_bytes = 24}), std::invalid_argument);
  Feed feed({.block_bytes = 4});
  EXPECT_THROW(feed.release(), std::invalid_argument);
  feed.finish();
  EXPECT_THROW(feed.push(Bytes(1)), std::invalid_argument);
  EXPECT_THROW(feed.finish(), std::invalid_argument);
  ASSERT_TRUE(feed.next_block());
  feed.release();
  EXPECT_THROW(feed.release(), std::invalid_argument);
}

TEST(ZeroLengthFeed, AFeedThatNobodyEmptiesEnds) {
  Feed feed({.block_bytes = 1000, .slots = 8, .threads = 2});
  EXPECT_EQ(feed.push(Bytes(100'000, 3)), 8000U);
}

TEST(ZeroLengthFeed, OneThreadPushesWhileAnotherTakes) {
  const std::uint64_t seed = test::first_seed();
  for (const std::uint32_t threads : {0, 1, 3}) {
    for (const std::uint32_t slots : {1, 4}) {
      const Bytes input = test::random_mix(300'007, seed + slots);
      Feed feed({.block_bytes = 1021, .slots = slots, .threads = threads});
      std::jthread pushing([&] {
        for (std::span<const std::uint8_t> rest = input; !rest.empty();) {
          feed.wait_for_room();
          rest = rest.subspan(feed.push(rest.first(std::min<std::size_t>(rest.size(), 2503))));
        }
        feed.finish();
      });
      Bytes file;
      drain_to_the_end(feed, file);
      EXPECT_EQ(file, oracle_file(input, 1021)) << threads << " threads, " << slots << " slots";
    }
  }
}

}  // namespace
}  // namespace gsst::zero_length
