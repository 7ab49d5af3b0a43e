#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_line_rate/expected_blocks.hpp"
#include "experiments/measure_line_rate/feed_receiver.hpp"
#include "experiments/measure_line_rate/line_rate_row.hpp"
#include "experiments/measure_line_rate/line_rate_run.hpp"
#include "experiments/measure_line_rate/paced_source.hpp"

namespace gsst::experiments {
namespace {

using std::chrono::milliseconds;
using zero_length::Feed;
using zero_length::FeedBlock;

// Four blocks of 100 bytes and a rest, all different.
std::vector<std::uint8_t> made_up_data() {
  std::vector<std::uint8_t> data(430);
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<std::uint8_t>(i * i / 7 % 5 == 0 ? 0 : i);
  return data;
}

TEST(MeasureLineRate, AnUnhurriedSourceLosesNothing) {
  const std::vector<std::uint8_t> data = made_up_data();
  const ExpectedBlocks blocks(data, 100);
  ASSERT_EQ(blocks.count(), 4U);
  // As many slots as blocks: whenever the encoder runs, it is early enough. 0.008 bits a nanosecond.
  const Pace pace = {.gigabits_per_second = 0.008, .packet_bytes = 20, .duration = milliseconds(5)};
  const PacedRun run = run_line_rate(blocks, pace, {.block_bytes = 100, .slots = 50, .threads = 2});
  EXPECT_EQ(run.lost_blocks, 0U);
  EXPECT_LE(run.offered_blocks, 50U);
  EXPECT_GE(run.offered_blocks, 1U);
  EXPECT_GE(run.seconds, static_cast<double>(run.offered_blocks) * 100e-6 * 0.999);
  EXPECT_GT(run.delays.half, 0);
  EXPECT_GE(run.delays.longest, run.delays.of_99_9_percent);
}

TEST(MeasureLineRate, ABlockWithoutASlotIsLostAndTheNextContentFollows) {
  const std::vector<std::uint8_t> data = made_up_data();
  const ExpectedBlocks blocks(data, 100);
  Feed feed({.block_bytes = 100, .slots = 3});
  // Six blocks, and nobody takes any out.
  FeedReceiver receiver(feed);
  PacedSource source(blocks, {.gigabits_per_second = 0.001, .packet_bytes = 50, .duration = milliseconds(5)},
                     receiver);
  ASSERT_EQ(source.planned_blocks(), 6U);
  source.run();
  EXPECT_LE(source.offered_blocks(), 6U);
  const std::uint64_t delivered = std::min<std::uint64_t>(3, source.offered_blocks());
  EXPECT_EQ(source.lost_blocks(), source.offered_blocks() - delivered);
  for (std::uint64_t index = 0; index < delivered; ++index) {
    const std::optional<FeedBlock> block = feed.next_block();
    ASSERT_TRUE(block);
    EXPECT_EQ(source.delivered(index).content, index);
    blocks.check_all(*block, index);
    EXPECT_THROW(blocks.check_all(*block, (index + 1) % 4), MismatchError);
  }
  EXPECT_EQ(feed.next_block()->uncompressed_bytes, 0U);
}

TEST(MeasureLineRate, PiecesShowOtherBytes) {
  const std::vector<std::uint8_t> data(1 << 16, 7);
  std::vector<std::uint8_t> other = data;
  // One byte in 32: each piece of 64 has one.
  for (std::size_t i = 0; i < other.size(); i += 32) other[i] = 8;
  const ExpectedBlocks blocks(data, 1 << 16);
  for (const bool is_other : {false, true}) {
    Feed feed({.block_bytes = 1 << 16});
    feed.push(is_other ? other : data);
    const std::optional<FeedBlock> block = feed.next_block();
    ASSERT_TRUE(block);
    if (is_other) {
      EXPECT_THROW(blocks.check_pieces(*block, 0), MismatchError);
    } else {
      blocks.check_pieces(*block, 0);
    }
  }
}

TEST(MeasureLineRate, TheRowSaysWhatWasLost) {
  const std::vector<std::uint8_t> data = made_up_data();
  const ExpectedBlocks blocks(data, 100);
  const PacedRun run = {.offered_blocks = 1000,
                        .lost_blocks = 250,
                        .stored_bytes = 60'000,
                        .seconds = 1e-4,
                        .delays = {.half = 1, .of_99_percent = 2, .of_99_9_percent = 3, .longest = 4}};
  const auto row = line_rate_row(run, blocks, {.gigabits_per_second = 10, .packet_bytes = 20, .duration = {}},
                                 {.block_bytes = 100, .slots = 5, .threads = 2, .vector_bytes = 32},
                                 {.name = "made up", .sha256 = "0"});
  EXPECT_EQ(row["variant"], "AVX2");
  EXPECT_EQ(row["uncompressed_bytes"], 75'000);
  EXPECT_DOUBLE_EQ(row["reached_gigabits_per_second"], 8.0);
  EXPECT_DOUBLE_EQ(row["throughput_gb_per_s"], 0.75);
  EXPECT_EQ(row["lost_blocks"], 250);
  EXPECT_EQ(row["longest_delay_seconds"], 4);
  EXPECT_EQ(row["operation"], "encode");
}

TEST(MeasureLineRate, WhatCannotBeMeasuredIsRefused) {
  const std::vector<std::uint8_t> data = made_up_data();
  EXPECT_THROW(ExpectedBlocks(data, 431), InputError);
  const ExpectedBlocks blocks(data, 100);
  const Pace pace = {.gigabits_per_second = 1, .packet_bytes = 50, .duration = milliseconds(1)};
  EXPECT_THROW(run_line_rate(blocks, pace, {.block_bytes = 100}), std::invalid_argument);
  Feed feed({.block_bytes = 100});
  FeedReceiver receiver(feed);
  EXPECT_THROW(PacedSource(blocks, {.gigabits_per_second = 1, .packet_bytes = 30, .duration = {}}, receiver),
               std::invalid_argument);
}

}  // namespace
}  // namespace gsst::experiments
