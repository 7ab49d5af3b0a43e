#include "common/streaming/decode_stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <vector>

#include "common/format/error.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/pipeline/runs_of_batches_test.hpp"
#include "common/pipeline/test_runs.hpp"
#include "common/streaming/batch_memory_test.hpp"
#include "common/streaming/larger_block_test.hpp"
#include "reference_cpu/block_codec.hpp"
#include "reference_cpu/stream_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"
#include "stages/suite/test_sample.hpp"

namespace gsst::streaming {
namespace {

constexpr std::uint64_t block_bytes = 1000;

// What decode_stream() gave its caller.
struct Streamed {
  std::vector<std::uint8_t> output;
  std::vector<std::size_t> blocks_of_batches;
  format::StreamTotals totals;
};

// Decodes `frame`, which its reader hands out in pieces.
void stream(const pipeline::StageRun& run, std::span<const std::uint8_t> frame, const StreamOptions& options,
            Streamed& streamed) {
  const WriteFunction write = [&](const pipeline::Batch& batch, std::span<const std::uint8_t> output) {
    EXPECT_EQ(batch.first_block * block_bytes, streamed.output.size());
    streamed.blocks_of_batches.push_back(batch.index.entries.size());
    streamed.output.insert(streamed.output.end(), output.begin(), output.end());
  };
  streamed.totals =
      decode_stream(run, *devices_of(run.executor), format::reader_of(frame), write, options).stream;
}

void expect_batches(const pipeline::StageRun& run, std::size_t input_bytes, std::uint64_t memory_blocks,
                    const std::vector<std::size_t>& blocks_of_batches) {
  SCOPED_TRACE(pipeline::test::run_name(run) + ", " + std::to_string(input_bytes) + " bytes");
  const std::vector<std::uint8_t> input = reference::test::make_text(input_bytes, 5);
  const std::vector<std::uint8_t> frame = pipeline::test::compress_for(run, input, block_bytes);
  Streamed streamed;
  stream(run, frame, {.memory_bytes = test::memory_of(memory_blocks, frame), .frame_bytes = frame.size()},
         streamed);
  EXPECT_EQ(streamed.output, input);
  EXPECT_EQ(streamed.blocks_of_batches, blocks_of_batches);
  EXPECT_EQ(streamed.totals.input_bytes, frame.size());
  EXPECT_EQ(streamed.totals.output_bytes, input.size());
  EXPECT_EQ(streamed.totals.blocks, (input_bytes + block_bytes - 1) / block_bytes);
}

TEST(DecodeStream, DecodesInBatchesWithEveryStage) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_batches())
    expect_batches(run, 12'345, 3, {3, 3, 3, 3, 1});
}

// A batch's plan needs no more scratch memory than the plan of all batches: some stages need it for each byte
// of a batch.
TEST(DecodeStream, DecodesALargeBlockWithEveryStage) {
  const std::size_t input_bytes = gsst::test::test_sample().size(700'000, 200'000);
  const std::vector<std::uint8_t> input = reference::test::make_mixed(input_bytes, 7);
  for (const pipeline::StageRun& run : pipeline::test::runs_of_batches()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    const std::vector<std::uint8_t> frame = pipeline::test::compress_for(run, input, input.size());
    std::vector<std::uint8_t> output;
    const WriteFunction write = [&](const pipeline::Batch& /*batch*/, std::span<const std::uint8_t> bytes) {
      output.insert(output.end(), bytes.begin(), bytes.end());
    };
    decode_stream(run, *devices_of(run.executor), format::reader_of(frame), write,
                  {.frame_bytes = frame.size()});
    EXPECT_EQ(output, input);
  }
}

// Batches behind the first one take the table of a block that is not among theirs.
TEST(DecodeStream, DecodesBlocksThatShareATable) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_tiles()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    std::vector<std::uint8_t> input;
    const std::vector<std::uint8_t> frame = pipeline::test::compress_with_shared_tables(input);
    std::vector<std::uint8_t> output;
    std::size_t batches_with_tables = 0;
    decode_stream(run, *devices_of(run.executor), format::reader_of(frame),
                  [&](const pipeline::Batch& batch, std::span<const std::uint8_t> bytes) {
                    if (!batch.parts.empty()) ++batches_with_tables;
                    output.insert(output.end(), bytes.begin(), bytes.end());
                  },
                  {.memory_bytes = test::memory_of(2, frame), .frame_bytes = frame.size()});
    EXPECT_EQ(output, input);
    EXPECT_GE(batches_with_tables, 4u);
  }
}

TEST(DecodeStream, CutsBatchesAtEveryBorder) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    expect_batches(run, 0, 3, {});
    expect_batches(run, 1, 3, {1});
    expect_batches(run, 1000, 3, {1});
    expect_batches(run, 1001, 3, {2});
    expect_batches(run, 3000, 3, {3});
    expect_batches(run, 3001, 3, {3, 1});
    expect_batches(run, 4500, 1, {1, 1, 1, 1, 1});
    expect_batches(run, 12'000, 3, {3, 3, 3, 3});
  }
}

TEST(DecodeStream, GivesTheBatchesInFrontOfADamagedOneAndNamesTheBlockInTheFrame) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> input = reference::test::make_text(20'000, 7);
    std::vector<std::uint8_t> frame = pipeline::test::compress_for(run, input, block_bytes);
    const format::IndexEntry entry = format::parse_frame(frame).index.entries.at(7);
    // The last code becomes an escape, with no byte behind it.
    frame[entry.payload_offset + entry.record.payload_bytes - 1] = 255;
    Streamed streamed;
    try {
      stream(run, frame, {.memory_bytes = test::memory_of(3, frame), .frame_bytes = {}}, streamed);
      FAIL() << "accepted";
    } catch (const format::FormatError& error) {
      EXPECT_EQ(error.block(), 7);
      EXPECT_EQ(error.field(), "codes");
    }
    EXPECT_EQ(streamed.blocks_of_batches, (std::vector<std::size_t>{3, 3}));
    EXPECT_TRUE(std::equal(streamed.output.begin(), streamed.output.end(), input.begin()));
  }
}

// `frame` with another checksum of `block`, in its record and in the index.
std::vector<std::uint8_t> with_wrong_checksum(std::span<const std::uint8_t> frame, std::size_t block) {
  const format::FrameView view = format::parse_frame(frame);
  std::vector<std::uint8_t> changed(frame.begin(), frame.begin() + format::frame_header_bytes);
  format::FrameIndex index;
  for (std::size_t i = 0; i < view.index.entries.size(); ++i) {
    format::BlockRecord record = view.index.entries[i].record;
    if (i == block) record.checksum ^= std::uint64_t{1} << 40;
    test::append_block(changed, index, record, view.payload(i));
  }
  test::append_end(changed, index);
  return changed;
}

TEST(DecodeStream, NamesTheBlockWithAWrongChecksumAndGivesTheBatchesInFrontOfIt) {
  std::vector<pipeline::StageRun> runs = pipeline::test::runs_of_one_stage();
  std::ranges::copy(pipeline::test::runs_of_tiles(), std::back_inserter(runs));
  for (const pipeline::StageRun& run : runs) {
    for (const auto kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
      SCOPED_TRACE(pipeline::test::run_name(run) + ", " + std::string(format::checksum_kind_name(kind)));
      // Blocks of two pieces, the last one of one.
      constexpr std::uint64_t bytes = 5000;
      const std::vector<std::uint8_t> input = reference::test::make_text(11 * bytes + 100, 7);
      const std::vector<std::uint8_t> frame =
          reference::compress(input, {.format = run.stage->description.format,
                                      .block_bytes = bytes,
                                      .split_count = 5,
                                      .checksum_kind = kind,
                                      .threads = 1});
      const StreamOptions options = {.memory_bytes = test::memory_of(3, frame), .frame_bytes = {}};
      ASSERT_EQ(with_wrong_checksum(frame, 100), frame);
      for (const std::size_t block : {0u, 7u, 8u, 11u}) {
        SCOPED_TRACE(block);
        std::vector<std::uint8_t> output;
        const std::vector<std::uint8_t> changed = with_wrong_checksum(frame, block);
        try {
          decode_stream(
              run, *devices_of(run.executor), format::reader_of(changed),
              [&](const pipeline::Batch&, std::span<const std::uint8_t> part) {
                output.insert(output.end(), part.begin(), part.end());
              },
              options);
          ADD_FAILURE() << "accepted";
        } catch (const format::FormatError& error) {
          EXPECT_EQ(error.block(), block);
          EXPECT_EQ(error.field(), "checksum");
        }
        EXPECT_EQ(output.size(), block / 3 * 3 * bytes);
        EXPECT_TRUE(std::equal(output.begin(), output.end(), input.begin()));
      }
    }
  }
}

// While a batch is written, the checksums of the next ones have been compared: the caller's thread, which
// writes, compares none when their turn comes. So no checksum is wrong when the output of the next batch
// changes only then. Of a GPU's batches nobody here knows when theirs have been compared.
TEST(DecodeStream, HasComparedTheNextBatchsChecksumsWhenABatchIsWritten) {
  constexpr std::size_t batches = 8;
  constexpr std::size_t batch_bytes = 2 * block_bytes;
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    if (run.executor == stage::Executor::gpu) continue;
    SCOPED_TRACE(pipeline::test::run_name(run));
    std::vector<std::uint8_t> expected = reference::test::make_text(batches * batch_bytes, 7);
    const std::vector<std::uint8_t> frame =
        reference::compress(expected, {.format = run.stage->description.format,
                                       .block_bytes = block_bytes,
                                       .split_count = 5,
                                       .checksum_kind = format::ChecksumKind::xxh64,
                                       .threads = 1});
    // Batches take the slots by turns: where a batch's output is, the one pipeline::slot_count batches later
    // has its.
    std::vector<std::uint8_t*> outputs;
    std::vector<std::uint8_t> output;
    decode_stream(run, *devices_of(run.executor), format::reader_of(frame),
                  [&](const pipeline::Batch&, std::span<const std::uint8_t> part) {
                    outputs.push_back(const_cast<std::uint8_t*>(part.data()));
                    output.insert(output.end(), part.begin(), part.end());
                    const std::size_t next = outputs.size();
                    if (next >= pipeline::slot_count && next < batches)
                      *outputs[next - pipeline::slot_count] ^= 1;
                  },
                  {.memory_bytes = test::memory_of(2, frame), .frame_bytes = {}});
    EXPECT_EQ(outputs.size(), batches);
    for (std::size_t batch = pipeline::slot_count; batch < batches; ++batch)
      expected[batch * batch_bytes] ^= 1;
    EXPECT_TRUE(output == expected);
  }
}

// What block the oracle names, -1 for none, or nothing where all is right.
std::optional<std::int64_t> block_that_the_oracle_refuses(std::span<const std::uint8_t> frame) {
  try {
    reference::decompress_stream(format::reader_of(frame), [](std::span<const std::uint8_t>) {},
                                 {.fsst_file = false, .threads = 1});
  } catch (const format::FormatError& error) {
    return error.block() ? static_cast<std::int64_t>(*error.block()) : -1;
  }
  return std::nullopt;
}

TEST(DecodeStream, RefusesTheDamageThatTheOracleRefusesInTheSameBlock) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> frame =
        pipeline::test::compress_for(run, reference::test::make_text(2500, 4), block_bytes);
    const std::uint64_t memory = test::memory_of(2, frame);
    for (std::size_t i = 0; i < frame.size(); i += 7) {
      std::vector<std::uint8_t> damaged = frame;
      damaged[i] ^= 0x91;
      const std::optional<std::int64_t> expected = block_that_the_oracle_refuses(damaged);
      if (!expected) continue;
      SCOPED_TRACE("byte " + std::to_string(i));
      try {
        Streamed streamed;
        stream(run, damaged, {.memory_bytes = memory, .frame_bytes = damaged.size()}, streamed);
        ADD_FAILURE() << "accepted";
      } catch (const format::FormatError& error) {
        EXPECT_EQ(error.block() ? static_cast<std::int64_t>(*error.block()) : -1, *expected);
      }
    }
  }
}

TEST(DecodeStream, PassesOnWhatItsCallerThrowsWhileBatchesAreOnTheirWay) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> frame =
        pipeline::test::compress_for(run, reference::test::make_text(20'000, 7), block_bytes);
    const WriteFunction write = [](const pipeline::Batch&, std::span<const std::uint8_t>) {
      throw std::runtime_error("disk full");
    };
    EXPECT_THROW(decode_stream(run, *devices_of(run.executor), format::reader_of(frame), write,
                               {.memory_bytes = test::memory_of(2, frame), .frame_bytes = {}}),
                 std::runtime_error);
  }
}

TEST(DecodeStream, ReportsItsProgressAfterEachBatch) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> frame =
        pipeline::test::compress_for(run, reference::test::make_text(10'000, 7), block_bytes);
    std::vector<std::uint64_t> outputs;
    decode_stream(
        run, *devices_of(run.executor), format::reader_of(frame),
        [](const pipeline::Batch&, std::span<const std::uint8_t>) {},
        {.memory_bytes = test::memory_of(4, frame), .frame_bytes = {}},
        [&](const format::StreamTotals& totals) { outputs.push_back(totals.output_bytes); });
    EXPECT_EQ(outputs, (std::vector<std::uint64_t>{4000, 8000, 10'000}));
  }
}

TEST(DecodeStream, SaysHowMuchMemoryABlockNeeds) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> frame =
        pipeline::test::compress_for(run, reference::test::make_text(5000, 7), block_bytes);
    const std::uint64_t needed = test::memory_of(1, frame);
    Streamed streamed;
    EXPECT_THROW(stream(run, frame, {.memory_bytes = needed - 100, .frame_bytes = {}}, streamed),
                 pipeline::MemoryLimitError);
    EXPECT_TRUE(streamed.output.empty());
  }
}

// Memory for the block's bytes, not for the size that a block may have.
TEST(DecodeStream, TakesLittleMemoryForAShortFrameOfLargeBlocks) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_batches()) {
    SCOPED_TRACE(pipeline::test::run_name(run));
    for (const std::size_t size : {1u, 1024u}) {
      const std::vector<std::uint8_t> input = reference::test::make_text(size, 7);
      const std::vector<std::uint8_t> frame =
          pipeline::test::compress_for(run, input, format::max_block_bytes);
      for (const auto& frame_bytes :
           {std::optional<std::uint64_t>(frame.size()), std::optional<std::uint64_t>()}) {
        Streamed streamed;
        stream(run, frame, {.memory_bytes = 8192, .frame_bytes = frame_bytes}, streamed);
        EXPECT_EQ(streamed.output, input);
      }
    }
  }
}

// Random bytes with a table of text: each is escaped. In front of the block and behind it are blocks that
// batches of the usual size hold.
TEST(DecodeStream, DecodesABlockThatItsEncoderMadeLarger) {
  constexpr std::uint32_t large_block_bytes = 10'000;
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    std::vector<std::uint8_t> input;
    const std::vector<std::uint8_t> frame =
        test::frame_with_larger_blocks(run, large_block_bytes, {true, true, false, true, true}, input);
    const format::FrameView view = format::parse_frame(frame);
    const std::vector<format::IndexEntry>& entries = view.index.entries;
    ASSERT_GT(entries[2].record.payload_bytes, 3 * large_block_bytes / 2);

    // Three slots of one block, which do not hold the large one.
    constexpr std::uint64_t memory_bytes = 75'000;
    const pipeline::StreamMemory of_text =
        pipeline::plan_stream_memory(memory_bytes, view.header, entries[0].record, frame.size());
    ASSERT_EQ(of_text.slots, pipeline::slot_count);
    ASSERT_FALSE(of_text.batch.holds(entries[2].record));
    std::vector<std::uint8_t> output;
    decode_stream(run, *devices_of(run.executor), format::reader_of(frame),
                  [&](const pipeline::Batch& batch, std::span<const std::uint8_t> bytes) {
                    EXPECT_EQ(batch.first_block * large_block_bytes, output.size());
                    output.insert(output.end(), bytes.begin(), bytes.end());
                  },
                  {.memory_bytes = memory_bytes, .frame_bytes = frame.size()});
    EXPECT_EQ(output, input);
  }
}

TEST(DecodeStream, RefusesAStageOfAnotherFormat) {
  for (const pipeline::StageRun& run : pipeline::test::runs_of_one_stage()) {
    const std::vector<std::uint8_t> frame =
        reference::compress(std::vector<std::uint8_t>{'a'}, {.format = format::BlockFormat::blocks});
    Streamed streamed;
    EXPECT_THROW(stream(run, frame, {}, streamed), std::invalid_argument);
  }
}

}  // namespace
}  // namespace gsst::streaming
