#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "common/format/block_format.hpp"
#include "common/stage/stage.hpp"

namespace gsst::stage {

/// A stage on an executor: what the tests of stages are run with.
struct StageCase {
  std::string stage;
  Executor executor;
};

/// How GoogleTest names it in the message of a failure.
// NOLINTNEXTLINE(readability-identifier-naming): GoogleTest's.
void PrintTo(const StageCase& one, std::ostream* output);

/// Every stage that is registered for `operation`, on every executor of this machine that it is registered
/// for.
std::vector<StageCase> stage_cases(Operation operation);

/// Those of them that do it with `format`.
std::vector<StageCase> stage_cases(Operation operation, format::BlockFormat format);

/// What the names of the tests of a stage on an executor end with; other programs choose tests by it.
std::string case_name(const testing::TestParamInfo<StageCase>& parameter);

/// Those of `cases` whose executor uses the host's memory: all but the GPU. For tests that give plans such
/// memory; on a GPU a test that is skipped is not a stage's that has passed.
std::vector<StageCase> in_host_memory(std::vector<StageCase> cases);

/// The ladder of a stage: its steps, or only its defaults where it has none.
std::vector<ParameterValues> steps_of(const Description& stage);

/// For the message of a failure: "defaults", or "step = 1, thread_blocks = 2".
std::string names_and_values(const ParameterValues& parameters);

/// Cuts `input` to its first `bytes` bytes on the CPU executor, which runs one thread at a time, and under a
/// tool (test_sample()).
void shorten_where_slow(Executor executor, std::vector<std::uint8_t>& input, std::size_t bytes);

}  // namespace gsst::stage
