#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/frame.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "library/guarded_memory.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"

// The plans behind gsst/gpu.h on the CPU executor: what they enqueue, in which memory, is what runs on a GPU.
namespace gsst::library {
namespace {

using stage::Executor;
using Bytes = std::vector<std::uint8_t>;

struct Decompressed {
  Bytes output;
  std::vector<std::uint32_t> status;
};

// Decompresses `in_memory` as a plan of `planned` says; the two differ in codes only.
Decompressed run_plan(const Bytes& planned, const Bytes& in_memory,
                      const GpuDecompressOptions& options = {}) {
  const GpuDecompressPlan plan(planned, options);
  GuardedMemory output(plan.summary().uncompressed_bytes);
  GuardedMemory scratch(plan.scratch_bytes());
  GuardedMemory status(plan.summary().block_count * sizeof(std::uint32_t));
  plan.enqueue<Executor::simt>({.frame = in_memory.data(),
                                .output = output.data(),
                                .scratch = scratch.data(),
                                .status = reinterpret_cast<std::uint32_t*>(status.data())},
                               nullptr);
  EXPECT_TRUE(output.is_intact() && scratch.is_intact() && status.is_intact());
  Decompressed result{.output = output.first(plan.summary().uncompressed_bytes),
                      .status = std::vector<std::uint32_t>(plan.summary().block_count)};
  const Bytes words = status.first(result.status.size() * sizeof(std::uint32_t));
  if (!words.empty()) std::memcpy(result.status.data(), words.data(), words.size());
  return result;
}

bool all_decoded(const Decompressed& result) {
  return std::ranges::all_of(result.status, [](std::uint32_t word) { return word == 0; });
}

Bytes compress_on_cpu(const Bytes& input, format::BlockFormat format) {
  return reference::compress(input, {.format = format, .block_bytes = 9000, .split_count = 40, .threads = 1});
}

// Tiles with the shortest strips, and with the checksums that are compared side by side.
Bytes compress_on_cpu_for_gpu(const Bytes& input) {
  return reference::compress(input, {.format = format::BlockFormat::tiles,
                                     .block_bytes = 9000,
                                     .strip_codes = 512,
                                     .checksum_kind = format::ChecksumKind::xxh64_tree,
                                     .threads = 1});
}

// Runs `plan` in memory of its own; `scratch` may hold a table.
Bytes run_plan(const GpuCompressPlan& plan, const Bytes& input, GuardedMemory& scratch) {
  GuardedMemory output(plan.output_bytes());
  GuardedMemory frame_bytes(sizeof(std::uint64_t));
  plan.enqueue({.input = input.data(),
                .output = output.data(),
                .scratch = scratch.data(),
                .frame_bytes = reinterpret_cast<std::uint64_t*>(frame_bytes.data())},
               nullptr);
  EXPECT_TRUE(output.is_intact() && scratch.is_intact() && frame_bytes.is_intact());
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, frame_bytes.data(), sizeof bytes);
  EXPECT_LE(bytes, plan.output_bytes());
  return output.first(bytes);
}

constexpr std::array frame_formats = {format::BlockFormat::blocks, format::BlockFormat::splits,
                                      format::BlockFormat::coalesced, format::BlockFormat::tiles};

TEST(GpuPlans, EveryFormatIsDecompressedWithItsStage) {
  const Bytes input = reference::test::make_text(20000, 1);
  for (const format::BlockFormat format : frame_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const Bytes frame = compress_on_cpu(input, format);
    const Decompressed result = run_plan(frame, frame, {.format = format});
    EXPECT_TRUE(all_decoded(result));
    EXPECT_TRUE(result.output == input);
  }
  const Bytes frame = compress_on_cpu_for_gpu(input);
  const Decompressed result = run_plan(frame, frame);
  EXPECT_TRUE(all_decoded(result));
  EXPECT_TRUE(result.output == input);
}

TEST(GpuPlans, AnotherFormatIsRefused) {
  const Bytes frame = compress_on_cpu(reference::test::make_text(100, 1), format::BlockFormat::splits);
  EXPECT_THROW(GpuDecompressPlan(frame, {.format = format::BlockFormat::tiles}), WrongFormat);
}

TEST(GpuPlans, AFrameOfNothingNeedsNoMemory) {
  const Bytes frame = compress_on_cpu({}, format::BlockFormat::tiles);
  const GpuDecompressPlan plan(frame, {});
  EXPECT_EQ(plan.scratch_bytes(), 0u);
  EXPECT_TRUE(run_plan(frame, frame).output.empty());
}

// Both kinds of checksums: what the CPU writes, without and with being asked, and what the GPU writes.
TEST(GpuPlans, AByteOfARawBlockThatChangesIsSeenByItsChecksum) {
  const Bytes input = reference::test::make_random(20000, 1);
  GpuCompressPlan compress(Executor::simt, input.size(), {.block_bytes = 9000});
  GuardedMemory scratch(compress.scratch_bytes());
  for (const Bytes& frame : {compress_on_cpu(input, format::BlockFormat::blocks),
                             compress_on_cpu_for_gpu(input), run_plan(compress, input, scratch)}) {
    const format::FrameView view = format::parse_frame(frame);
    ASSERT_EQ(view.index.entries.size(), 3u);
    Bytes damaged = frame;
    // Behind the first piece of the second block.
    damaged[view.index.entries[1].payload_offset + 5000] ^= 1;
    EXPECT_EQ(run_plan(frame, damaged).status, (std::vector<std::uint32_t>{0, wrong_checksum_status, 0}));
    EXPECT_TRUE(all_decoded(run_plan(frame, damaged, {.verify_checksums = false})));
  }
}

TEST(GpuPlans, AStageReportsDamagedCodesBeforeTheirChecksum) {
  const Bytes input(20000, 'a');
  const Bytes frame = compress_on_cpu(input, format::BlockFormat::blocks);
  const format::FrameView view = format::parse_frame(frame);
  Bytes damaged = frame;
  // The last code of the first block becomes an escape.
  damaged[view.index.entries[0].payload_offset + view.index.entries[0].record.payload_bytes - 1] = 255;
  const Decompressed result = run_plan(frame, damaged);
  EXPECT_EQ(stage::block_status(result.status[0]), stage::BlockStatus::escape_at_end);
  EXPECT_EQ(result.status[1], 0u);
}

TEST(GpuPlans, CompressedTextIsDecompressedByTheReferenceCodec) {
  const Bytes input = reference::test::make_text(20000, 2);
  GpuCompressPlan plan(Executor::simt, input.size(), {.block_bytes = 9000, .blocks_per_table = 2});
  GuardedMemory scratch(plan.scratch_bytes());
  const Bytes frame = run_plan(plan, input, scratch);
  EXPECT_LT(frame.size(), input.size());
  // Splits of 256 bytes.
  EXPECT_EQ(format::parse_frame(frame).header.split_count, 36u);
  EXPECT_TRUE(reference::decompress_frame(frame) == input);
  const Decompressed result = run_plan(frame, frame);
  EXPECT_TRUE(all_decoded(result));
  EXPECT_TRUE(result.output == input);
}

TEST(GpuPlans, ALoadedTableStaysInItsScratchMemory) {
  const Bytes sample = reference::test::make_text(20000, 3);
  GpuCompressPlan plan(Executor::simt, sample.size(), {.tables = GpuTables::loaded, .block_bytes = 9000});
  GuardedMemory scratch(plan.scratch_bytes());
  GuardedMemory other(plan.scratch_bytes());
  EXPECT_THROW(run_plan(plan, sample, scratch), std::invalid_argument);
  plan.load_table(reference::train_symbol_table(sample), scratch.data(), nullptr);
  EXPECT_THROW(run_plan(plan, sample, other), std::invalid_argument);
  const Bytes first = run_plan(plan, sample, scratch);
  const Bytes random = reference::test::make_random(sample.size(), 4);
  EXPECT_TRUE(reference::decompress_frame(run_plan(plan, random, scratch)) == random);
  EXPECT_TRUE(run_plan(plan, sample, scratch) == first);
  EXPECT_TRUE(reference::decompress_frame(first) == sample);
}

TEST(GpuPlans, APlanThatTrainsTakesNoTable) {
  GpuCompressPlan plan(Executor::simt, 100, {});
  GuardedMemory scratch(plan.scratch_bytes());
  EXPECT_THROW(plan.load_table(format::SymbolTable(), scratch.data(), nullptr), std::invalid_argument);
}

TEST(GpuPlans, AnInputOfNothingHasAFrame) {
  GpuCompressPlan plan(Executor::simt, 0, {});
  GuardedMemory scratch(plan.scratch_bytes());
  EXPECT_TRUE(reference::decompress_frame(run_plan(plan, {}, scratch)).empty());
}

}  // namespace
}  // namespace gsst::library
