#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/format/stream.hpp"
#include "common/pipeline/stage_run.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/codec.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/table_sharing.hpp"
#include "reference_cpu/test_inputs.hpp"

/// What the tests of the pipeline share: stages on the executors of this machine.
namespace gsst::pipeline::test {

/// Every stage that decodes, on every executor of this machine.
inline std::vector<StageRun> all_runs() {
  std::vector<StageRun> runs;
  for (const stage::RegisteredStage& stage : stage::registered_stages(stage::Operation::decode)) {
    for (const auto& [executor, decode] : stage.decode) {
      if (stage::is_available(executor)) runs.push_back({.stage = &stage, .executor = executor});
    }
  }
  return runs;
}

/// One stage on every executor of this machine: what is tested does not depend on the stage.
inline std::vector<StageRun> runs_of_one_stage() {
  std::vector<StageRun> runs = all_runs();
  std::erase_if(runs, [](const StageRun& run) { return run.stage->description.id != "gsst/02_splits"; });
  return runs;
}

/// The stages whose blocks can share a table, on every executor of this machine.
inline std::vector<StageRun> runs_of_tiles() {
  std::vector<StageRun> runs = all_runs();
  std::erase_if(
      runs, [](const StageRun& run) { return run.stage->description.format != format::BlockFormat::tiles; });
  return runs;
}

/// A frame of eleven blocks of 4000 bytes, whose output becomes `input`: two tables that blocks
/// share by turns, and a block that is stored as it is.
inline std::vector<std::uint8_t> compress_with_shared_tables(std::vector<std::uint8_t>& input) {
  const reference::CompressOptions options = {.format = format::BlockFormat::tiles,
                                              .block_bytes = 4000,
                                              .code_bits = 8,
                                              .codes_per_lane = 32,
                                              .level = 3,
                                              .threads = 1};
  const auto header = format::build_frame_header(
      {.format = options.format, .block_size = options.block_bytes, .split_count = 1});
  std::vector<std::uint8_t> frame(header.begin(), header.end());
  format::FrameIndex index;
  reference::TableSharing sharing;
  for (std::uint64_t i = 0; i < 11; ++i) {
    const std::vector<std::uint8_t> piece = i == 5 ? reference::test::make_random(options.block_bytes, i)
                                                   : reference::test::make_text(options.block_bytes, i % 2);
    reference::CompressedBlock block = reference::compress_block(piece, options, 1, std::nullopt);
    sharing.finish(block, piece, false);
    format::append_block(index, block.record);
    const auto record = format::build_block_record(block.record);
    frame.insert(frame.end(), record.begin(), record.end());
    frame.insert(frame.end(), block.bytes.begin(), block.bytes.end());
    input.insert(input.end(), piece.begin(), piece.end());
  }
  const std::vector<std::uint8_t> end = format::build_frame_end(index);
  frame.insert(frame.end(), end.begin(), end.end());
  return frame;
}

inline std::string run_name(const StageRun& run) {
  return run.stage->description.id + "_" + std::string(executor_name(run.executor));
}

/// `input` in blocks of `block_bytes` bytes of the run's format, as its codec makes them.
inline std::vector<std::uint8_t> compress_for(const StageRun& run, std::span<const std::uint8_t> input,
                                              std::uint64_t block_bytes) {
  const reference::Codec& codec = reference::codec_of(run.stage->description.format);
  reference::EncodeSettings settings = {.block_bytes = block_bytes, .threads = 1};
  if (codec.has_option("splits")) settings.options["splits"] = 5;
  return reference::encode_file(codec, input, settings);
}

}  // namespace gsst::pipeline::test
