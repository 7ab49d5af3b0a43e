#include "experiments/measure_line_rate_gpu/block_ring.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/paced_source.hpp"

namespace gsst::experiments {
namespace {

constexpr std::uint64_t ring_block_bytes = 40;
constexpr std::uint64_t ring_packet_bytes = 10;

std::uint8_t byte_of_block(std::uint32_t source, std::uint64_t number) {
  return static_cast<std::uint8_t>(source * 101 + number * 7 + 1);
}

std::vector<std::uint8_t> packet_of(std::uint32_t source, std::uint64_t number) {
  return std::vector<std::uint8_t>(ring_packet_bytes, byte_of_block(source, number));
}

// Pushes the packets of one block. Returns whether it got a slot.
bool push_block(BlockRing& ring, std::uint32_t source, std::uint64_t number) {
  const std::vector<std::uint8_t> packet = packet_of(source, number);
  if (ring.receiver(source).push(packet) == 0) return false;
  for (std::uint64_t i = 1; i < ring_block_bytes / ring_packet_bytes; ++i) {
    EXPECT_EQ(ring.receiver(source).push(packet), ring_packet_bytes);
  }
  return true;
}

void expect_blocks(const BlockRing& ring, const BlockRing::FullBlocks& blocks) {
  ASSERT_EQ(blocks.bytes.size(), blocks.count * ring_block_bytes);
  for (std::uint64_t i = 0; i < blocks.count; ++i) {
    const BlockRing::Origin origin = ring.origin(blocks.first + i);
    const auto bytes = blocks.bytes.subspan(i * ring_block_bytes, ring_block_bytes);
    EXPECT_EQ(std::ranges::count(bytes, byte_of_block(origin.source, origin.number)),
              std::ptrdiff_t{ring_block_bytes})
        << blocks.first + i;
  }
}

TEST(MeasureLineRateBlockRing, WhatIsFullComesInOrderUpToTheEndOfTheMemory) {
  BlockRing ring(stage::Executor::simt, ring_block_bytes, 5, 1);
  for (std::uint64_t number = 0; number < 4; ++number) ASSERT_TRUE(push_block(ring, 0, number));
  BlockRing::FullBlocks blocks = ring.wait_for_full(3);
  EXPECT_EQ(blocks.first, 0U);
  EXPECT_EQ(blocks.count, 3U);
  expect_blocks(ring, blocks);
  ring.release(3);
  for (std::uint64_t number = 4; number < 8; ++number) ASSERT_TRUE(push_block(ring, 0, number));
  blocks = ring.wait_for_full(100);
  EXPECT_EQ(blocks.first, 3U);
  EXPECT_EQ(blocks.count, 2U);
  expect_blocks(ring, blocks);
  blocks = ring.wait_for_full(100);
  EXPECT_EQ(blocks.first, 5U);
  EXPECT_EQ(blocks.count, 3U);
  expect_blocks(ring, blocks);
  ring.receiver(0).finish();
  EXPECT_EQ(ring.wait_for_full(100).count, 0U);
}

TEST(MeasureLineRateBlockRing, ABlockNeedsASlotThatWasReleased) {
  BlockRing ring(stage::Executor::simt, ring_block_bytes, 2, 1);
  EXPECT_TRUE(push_block(ring, 0, 0));
  EXPECT_TRUE(push_block(ring, 0, 1));
  EXPECT_FALSE(push_block(ring, 0, 2));
  // Taken is not released.
  EXPECT_EQ(ring.wait_for_full(1).count, 1U);
  EXPECT_FALSE(push_block(ring, 0, 2));
  ring.release(1);
  EXPECT_TRUE(push_block(ring, 0, 2));
  EXPECT_FALSE(push_block(ring, 0, 3));
  for (const std::uint64_t first : {1U, 2U}) {
    const BlockRing::FullBlocks blocks = ring.wait_for_full(9);
    EXPECT_EQ(blocks.first, first);
    EXPECT_EQ(blocks.count, 1U);
    EXPECT_EQ(ring.origin(first).number, first);
    expect_blocks(ring, blocks);
  }
}

TEST(MeasureLineRateBlockRing, ABlockWaitsForThoseThatGotTheirSlotsBefore) {
  BlockRing ring(stage::Executor::simt, ring_block_bytes, 4, 2);
  const std::vector<std::uint8_t> packet = packet_of(1, 0);
  ASSERT_TRUE(push_block(ring, 0, 0));
  ASSERT_EQ(ring.receiver(1).push(packet), ring_packet_bytes);
  ASSERT_TRUE(push_block(ring, 0, 1));
  ring.receiver(0).finish();
  EXPECT_EQ(ring.wait_for_full(4).count, 1U);
  for (int i = 1; i < 4; ++i) ASSERT_EQ(ring.receiver(1).push(packet), ring_packet_bytes);
  const BlockRing::FullBlocks blocks = ring.wait_for_full(4);
  EXPECT_EQ(blocks.count, 2U);
  EXPECT_EQ(ring.origin(1).source, 1U);
  EXPECT_EQ(ring.origin(2).source, 0U);
  expect_blocks(ring, blocks);
  ring.receiver(1).finish();
  EXPECT_EQ(ring.wait_for_full(4).count, 0U);
}

TEST(MeasureLineRateBlockRing, ASourceLosesWhatFindsNoSlot) {
  const std::vector<std::uint8_t> data(4 * ring_block_bytes, 7);
  const ExpectedBlocks blocks(data, ring_block_bytes);
  BlockRing ring(stage::Executor::simt, ring_block_bytes, 3, 1);
  // Six blocks, and nobody takes any out.
  PacedSource source(blocks,
                     {.gigabits_per_second = 0.001,
                      .packet_bytes = ring_packet_bytes,
                      .duration = std::chrono::microseconds(6 * 8 * ring_block_bytes)},
                     ring.receiver(0), 3);
  ASSERT_EQ(source.planned_blocks(), 6U);
  source.run();
  const std::uint64_t delivered = std::min<std::uint64_t>(3, source.offered_blocks());
  EXPECT_EQ(source.lost_blocks(), source.offered_blocks() - delivered);
  EXPECT_EQ(ring.wait_for_full(6).count, delivered);
  for (std::uint64_t block = 0; block < delivered; ++block) {
    EXPECT_EQ(source.delivered(block).content, (3 + block) % 4);
  }
  EXPECT_EQ(ring.wait_for_full(6).count, 0U);
}

TEST(MeasureLineRateBlockRing, SeveralSourcesAndTwoThreadsThatEmptyIt) {
  constexpr std::uint32_t sources = 3;
  constexpr std::uint64_t blocks_of_source = 400;
  BlockRing ring(stage::Executor::simt, ring_block_bytes, 7, sources);
  std::vector<std::uint64_t> arrived(sources);
  std::vector<std::jthread> threads;
  for (std::uint32_t source = 0; source < sources; ++source) {
    threads.emplace_back([&ring, source] {
      for (std::uint64_t number = 0; number < blocks_of_source; ++number) {
        while (!push_block(ring, source, number)) std::this_thread::yield();
      }
      ring.receiver(source).finish();
    });
  }
  for (std::uint64_t next = 0; true;) {
    const std::uint64_t most = 1 + next % 3;
    const BlockRing::FullBlocks blocks = ring.wait_for_full(most);
    if (blocks.count == 0) break;
    EXPECT_EQ(blocks.first, next);
    EXPECT_LE(blocks.count, most);
    expect_blocks(ring, blocks);
    for (; next < blocks.first + blocks.count; ++next) {
      const BlockRing::Origin origin = ring.origin(next);
      EXPECT_EQ(origin.number, arrived[origin.source]++);
    }
    std::jthread([&] { ring.release(blocks.count); });
  }
  EXPECT_EQ(arrived, std::vector<std::uint64_t>(sources, blocks_of_source));
}

}  // namespace
}  // namespace gsst::experiments
