#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "common/format/formats.hpp"
#include "common/format/gsst/tiles.hpp"
#include "common/frame/checksum_check.hpp"
#include "common/frame/checksum_plan.hpp"
#include "common/frame/frame.hpp"
#include "common/stage/frame_shape.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "library/guarded_memory.hpp"
#include "reference_cpu/level.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/parse.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "reference_cpu/train.hpp"
#include "reference_cpu/train_tiles.hpp"

// The plans behind gsst/gpu.h on the CPU executor: what they enqueue, in which memory, is what runs on a GPU.
namespace gsst::library {
namespace {

using stage::Executor;
using Bytes = std::vector<std::uint8_t>;

constexpr auto wrong_checksum = static_cast<std::uint32_t>(stage::BlockStatus::wrong_checksum);

struct Decompressed {
  Bytes output;
  std::vector<std::uint32_t> status;
};

// Decompresses `in_memory` as a plan of `planned` says; the two differ in codes only.
Decompressed run_plan(const Bytes& planned, const Bytes& in_memory,
                      const GpuDecompressOptions& options = {}) {
  const GpuDecompressPlan plan(Executor::simt, planned, options);
  GuardedMemory output(plan.summary().uncompressed_bytes);
  GuardedMemory scratch(plan.scratch_bytes());
  GuardedMemory status(plan.summary().block_count * sizeof(std::uint32_t));
  plan.enqueue({.frame = in_memory.data(),
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
  EXPECT_THROW(GpuDecompressPlan(Executor::simt, frame, {.format = format::BlockFormat::tiles}), WrongFormat);
}

TEST(GpuPlans, AFrameOfNothingNeedsNoMemory) {
  const Bytes frame = compress_on_cpu({}, format::BlockFormat::tiles);
  const GpuDecompressPlan plan(Executor::simt, frame, {});
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
    EXPECT_EQ(run_plan(frame, damaged).status, (std::vector<std::uint32_t>{0, wrong_checksum, 0}));
    EXPECT_TRUE(all_decoded(run_plan(frame, damaged, {.verify_checksums = false})));
  }
}

// Memory of whole pages; reading one that is forbidden ends the program.
class Pages {
public:
  explicit Pages(std::size_t size) : size_(size) {
    void* const memory = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    bytes_ = static_cast<std::uint8_t*>(memory);
  }
  Pages(const Pages&) = delete;
  Pages& operator=(const Pages&) = delete;
  ~Pages() { ::munmap(bytes_, size_); }

  std::uint8_t* data() { return bytes_; }
  void forbid(std::size_t offset, std::size_t size) {
    if (::mprotect(bytes_ + offset, size, PROT_NONE) != 0) throw std::bad_alloc();
  }

private:
  std::size_t size_;
  std::uint8_t* bytes_ = nullptr;
};

// What a decoder leaves of a damaged block may never have been written.
TEST(GpuPlans, TheOutputOfABlockThatWasNotDecodedIsNotRead) {
  constexpr std::size_t block_bytes = std::size_t{64} << 10;
  const Bytes input = reference::test::make_text(3 * block_bytes, 1);
  for (const format::ChecksumKind kind : {format::ChecksumKind::xxh64, format::ChecksumKind::xxh64_tree}) {
    const Bytes frame = reference::compress(input, {.format = format::BlockFormat::tiles,
                                                    .block_bytes = block_bytes,
                                                    .checksum_kind = kind,
                                                    .threads = 1});
    Pages output(input.size());
    std::ranges::copy(input, output.data());
    output.forbid(block_bytes, block_bytes);
    const std::unique_ptr<stage::Plan> plan = frame::make_checksum_plan(
        Executor::simt,
        {.frame = stage::frame_shape(frame), .kind = kind, .longest_block_bytes = block_bytes});
    std::vector<std::uint64_t> piece_checksums(bytes_of(*plan, stage::Role::scratch) / 8);
    std::vector<std::uint32_t> status = {0, 5, 0};
    enqueue_all(
        *plan,
        std::array{stage::to_read(frame.data(), frame.size()), stage::to_read(output.data(), input.size()),
                   stage::Given{.data = piece_checksums.data(), .bytes = piece_checksums.size() * 8},
                   stage::Given{.data = status.data(), .bytes = status.size() * 4}},
        nullptr);
    EXPECT_EQ(status, (std::vector<std::uint32_t>{0, 5, 0}));
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

// A block of up to 1 GiB that holds 10 kB takes the memory of these, in both directions.
TEST(GpuPlans, AShortInputOfLargeBlocksTakesLittleMemory) {
  const Bytes input = reference::test::make_text(10'000, 2);
  for (const auto& code_bits : {std::optional<std::uint32_t>(), std::optional<std::uint32_t>(8)}) {
    const GpuCompressPlan own(Executor::simt, input.size(),
                              {.block_bytes = input.size(), .tile_code_bits = code_bits});
    const GpuCompressPlan plan(Executor::simt, input.size(),
                               {.block_bytes = format::max_block_bytes, .tile_code_bits = code_bits});
    EXPECT_EQ(plan.scratch_bytes(), own.scratch_bytes());
    EXPECT_EQ(plan.output_bytes(), own.output_bytes());
    GuardedMemory scratch(plan.scratch_bytes());
    const Bytes frame = run_plan(plan, input, scratch);
    EXPECT_EQ(format::parse_frame(frame).header.block_size, format::max_block_bytes);
    EXPECT_LE(GpuDecompressPlan(Executor::simt, frame, {.verify_checksums = true}).scratch_bytes(), 4096u);
    const Decompressed result = run_plan(frame, frame);
    EXPECT_TRUE(all_decoded(result));
    EXPECT_TRUE(result.output == input);
  }
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
  EXPECT_THROW(plan.train_table(Bytes(100).data(), scratch.data(), nullptr), std::invalid_argument);
}

format::TileTable tile_table(const Bytes& sample, std::uint32_t code_bits) {
  return reference::train_tile_table(sample, code_bits, reference::min_level, reference::Parse::greedy);
}

// Compresses `input` to tiles with `plan`, decompresses that with both codecs, and gives the frame.
Bytes round_trip(const GpuCompressPlan& plan, const Bytes& input, GuardedMemory& scratch) {
  Bytes frame = run_plan(plan, input, scratch);
  EXPECT_EQ(format::parse_frame(frame).header.format, format::BlockFormat::tiles);
  EXPECT_TRUE(reference::decompress_frame(frame) == input);
  const Decompressed result = run_plan(frame, frame, {.format = format::BlockFormat::tiles});
  EXPECT_TRUE(all_decoded(result));
  EXPECT_TRUE(result.output == input);
  return frame;
}

constexpr std::uint64_t tile_block_bytes = 9000;
// Around segments, tiles and blocks.
constexpr std::array<std::size_t, 9> tile_input_sizes = {0, 1, 4095, 4097, 8999, 9000, 9001, 18000, 20000};

TEST(GpuPlans, TilesOfLoadedTablesOfEveryWidth) {
  const Bytes sample = reference::test::make_text(20000, 5);
  for (const std::uint32_t code_bits : format::tile_code_bits) {
    const GpuTable table = tile_table(sample, code_bits);
    for (const std::size_t size : tile_input_sizes) {
      SCOPED_TRACE(std::to_string(code_bits) + " bits, " + std::to_string(size) + " bytes");
      GpuCompressPlan plan(
          Executor::simt, size,
          {.tables = GpuTables::loaded, .block_bytes = tile_block_bytes, .tile_code_bits = code_bits});
      GuardedMemory scratch(plan.scratch_bytes());
      plan.load_table(table, scratch.data(), nullptr);
      const Bytes input = reference::test::make_text(size, 6);
      const Bytes frame = round_trip(plan, input, scratch);
      const Bytes random = reference::test::make_random(size, 7);
      round_trip(plan, random, scratch);
      EXPECT_TRUE(round_trip(plan, input, scratch) == frame);
      EXPECT_TRUE(size < tile_block_bytes || frame.size() < size);
    }
  }
}

TEST(GpuPlans, TrainedTilesAreThoseOfTheReferenceCodecsTable) {
  for (const std::size_t size : tile_input_sizes) {
    SCOPED_TRACE(size);
    const Bytes input = reference::test::make_text(size, 8);
    const GpuCompressPlan trained(Executor::simt, size,
                                  {.block_bytes = tile_block_bytes, .tile_code_bits = 8});
    GuardedMemory scratch(trained.scratch_bytes());
    const Bytes frame = round_trip(trained, input, scratch);

    GpuCompressPlan loaded(
        Executor::simt, size,
        {.tables = GpuTables::loaded, .block_bytes = tile_block_bytes, .tile_code_bits = 8});
    GuardedMemory loaded_scratch(loaded.scratch_bytes());
    loaded.load_table(tile_table(input, 8), loaded_scratch.data(), nullptr);
    EXPECT_TRUE(run_plan(loaded, input, loaded_scratch) == frame);
  }
}

TEST(GpuPlans, ATableTrainedOnTheExecutorServesAsOneThatIsLoaded) {
  const Bytes sample = reference::test::make_text(20000, 9);
  const Bytes other = reference::test::make_text(20000, 10);
  for (const std::optional<std::uint32_t> code_bits : {std::optional<std::uint32_t>(), std::optional(8U)}) {
    SCOPED_TRACE(code_bits ? "tiles" : "splits");
    GpuCompressPlan plan(
        Executor::simt, sample.size(),
        {.tables = GpuTables::loaded, .block_bytes = tile_block_bytes, .tile_code_bits = code_bits});
    GuardedMemory scratch(plan.scratch_bytes());
    GuardedMemory other_scratch(plan.scratch_bytes());
    plan.train_table(sample.data(), scratch.data(), nullptr);
    EXPECT_THROW(run_plan(plan, other, other_scratch), std::invalid_argument);
    const Bytes frame = run_plan(plan, other, scratch);
    EXPECT_TRUE(reference::decompress_frame(frame) == other);
    // The first table's, and not one of the input's own.
    plan.train_table(other.data(), scratch.data(), nullptr);
    EXPECT_FALSE(run_plan(plan, other, scratch) == frame);
    const GpuTable table =
        code_bits ? GpuTable(tile_table(sample, 8)) : GpuTable(reference::train_symbol_table(sample));
    plan.load_table(table, scratch.data(), nullptr);
    EXPECT_TRUE(run_plan(plan, other, scratch) == frame);
  }
}

TEST(GpuPlans, WideTablesAreTrainedOnlyWhereExecutionMayWait) {
  const Bytes input = reference::test::make_text(20000, 11);
  for (const std::uint32_t code_bits : {10U, 12U}) {
    SCOPED_TRACE(code_bits);
    EXPECT_THROW(GpuCompressPlan(Executor::simt, input.size(), {.tile_code_bits = code_bits}),
                 std::invalid_argument);
    const GpuCompressPlan waiting(Executor::simt, input.size(),
                                  {.tables = GpuTables::trained_anywhere,
                                   .block_bytes = tile_block_bytes,
                                   .tile_code_bits = code_bits});
    GuardedMemory scratch(waiting.scratch_bytes());
    EXPECT_LT(round_trip(waiting, input, scratch).size(), input.size());
    GpuCompressPlan loaded(Executor::simt, input.size(),
                           {.tables = GpuTables::loaded, .tile_code_bits = code_bits});
    GuardedMemory loaded_scratch(loaded.scratch_bytes());
    EXPECT_THROW(loaded.train_table(input.data(), loaded_scratch.data(), nullptr), std::invalid_argument);
  }
}

TEST(GpuPlans, ATableOfAnotherFormatOrWidthIsRefused) {
  const Bytes sample = reference::test::make_text(20000, 12);
  const std::vector<GpuTable> tables = {reference::train_symbol_table(sample), tile_table(sample, 8),
                                        tile_table(sample, 10), tile_table(sample, 12)};
  const std::vector<std::optional<std::uint32_t>> widths = {std::nullopt, 8U, 10U, 12U};
  for (std::size_t wanted = 0; wanted < widths.size(); ++wanted) {
    GpuCompressPlan plan(Executor::simt, 100,
                         {.tables = GpuTables::loaded, .tile_code_bits = widths[wanted]});
    GuardedMemory scratch(plan.scratch_bytes());
    for (std::size_t given = 0; given < tables.size(); ++given) {
      SCOPED_TRACE(std::to_string(given) + " for " + std::to_string(wanted));
      if (given == wanted) {
        EXPECT_NO_THROW(plan.load_table(tables[given], scratch.data(), nullptr));
      } else {
        EXPECT_THROW(plan.load_table(tables[given], scratch.data(), nullptr), std::invalid_argument);
      }
    }
  }
}

TEST(GpuPlans, AnInputOfNothingHasAFrame) {
  GpuCompressPlan plan(Executor::simt, 0, {});
  GuardedMemory scratch(plan.scratch_bytes());
  EXPECT_TRUE(reference::decompress_frame(run_plan(plan, {}, scratch)).empty());
}

}  // namespace
}  // namespace gsst::library
