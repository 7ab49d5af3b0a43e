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
