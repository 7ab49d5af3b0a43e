#pragma once

#include <span>

namespace gsst::cli {

/// What `gsst grep` tells its caller, as grep does.
enum class GrepExitCode : int {
  selected = 0,  ///< lines were selected
  none = 1,      ///< none were
  error = 2,     ///< an error, unless nothing was to be printed and a line was selected before
};

/// Runs `gsst grep`, whose arguments are those of main(). Says on standard error what went wrong.
GrepExitCode run_grep_command(std::span<char* const> arguments);

}  // namespace gsst::cli
