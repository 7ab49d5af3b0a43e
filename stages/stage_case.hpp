#pragma once

#include <gtest/gtest.h>

#include <string>

#include "common/stage/stage.hpp"

namespace gsst::stage {

/// A stage on an executor: what the tests of stages are run with.
struct StageCase {
  std::string stage;
  Executor executor;
};

/// What the names of the tests of a stage on an executor end with; other programs choose tests by it.
std::string case_name(const testing::TestParamInfo<StageCase>& parameter);

}  // namespace gsst::stage
