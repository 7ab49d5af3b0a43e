#pragma once

#include "common/stage/registry.hpp"

namespace gsst::pipeline {

/// How batches are decoded.
struct StageRun {
  /// Decodes the frame's format; must outlive what uses it.
  const stage::RegisteredStage* stage;
  stage::Executor executor;
  stage::ParameterValues parameters = {};
};

}  // namespace gsst::pipeline
