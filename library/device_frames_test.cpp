#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "common/format/error.hpp"
#include "common/format/formats.hpp"
#include "common/format/gsst/block.hpp"
#include "common/frame/frame.hpp"
#include "library/device_frame_oracle.hpp"
#include "library/device_frame_plan.hpp"
#include "library/frame_refusal.hpp"
#include "library/gpu_compress_plan.hpp"
#include "library/gpu_decompress_plan.hpp"
#include "library/guarded_memory.hpp"
#include "library/repaired_checksums.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"
#include "stages/gsst/shared/payload_problem.hpp"

// Frames that the host does not read, on the CPU executor.
namespace gsst::library {
namespace {

using stage::Executor;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array device_frame_formats = {format::BlockFormat::blocks, format::BlockFormat::splits,
                                             format::BlockFormat::coalesced, format::BlockFormat::tiles};

// As none of these frames has.
constexpr std::uint64_t most_output_bytes = 1 << 20;

struct DeviceFrameRun {
  frame::FrameResult result;
  Bytes output;
  std::vector<std::uint32_t> status;
};

std::optional<Refusal> refusal_of_device(const DeviceFrameRun& run) {
  return library::refusal_of_device(run.result, run.status);
}

frame::FrameBounds wide_bounds(const Bytes& frame) {
  return bounds_said_by(frame, most_output_bytes);
}

// `frame_bytes`: what the word in memory says.
DeviceFrameRun run_device_frame(const Bytes& frame, std::uint64_t frame_bytes,
                                const frame::FrameBounds& bounds, bool verify_checksums = true) {
  const DeviceFramePlan plan(Executor::simt, bounds, verify_checksums);
  GuardedMemory output(bounds.output_bytes);
  GuardedMemory scratch(plan.scratch_bytes());
  GuardedMemory status(bounds.block_count * sizeof(std::uint32_t));
  GuardedMemory result(sizeof(frame::FrameResult));
  // Even a frame of no bytes is somewhere.
  const std::uint8_t nothing = 0;
  plan.enqueue({.frame = frame.empty() ? &nothing : frame.data(),
                .frame_bytes = &frame_bytes,
                .output = output.data(),
                .scratch = scratch.data(),
                .status = reinterpret_cast<std::uint32_t*>(status.data()),
                .result = reinterpret_cast<frame::FrameResult*>(result.data())},
               nullptr);
  EXPECT_TRUE(output.is_intact() && scratch.is_intact() && status.is_intact() && result.is_intact());
  DeviceFrameRun run{.result = {}, .output = {}, .status = std::vector<std::uint32_t>(bounds.block_count)};
  std::memcpy(&run.result, result.data(), sizeof run.result);
  std::memcpy(run.status.data(), status.data(), run.status.size() * sizeof(std::uint32_t));
  run.output = output.first(std::min(run.result.output_bytes, bounds.output_bytes));
  return run;
}

frame::FrameBounds bounds_of(const format::FrameView& view) {
  return {.format = view.header.format,
          .split_count = view.header.split_count,
          .frame_bytes = view.bytes.size(),
          .output_bytes = view.index.uncompressed_bytes,
          .block_bytes = view.header.block_size,
          .block_count = std::max<std::uint64_t>(view.index.entries.size(), 1)};
}

// Three blocks that are not stored raw.
struct SmallFrame {
  SmallFrame(std::uint64_t seed, format::BlockFormat format)
      : block_bytes(format == format::BlockFormat::tiles ? 9000 : 700),
        input(reference::test::make_text(3 * block_bytes - 50, seed)),
        frame(reference::compress(
            input, {.format = format, .block_bytes = block_bytes, .split_count = 5, .threads = 1})) {
    for (const format::IndexEntry& entry : format::parse_frame(frame).index.entries) {
      EXPECT_NE(entry.record.layout, format::BlockLayout::raw);
    }
  }

  std::size_t block_bytes;
  Bytes input;
  Bytes frame;
};

// Checks `frame` in the host's way and in the executor's.
DeviceFrameRun check_twins(const Bytes& frame, bool verify_checksums = true) {
  DeviceFrameRun run = run_device_frame(frame, frame.size(), wide_bounds(frame), verify_checksums);
  EXPECT_EQ(difference(refusal_of_host(Executor::simt, frame), refusal_of_device(run)), "");
  return run;
}

nlohmann::json golden_frames(const char* list_name) {
  std::ifstream list("data/golden/golden.json");
  const nlohmann::json golden = nlohmann::json::parse(list);
  nlohmann::json frames;
  for (const nlohmann::json& entry : golden.at(list_name)) {
    if (entry.at("container") == "frame") frames.push_back(entry);
  }
  return frames;
}

Bytes read_golden_frame(const nlohmann::json& entry) {
  return reference::test::read_file("data/golden/" + entry.at("file").get<std::string>());
}

// Thread blocks for each piece of a block of the largest size would take long.
bool has_small_blocks(const Bytes& frame) {
  return wide_bounds(frame).block_bytes <= (1 << 16);
}

TEST(DeviceFrames, EveryFormatIsDecompressedWithinItsBounds) {
  for (const format::BlockFormat format : device_frame_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const SmallFrame small(1, format);
    const Bytes& frame = small.frame;
    const frame::FrameBounds exact = bounds_of(format::parse_frame(frame));
    frame::FrameBounds wide = exact;
    wide.block_bytes += 9000;
    wide.block_count += 40;
    wide.output_bytes += 100;
    Bytes in_wide_memory = frame;
    in_wide_memory.resize(frame.size() + 300, 0xee);
    wide.frame_bytes = in_wide_memory.size();
    for (const DeviceFrameRun& run : {run_device_frame(frame, frame.size(), exact),
                                      run_device_frame(in_wide_memory, frame.size(), wide)}) {
      EXPECT_EQ(field_of(run.result.problem), std::string("none"));
      EXPECT_EQ(run.result.block_count, 3u);
      EXPECT_TRUE(run.output == small.input);
      EXPECT_EQ(std::ranges::count(run.status, 0u), static_cast<std::ptrdiff_t>(run.status.size()));
    }
  }
}

// What an encoder has just written, in memory that is as large as it may become.
TEST(DeviceFrames, AFrameThatTheEncoderWroteIsDecompressedFromItsMemory) {
  const Bytes input = reference::test::make_mixed(20000, 2);
  GpuCompressPlan compress(Executor::simt, input.size(), {.block_bytes = 9000});
  GuardedMemory scratch(compress.scratch_bytes());
  GuardedMemory frame(compress.output_bytes());
  std::uint64_t frame_bytes = 0;
  compress.enqueue(
      {.input = input.data(), .output = frame.data(), .scratch = scratch.data(), .frame_bytes = &frame_bytes},
      nullptr);
  const DeviceFrameRun run = run_device_frame(frame.first(compress.output_bytes()), frame_bytes,
                                              {.format = format::BlockFormat::splits,
                                               .split_count = 36,
                                               .frame_bytes = compress.output_bytes(),
                                               .output_bytes = input.size(),
                                               .block_bytes = 9000,
                                               .block_count = 3});
  EXPECT_EQ(field_of(run.result.problem), std::string("none"));
  EXPECT_TRUE(run.output == input);
  EXPECT_EQ(run.status, std::vector<std::uint32_t>(3));
}

TEST(DeviceFrames, GoldenFramesAreDecompressed) {
  std::size_t decoded = 0;
  for (const nlohmann::json& entry : golden_frames("valid")) {
    const Bytes frame = read_golden_frame(entry);
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const DeviceFrameRun run = check_twins(frame, has_small_blocks(frame));
    EXPECT_TRUE(run.output == reference::decompress_frame(frame));
    EXPECT_EQ(std::ranges::count(run.status, 0u), static_cast<std::ptrdiff_t>(run.status.size()));
    ++decoded;
  }
  EXPECT_GT(decoded, 50u);
}

TEST(DeviceFrames, GoldenInvalidFramesAreRefusedForTheFieldThatTheHostRefuses) {
  std::size_t refused = 0;
  for (const nlohmann::json& entry : golden_frames("invalid")) {
    const Bytes frame = read_golden_frame(entry);
    SCOPED_TRACE(entry.at("file").get<std::string>());
    const DeviceFrameRun run = check_twins(frame, has_small_blocks(frame));
    const bool is_whole = run.result.problem == frame::FrameProblem::none &&
                          std::ranges::all_of(run.status, [](std::uint32_t word) { return word == 0; });
    EXPECT_FALSE(is_whole);
    if (refusal_of_device(run)) ++refused;
  }
  EXPECT_GT(refused, 100u);
}

// Changes one byte of what a plan looks at: mostly of headers, and of an index entry as of the record that it
// repeats.
Bytes change_header(const Bytes& frame, std::mt19937_64& random) {
  const format::FrameView view = format::parse_frame(frame);
  const std::size_t block = random() % view.index.entries.size();
  const format::IndexEntry& entry = view.index.entries[block];
  const std::size_t entry_offset = view.index_offset() + block * format::index_entry_bytes;
  const std::array<std::uint8_t, 6> values = {0x01, 0x02, 0x10,
                                              0x80, 0xff, static_cast<std::uint8_t>(random() | 1)};
  const std::uint8_t change = values[random() % values.size()];
  Bytes changed = frame;
  switch (random() % 6) {
    case 0:
      changed[random() % 40] ^= change;
      break;
    case 1:
      changed[frame.size() - 1 - random() % 64] ^= change;
      break;
    case 2:
      changed[entry_offset + random() % format::index_entry_bytes] ^= change;
      break;
    case 3: {
      const std::size_t byte = random() % format::record_header_bytes;
      changed[entry.payload_offset - format::record_header_bytes + byte] ^= change;
      changed[entry_offset + 16 + byte] ^= change;
      break;
    }
    case 4:
      changed[entry.payload_offset - 1 - random() % format::record_header_bytes] ^= change;
      break;
    default:
      changed[entry.payload_offset + random() % std::min(entry.record.payload_bytes, 80U)] ^= change;
  }
  if (random() % 4 != 0) repair_checksums(changed);
  return changed;
}

TEST(DeviceFrames, ChangedFramesAreRefusedForTheFieldThatTheHostRefuses) {
  for (const format::BlockFormat format : device_frame_formats) {
    const Bytes frame = SmallFrame(3, format).frame;
    std::size_t refused = 0;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      SCOPED_TRACE(std::string(format::block_format_name(format)) + ", seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      const Bytes changed = change_header(frame, random);
      // A frame that is told to have other splits or larger blocks has other bounds, and may go on.
      if (refusal_of_device(check_twins(changed, has_small_blocks(changed)))) ++refused;
      if (HasFailure()) return;
    }
    EXPECT_GT(refused, 20u);
  }
}

TEST(DeviceFrames, ARecordThatIsNotTheOneOfTheIndexIsRefused) {
  const Bytes frame = SmallFrame(8, format::BlockFormat::splits).frame;
  const std::size_t record = format::parse_frame(frame).index.entries[1].payload_offset - 24;
  const auto refused_for = [&](std::initializer_list<std::pair<std::size_t, std::uint8_t>> changes) {
    Bytes changed = frame;
    for (const auto& [offset, value] : changes) changed[record + offset] = value;
    return check_twins(changed).result.problem;
  };
  EXPECT_EQ(refused_for({{0, 3}}), frame::FrameProblem::record_kind);
  EXPECT_EQ(refused_for({{2, 1}}), frame::FrameProblem::record_header);
  EXPECT_EQ(refused_for({{1, 9}}), frame::FrameProblem::layout);
  EXPECT_EQ(refused_for({{20, 1}, {21, 2}}), frame::FrameProblem::index_entry);
  // As if it were the record of an index.
  EXPECT_EQ(refused_for({{0, 2}, {7, 1}}), frame::FrameProblem::record_header);
  EXPECT_EQ(refused_for({{0, 2}, {1, 1}}), frame::FrameProblem::index_record_layout);
  EXPECT_EQ(refused_for({{0, 2}, {1, 0}}), frame::FrameProblem::index_record_uncompressed_bytes);
  EXPECT_EQ(refused_for({{0, 2}, {1, 0}, {12, 0}, {13, 0}}), frame::FrameProblem::index_entry);
}

TEST(DeviceFrames, EveryFrameThatIsCutShortIsRefused) {
  const Bytes frame = SmallFrame(4, format::BlockFormat::splits).frame;
  for (std::size_t size = 0; size < frame.size(); size += size < 140 ? 1 : 97) {
    SCOPED_TRACE(size);
    const Bytes cut(frame.begin(), frame.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_NE(check_twins(cut).result.problem, frame::FrameProblem::none);
  }
}

TEST(DeviceFrames, WhatIsOutsideTheBoundsIsRefused) {
  const Bytes frame = SmallFrame(5, format::BlockFormat::splits).frame;
  const frame::FrameBounds exact = bounds_of(format::parse_frame(frame));
  struct Case {
    void (*change)(frame::FrameBounds&);
    frame::FrameProblem problem;
  };
  const std::array cases = {
      Case{[](frame::FrameBounds& bounds) { bounds.format = format::BlockFormat::coalesced; },
           frame::FrameProblem::other_format},
      Case{[](frame::FrameBounds& bounds) { ++bounds.split_count; }, frame::FrameProblem::other_split_count},
      Case{[](frame::FrameBounds& bounds) { --bounds.frame_bytes; }, frame::FrameProblem::frame_bytes_bound},
      Case{[](frame::FrameBounds& bounds) { --bounds.output_bytes; }, frame::FrameProblem::output_bound},
      Case{[](frame::FrameBounds& bounds) { --bounds.block_bytes; }, frame::FrameProblem::block_size_bound},
      Case{[](frame::FrameBounds& bounds) { --bounds.block_count; }, frame::FrameProblem::block_count_bound}};
  for (const Case& changed : cases) {
    frame::FrameBounds bounds = exact;
    changed.change(bounds);
    const DeviceFrameRun run = run_device_frame(frame, frame.size(), bounds);
    EXPECT_EQ(run.result.problem, changed.problem) << describe(run.result.problem, std::nullopt);
    EXPECT_EQ(run.result.output_bytes, 0u);
    EXPECT_EQ(run.status, std::vector<std::uint32_t>(bounds.block_count, frame::refused_frame_status));
  }
}

TEST(DeviceFrames, ARefusedBlockDoesNotStopTheOthers) {
  for (const format::BlockFormat format : device_frame_formats) {
    SCOPED_TRACE(std::string(format::block_format_name(format)));
    const SmallFrame small(6, format);
    Bytes frame = small.frame;
    const frame::FrameBounds bounds = bounds_of(format::parse_frame(frame));
    frame[format::parse_frame(frame).index.entries[1].payload_offset + 4] ^= 0x55;
    const DeviceFrameRun run = run_device_frame(frame, frame.size(), bounds);
    EXPECT_EQ(run.result.problem, frame::FrameProblem::none);
    EXPECT_EQ(run.status[0], 0u);
    EXPECT_EQ(run.status[1] & 0xff, frame::refused_block_status);
    EXPECT_EQ(frame::problem_of_refused_block(run.status[1]),
              static_cast<frame::FrameProblem>(stage::PayloadProblem::uncompressed_size));
    EXPECT_EQ(run.status[2], 0u);
    const auto block = static_cast<std::ptrdiff_t>(small.block_bytes);
    EXPECT_TRUE(std::equal(run.output.begin(), run.output.begin() + block, small.input.begin()));
    EXPECT_TRUE(
        std::equal(run.output.begin() + 2 * block, run.output.end(), small.input.begin() + 2 * block));
  }
}

TEST(DeviceFrames, AWrongChecksumIsSeenUnlessItIsNotCompared) {
  Bytes frame = reference::compress(
      reference::test::make_random(2000, 7),
      {.format = format::BlockFormat::blocks, .block_bytes = 700, .split_count = 1, .threads = 1});
  const frame::FrameBounds bounds = bounds_of(format::parse_frame(frame));
  ++frame[format::parse_frame(frame).index.entries[2].payload_offset];
  EXPECT_EQ(
      run_device_frame(frame, frame.size(), bounds).status,
      (std::vector<std::uint32_t>{0, 0, static_cast<std::uint32_t>(stage::BlockStatus::wrong_checksum)}));
  EXPECT_EQ(run_device_frame(frame, frame.size(), bounds, false).status, std::vector<std::uint32_t>(3));
}

TEST(DeviceFrames, BoundsThatNoFrameHasAreRefused) {
  const frame::FrameBounds right{.format = format::BlockFormat::splits,
                                 .split_count = 5,
                                 .frame_bytes = 100,
                                 .output_bytes = 100,
                                 .block_bytes = 100,
                                 .block_count = 1};
  EXPECT_NO_THROW(DeviceFramePlan(Executor::simt, right, true));
  const auto expect_refused = [&](auto member, auto value) {
    frame::FrameBounds bounds = right;
    bounds.*member = value;
    EXPECT_THROW(DeviceFramePlan(Executor::simt, bounds, true), std::invalid_argument);
  };
  expect_refused(&frame::FrameBounds::split_count, 0U);
  expect_refused(&frame::FrameBounds::split_count, format::max_split_count + 1);
  expect_refused(&frame::FrameBounds::format, format::BlockFormat::tiles);
  expect_refused(&frame::FrameBounds::frame_bytes, std::uint64_t{0});
  expect_refused(&frame::FrameBounds::block_bytes, std::uint64_t{0});
  expect_refused(&frame::FrameBounds::block_bytes, format::max_block_bytes + 1);
  expect_refused(&frame::FrameBounds::block_count, std::uint64_t{0});
  expect_refused(&frame::FrameBounds::block_count, format::max_block_count + 1);
}

TEST(DeviceFrames, EveryProblemHasAName) {
  for (std::uint32_t problem = 0;
       problem < static_cast<std::uint32_t>(static_cast<frame::FrameProblem>(stage::PayloadProblem::count));
       ++problem) {
    const std::string name = field_of(static_cast<frame::FrameProblem>(problem));
    EXPECT_NE(name, "unknown");
    EXPECT_EQ(error_of(static_cast<frame::FrameProblem>(problem)) == GSST_ERROR_WRONG_CHECKSUM,
              name.ends_with("checksum"))
        << name;
  }
  EXPECT_EQ(field_of(static_cast<frame::FrameProblem>(stage::PayloadProblem::count)), std::string("unknown"));
  EXPECT_EQ(field_of(static_cast<frame::FrameProblem>(stage::PayloadProblem::strip_offset)),
            std::string("strip offset"));
  EXPECT_EQ(field_of(frame::FrameProblem::index_end), std::string("index end of blocks"));
  EXPECT_EQ(describe(frame::FrameProblem::layout, 3), "block 3: layout: is not what the format allows");
}

}  // namespace
}  // namespace gsst::library
