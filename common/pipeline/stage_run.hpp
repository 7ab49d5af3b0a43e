#pragma once

#include "common/format/block_header.hpp"
#include "common/stage/registry.hpp"

namespace gsst::pipeline {

/// How batches are decoded.
struct StageRun {
  /// Decodes the frame's format; must outlive what uses it.
  const stage::RegisteredStage* stage;
  stage::Executor executor;
  stage::ParameterValues parameters = {};
};

/// Throws std::invalid_argument if `run` cannot decode `block_format` here.
void check_stage_run(const StageRun& run, format::BlockFormat block_format);

}  // namespace gsst::pipeline
