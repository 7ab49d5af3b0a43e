#pragma once

#include <stdexcept>
#include <string>

namespace gsst::cli {

/// What the command tells its caller. `gsst --help` lists the values.
enum class ExitCode : int {
  success = 0,
  invalid_input = 1,  ///< the input breaks a rule of FORMAT.md or is no file of ours
  usage = 2,          ///< the command line asks for what cannot be done
  input_output = 3,   ///< a file cannot be read, written or replaced; memory ran out
};

/// Ends the work on one file. The message names the file or the option and is shown as it is.
class CommandError : public std::runtime_error {
public:
  CommandError(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}

  ExitCode code() const { return code_; }

private:
  ExitCode code_;
};

}  // namespace gsst::cli
