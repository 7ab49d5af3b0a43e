#include "common/pipeline/decode_to_device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "common/format/error.hpp"
#include "common/pipeline/buffer.hpp"
#include "common/pipeline/runs_of_batches_test.hpp"
#include "common/pipeline/test_runs.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::pipeline {
namespace {

constexpr std::size_t guard_bytes = 64;
constexpr std::uint8_t poison = 0xb7;

// The executor's memory, with guards around the output.
class GuardedOutput {
public:
  GuardedOutput(const StageRun& run, std::size_t bytes)
      : queue_(run.executor), memory_(Buffer::on_device(run.executor, bytes + 2 * guard_bytes)) {
    queue_.copy(memory_.data(), std::vector<std::uint8_t>(memory_.size(), poison));
    queue_.wait();
  }

  std::uint8_t* data() const { return memory_.data() + guard_bytes; }

  // The output, after a look at the guards.
  std::vector<std::uint8_t> take() {
    std::vector<std::uint8_t> bytes(memory_.size());
    queue_.copy(bytes.data(), memory_.bytes());
    queue_.wait();
    const auto is_poison = [](std::uint8_t byte) { return byte == poison; };
    EXPECT_TRUE(std::all_of(bytes.begin(), bytes.begin() + guard_bytes, is_poison));
    EXPECT_TRUE(std::all_of(bytes.end() - guard_bytes, bytes.end(), is_poison));
    return {bytes.begin() + guard_bytes, bytes.end() - guard_bytes};
  }

private:
  Queue queue_;
  Buffer memory_;
};

Buffer on_host(const StageRun& run, std::span<const std::uint8_t> bytes) {
  Buffer buffer = Buffer::on_host(run.executor, bytes.size());
  std::copy(bytes.begin(), bytes.end(), buffer.data());
  return buffer;
}

std::vector<std::size_t> blocks_of(std::span<const Batch> batches) {
  std::vector<std::size_t> blocks;
  for (const Batch& batch : batches) blocks.push_back(batch.index.entries.size());
  return blocks;
}

void expect_decodes(const StageRun& run, std::size_t input_bytes, std::uint64_t batch_count,
                    const std::vector<std::size_t>& blocks_of_batches) {
  SCOPED_TRACE(test::run_name(run) + ", " + std::to_string(input_bytes) + " bytes");
  const std::vector<std::uint8_t> input = reference::test::make_text(input_bytes, 6);
  const Buffer frame = on_host(run, test::compress_for(run, input, 1000));
  DeviceDecoder decoder(run, frame.bytes(), batch_count);
  EXPECT_EQ(blocks_of(decoder.batches()), blocks_of_batches);
  EXPECT_EQ(decoder.uncompressed_bytes(), input.size());
  // The slots are used again.
  for (int repetition = 0; repetition < 2; ++repetition) {
    GuardedOutput output(run, input.size());
    decoder.decode(output.data());
    EXPECT_EQ(output.take(), input);
  }
}

TEST(DecodeToDevice, DecodesWithEveryStage) {
  for (const StageRun& run : test::runs_of_batches()) expect_decodes(run, 12'345, 5, {3, 3, 3, 3, 1});
}

TEST(DecodeToDevice, DecodesBlocksThatShareATable) {
  for (const StageRun& run : test::runs_of_tiles()) {
    SCOPED_TRACE(test::run_name(run));
    std::vector<std::uint8_t> input;
    const Buffer frame = on_host(run, test::compress_with_shared_tables(input));
    for (const std::uint64_t batch_count : {1, 4, 11}) {
      DeviceDecoder decoder(run, frame.bytes(), batch_count);
      GuardedOutput output(run, input.size());
      decoder.decode(output.data());
      EXPECT_EQ(output.take(), input) << batch_count;
    }
  }
}

TEST(DecodeToDevice, CutsAFrameIntoEqualBatchesAndTheRest) {
  for (const StageRun& run : test::runs_of_one_stage()) {
    expect_decodes(run, 0, 3, {});
    expect_decodes(run, 10, 1, {1});
    expect_decodes(run, 10, 7, {1});
    expect_decodes(run, 10'000, 1, {10});
    expect_decodes(run, 10'000, 2, {5, 5});
    expect_decodes(run, 10'001, 4, {3, 3, 3, 2});
    expect_decodes(run, 10'000, 6, {2, 2, 2, 2, 2});
    expect_decodes(run, 4000, 4, {1, 1, 1, 1});
  }
}

TEST(DecodeToDevice, SaysWhatHasArrivedBeforeEachBatchIsDecoded) {
  for (const StageRun& run : test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> input = reference::test::make_text(5000, 6);
    const Buffer frame = on_host(run, test::compress_for(run, input, 1000));
    const format::FrameView view = format::parse_frame(frame.bytes());
    GuardedOutput output(run, input.size());
    std::vector<std::uint64_t> arrivals;
    DeviceDecoder(run, frame.bytes(), 3).decode(output.data(), [&](std::uint64_t bytes) {
      arrivals.push_back(bytes);
    });
    std::vector<std::uint64_t> ends;
    for (const std::size_t block : {1U, 3U, 4U}) {
      const format::IndexEntry& entry = view.index.entries[block];
      ends.push_back(entry.payload_offset + entry.record.payload_bytes - format::frame_header_bytes);
    }
    EXPECT_EQ(arrivals, ends);
    EXPECT_EQ(output.take(), input);
  }
}

// Block 1 is in a batch whose slot is used again, block 11 in one of the last.
TEST(DecodeToDevice, NamesTheBlockOfTheFrameWhoseCodesAreDamaged) {
  for (const StageRun& run : test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> whole =
        test::compress_for(run, reference::test::make_text(20'000, 6), 1000);
    for (const std::size_t block : {1U, 11U}) {
      const format::IndexEntry entry = format::parse_frame(whole).index.entries.at(block);
      const Buffer frame = on_host(run, whole);
      frame.data()[entry.payload_offset + entry.record.payload_bytes - 1] = 255;
      GuardedOutput output(run, 20'000);
      DeviceDecoder decoder(run, frame.bytes(), 5);
      try {
        decoder.decode(output.data());
        FAIL() << "accepted";
      } catch (const format::FormatError& error) {
        EXPECT_EQ(error.block(), block);
      }
    }
  }
}

TEST(DecodeToDevice, RefusesADamagedBlockHeaderBeforeAnythingIsDecoded) {
  for (const StageRun& run : test::runs_of_one_stage()) {
    std::vector<std::uint8_t> damaged = test::compress_for(run, reference::test::make_text(9000, 6), 1000);
    damaged[format::parse_frame(damaged).index.entries.at(4).payload_offset] ^= 1;
    const Buffer frame = on_host(run, damaged);
    try {
      const DeviceDecoder decoder(run, frame.bytes(), 3);
      FAIL() << "accepted";
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.block(), 4);
    }
  }
}

TEST(DecodeToDevice, RefusesNoBatches) {
  for (const StageRun& run : test::runs_of_one_stage()) {
    const Buffer frame = on_host(run, test::compress_for(run, reference::test::make_text(100, 6), 1000));
    EXPECT_THROW(DeviceDecoder(run, frame.bytes(), 0), std::invalid_argument);
  }
}

}  // namespace
}  // namespace gsst::pipeline
