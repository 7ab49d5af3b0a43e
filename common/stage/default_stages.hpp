#pragma once

#include <span>
#include <string_view>

#include "common/format/block_format.hpp"
#include "common/stage/registry.hpp"

/// Which stage runs where nobody names one. The files stages/<series>/defaults.txt say it, and nothing else:
/// CMake makes this table of them.
namespace gsst::stage {

/// A line of a defaults.txt.
struct DefaultStage {
  /// The name of the format.
  std::string_view format;
  Operation operation;
  Executor executor;
  /// The id of the stage.
  std::string_view stage;
};

/// All lines of all files, at most one for each format, operation and executor.
std::span<const DefaultStage> default_stages();

/// The default stage, or nullptr if no file names one or the program was not linked with it. It may be
/// registered for other executors only: programs without CUDA have no kernels for Executor::gpu.
const RegisteredStage* default_stage(format::BlockFormat format, Operation operation, Executor executor);

}  // namespace gsst::stage
