#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "cli/options.hpp"
#include "common/format/block_format.hpp"
#include "search/line_printer.hpp"
#include "search/line_search.hpp"
#include "search/pattern.hpp"

namespace gsst::cli {

/// What is printed of a file.
enum class GrepOutput {
  lines,          ///< the selected lines or their matches
  count,          ///< how many lines are selected
  files_with,     ///< the file's name, if a line is selected
  files_without,  ///< the file's name, if none is
  nothing,        ///< nothing: the exit code says it
};

/// The command line of `gsst grep`, checked as far as it can be without looking at any file.
struct GrepOptions {
  /// Paths, `-` for standard input.
  std::vector<std::string> inputs;
  std::vector<std::string> patterns;
  search::PatternSettings pattern_settings;
  search::LineSettings line_settings;
  search::LinePrefix prefix;
  GrepOutput output = GrepOutput::lines;
  std::optional<format::BlockFormat> format;
  /// 0: one per available core.
  unsigned threads = 0;
  bool json = false;
};

/// Whether the arguments of main() ask for `gsst grep`.
bool is_grep_command(std::span<char* const> arguments);

/// Reads the arguments of main() from `grep` on, and the files of -f. Options are read by getopt_long, as
/// grep's are: they may come after files, be joined and abbreviated. Throws CommandError with
/// ExitCode::usage, and with ExitCode::input_output for a file of patterns that cannot be read.
std::variant<GrepOptions, Answer> parse_grep_options(std::span<char* const> arguments);

}  // namespace gsst::cli
