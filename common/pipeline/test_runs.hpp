#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "common/pipeline/stage_run.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/memory_codec.hpp"
#include "reference_cpu/test_inputs.hpp"

/// What the tests of the pipeline share: stages on the executors of this machine.
namespace gsst::pipeline::test {

/// Every stage that decodes, on every executor of this machine.
inline std::vector<StageRun> all_runs() {
  std::vector<StageRun> runs;
  for (const stage::RegisteredStage& stage : stage::registered_stages()) {
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

/// `input` in a frame whose blocks of 4000 bytes share a table, but for one that has another and one that is
/// stored as it is.
inline std::vector<std::uint8_t> compress_with_shared_tables(std::vector<std::uint8_t>& input) {
  constexpr std::size_t shared_block_bytes = 4000;
  input = reference::test::make_text(10 * shared_block_bytes + 17, 5);
  std::fill_n(input.begin() + 2 * shared_block_bytes, shared_block_bytes, std::uint8_t{0xee});
  const std::vector<std::uint8_t> noise = reference::test::make_random(shared_block_bytes, 5);
  std::copy(noise.begin(), noise.end(), input.begin() + 5 * shared_block_bytes);
  return reference::compress(input, {.format = format::BlockFormat::tiles,
                                     .block_bytes = shared_block_bytes,
                                     .code_bits = 8,
                                     .codes_per_lane = 32,
                                     .level = 3,
                                     .threads = 1});
}

inline std::string run_name(const StageRun& run) {
  return run.stage->description.id + (run.executor == stage::Executor::gpu ? "_gpu" : "_simt");
}

/// `input` in blocks of `block_bytes` bytes of the run's format.
inline std::vector<std::uint8_t> compress_for(const StageRun& run, std::span<const std::uint8_t> input,
                                              std::uint64_t block_bytes) {
  return reference::compress(
      input,
      {.format = run.stage->description.format, .block_bytes = block_bytes, .split_count = 5, .threads = 1});
}

}  // namespace gsst::pipeline::test
