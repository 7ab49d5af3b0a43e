#include "experiments/measure_line_rate_gpu/batched_run.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/kernels_on.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/zero_length/elements.hpp"

// Paced sources and the stage that goes from host memory to host memory, on the CPU executor. How long
// something takes means nothing there.
namespace gsst::experiments {
namespace {

using std::chrono::milliseconds;
using zero_length::BatchEncoder;
using zero_length::BatchShape;
using zero_length::HostToHost;

constexpr std::uint64_t run_block_bytes = 100;

// Five blocks and a rest, of different sizes when they are encoded.
std::vector<std::uint8_t> data_of_run() {
  std::vector<std::uint8_t> data(5 * run_block_bytes + 30);
  for (std::size_t i = 0; i < data.size(); ++i) {
    const std::size_t run = 3 + i / run_block_bytes;
    data[i] = static_cast<std::uint8_t>(i % 10 < run ? 0 : i);
  }
  return data;
}

const HostToHost& functions_on_cpu() {
  return stage::KernelsOn<HostToHost>::get(stage::Executor::simt);
}

// 50 blocks, 0.8 bits a nanosecond.
BatchedSetup setup_of_run(std::uint32_t sources, std::uint64_t ring_blocks, std::uint64_t batch_blocks,
                          unsigned slots) {
  return {.executor = stage::Executor::simt,
          .pace = {.gigabits_per_second = 0.008, .packet_bytes = 20, .duration = milliseconds(5)},
          .sources = sources,
          .ring_blocks = ring_blocks,
          .shape = {.block_bytes = run_block_bytes, .batch_blocks = batch_blocks, .slots = slots}};
}

// Of the first blocks that one source delivers, with the guard block.
std::uint64_t stored_bytes_of(const ExpectedBlocks& blocks, std::uint64_t count) {
  std::vector<std::uint8_t> room(format::zero_length::max_elements_bytes(blocks.block_bytes()));
  std::uint64_t bytes = format::zero_length::bare_size_bytes;
  for (std::uint64_t i = 0; i < count; ++i) {
    bytes += format::zero_length::bare_header_bytes +
             reference::zero_length::encode_elements(blocks.block(i % blocks.count()), room);
  }
  return bytes;
}

TEST(MeasureLineRateBatchedRun, ARingWithRoomForAllLosesNothing) {
  const std::vector<std::uint8_t> data = data_of_run();
  const ExpectedBlocks blocks(data, run_block_bytes);
  ASSERT_EQ(blocks.count(), 5U);
  for (const std::uint64_t batch_blocks : {1U, 4U, 64U}) {
    for (const unsigned slots : {1U, 3U}) {
      SCOPED_TRACE(std::to_string(batch_blocks) + " blocks a batch, " + std::to_string(slots) + " slots");
      const BatchedRun run =
          run_in_batches(blocks, setup_of_run(1, 50, batch_blocks, slots), functions_on_cpu());
      EXPECT_EQ(run.paced.lost_blocks, 0U);
      EXPECT_GE(run.paced.offered_blocks, 1U);
      EXPECT_LE(run.paced.offered_blocks, 50U);
      EXPECT_EQ(run.paced.stored_bytes, stored_bytes_of(blocks, run.paced.offered_blocks));
      EXPECT_GE(run.batches * batch_blocks, run.paced.offered_blocks);
      EXPECT_LE(run.batches, run.paced.offered_blocks);
      EXPECT_GE(run.paced.seconds, static_cast<double>(run.paced.offered_blocks) * 100e-6 * 0.999);
      EXPECT_GT(run.paced.delays.half, 0);
      EXPECT_GE(run.paced.delays.longest, run.paced.delays.of_99_9_percent);
      EXPECT_EQ(
          run.device_bytes,
          functions_on_cpu().make_batch_encoder({run_block_bytes, batch_blocks, slots})->memory_bytes());
    }
  }
}

TEST(MeasureLineRateBatchedRun, SourcesShareTheRate) {
  const std::vector<std::uint8_t> data = data_of_run();
  const ExpectedBlocks blocks(data, run_block_bytes);
  const BatchedRun run = run_in_batches(blocks, setup_of_run(4, 50, 3, 2), functions_on_cpu());
  EXPECT_EQ(run.paced.lost_blocks, 0U);
  EXPECT_GE(run.paced.offered_blocks, 4U);
  EXPECT_LE(run.paced.offered_blocks, 48U);
  EXPECT_GE(run.paced.seconds, 400e-6 * 0.999);
}

// What is lost depends on the machine; what is not is encoded, each block once.
TEST(MeasureLineRateBatchedRun, ASmallRingLosesBlocksAndKeepsTheOthers) {
  const std::vector<std::uint8_t> data = data_of_run();
  const ExpectedBlocks blocks(data, run_block_bytes);
  for (const std::uint64_t ring_blocks : {1U, 3U}) {
    BatchedSetup setup = setup_of_run(2, ring_blocks, 2, 2);
    setup.pace.gigabits_per_second = 0.2;
    const BatchedRun run = run_in_batches(blocks, setup, functions_on_cpu());
    const std::uint64_t encoded = run.paced.offered_blocks - run.paced.lost_blocks;
    EXPECT_GE(encoded, 1U);
    EXPECT_GE(run.batches, (encoded + 1) / 2);
    EXPECT_LE(run.batches, encoded);
    if (ring_blocks == 1) {
      EXPECT_EQ(run.batches, encoded);
    }
  }
}

// What an encoder does wrong in one of its calls, counted from 0.
enum class BatchMistake { other_byte, other_index, bytes_behind, start_fails, finish_fails };

struct PlannedMistake {
  BatchMistake mistake;
  std::uint64_t call;
};

PlannedMistake planned_mistake;

class MistakenEncoder final : public BatchEncoder {
public:
  explicit MistakenEncoder(const BatchShape& shape)
      : encoder_(functions_on_cpu().make_batch_encoder(shape)) {}

  std::uint64_t memory_bytes() const override { return encoder_->memory_bytes(); }

  void start(std::span<const std::uint8_t> input) override {
    if (is_now(BatchMistake::start_fails, started_++)) throw std::runtime_error("start fails");
    encoder_->start(input);
  }

  std::span<const std::uint8_t> finish(std::uint64_t first_block) override {
    const std::uint64_t call = finished_++;
    if (is_now(BatchMistake::finish_fails, call)) throw std::runtime_error("finish fails");
    const std::span<const std::uint8_t> encoded = encoder_->finish(first_block);
    bytes_.assign(encoded.begin(), encoded.end());
    if (is_now(BatchMistake::other_byte, call)) bytes_.back() ^= 1;
    if (is_now(BatchMistake::other_index, call)) bytes_[format::zero_length::bare_size_bytes] ^= 1;
    if (is_now(BatchMistake::bytes_behind, call)) bytes_.push_back(0);
    return bytes_;
  }

private:
  static bool is_now(BatchMistake mistake, std::uint64_t call) {
    return planned_mistake.mistake == mistake && planned_mistake.call == call;
  }

  std::unique_ptr<BatchEncoder> encoder_;
  std::vector<std::uint8_t> bytes_;
  std::uint64_t started_ = 0;
  std::uint64_t finished_ = 0;
};

TEST(MeasureLineRateBatchedRun, WhateverGoesWrongEndsTheRun) {
  const std::vector<std::uint8_t> data = data_of_run();
  const ExpectedBlocks blocks(data, run_block_bytes);
  HostToHost functions = functions_on_cpu();
  functions.make_batch_encoder = [](const BatchShape& shape) -> std::unique_ptr<BatchEncoder> {
    return std::make_unique<MistakenEncoder>(shape);
  };
  // Five calls verify before the run.
  for (const std::uint64_t call : {0U, 4U, 5U}) {
    SCOPED_TRACE("call " + std::to_string(call));
    for (const BatchMistake mistake :
         {BatchMistake::other_byte, BatchMistake::other_index, BatchMistake::bytes_behind}) {
      planned_mistake = {.mistake = mistake, .call = call};
      EXPECT_THROW(run_in_batches(blocks, setup_of_run(2, 50, 1, 1), functions), MismatchError);
    }
    for (const BatchMistake mistake : {BatchMistake::start_fails, BatchMistake::finish_fails}) {
      planned_mistake = {.mistake = mistake, .call = call};
      EXPECT_THROW(run_in_batches(blocks, setup_of_run(2, 50, 1, 1), functions), std::runtime_error);
    }
  }
}

TEST(MeasureLineRateBatchedRun, BatchesAreOfTheExpectedBlocks) {
  const std::vector<std::uint8_t> data = data_of_run();
  const ExpectedBlocks blocks(data, run_block_bytes + 1);
  EXPECT_THROW(run_in_batches(blocks, setup_of_run(1, 5, 1, 1), functions_on_cpu()), std::invalid_argument);
}

}  // namespace
}  // namespace gsst::experiments
