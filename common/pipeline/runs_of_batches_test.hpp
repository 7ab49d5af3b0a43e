#pragma once

#include <stdexcept>
#include <vector>

#include "common/pipeline/test_runs.hpp"

/// Which stages the tests decode batches with.
namespace gsst::pipeline::test {

/// Whether a stage makes plans for batches, whose output is not known when memory for them is allocated: some
/// are for whole frames and refuse that.
inline bool decodes_batches(const StageRun& run) {
  stage::FrameOnDevice batches{};
  batches.frame_bytes = 4096;
  batches.block_count = 1;
  batches.split_count = 1;
  batches.format = run.stage->description.format;
  try {
    run.stage->decode.at(run.executor).make({.frame = batches, .parameters = {}});
  } catch (const std::invalid_argument&) {
    return false;
  }
  return true;
}

/// Every stage that decodes batches, on every executor of this machine.
inline std::vector<StageRun> runs_of_batches() {
  std::vector<StageRun> runs = all_runs();
  std::erase_if(runs, [](const StageRun& run) { return !decodes_batches(run); });
  return runs;
}

}  // namespace gsst::pipeline::test
