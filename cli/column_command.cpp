#include "cli/column_command.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command_error.hpp"

namespace gsst::cli {

bool is_column_command(std::span<char* const> arguments) {
  return arguments.size() > 1 && std::string_view(arguments[1]) == "column";
}

void run_column_command(std::span<char* const> arguments) {
  std::string name = column_program;
  std::vector<char*> passed_on = {name.data()};
  const auto rest = arguments.subspan(2);
  passed_on.insert(passed_on.end(), rest.begin(), rest.end());
  passed_on.push_back(nullptr);
  execvp(column_program, passed_on.data());
  const std::string problem =
      errno == ENOENT ? "it is not in PATH; the Python package of gsst installs it" : std::strerror(errno);
  throw CommandError(ExitCode::usage, "column: cannot run " + name + ": " + problem +
                                          " (the file of the name column is ./column)");
}

}  // namespace gsst::cli
