#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>

#include "experiments/measure/shared/run_options.hpp"

namespace gsst::experiments {

/// The statuses of a measuring program besides 0: the measurement failed; the command line or the input
/// cannot be measured.
constexpr int exit_failure = 1;
constexpr int exit_usage = 2;

/// Calls run(argc, argv), whose value is the program's status. What it throws is written to standard error
/// after the `program`'s name: exit_usage for an InputError, else exit_failure.
int run_program(const char* program, const std::function<int(int argc, char** argv)>& run, int argc,
                char** argv);

/// Adds the options that say where the result goes and where it comes from. `command` is what the result
/// calls the command where no option says it (command_text()).
void add_result_options(CLI::App& app, RunOptions& options, const std::string& command);

/// Adds the options that say how everything is timed.
void add_timing_options(CLI::App& app, RunOptions& options);

/// Adds the options that name the text and say what the rows call it. `prefix` stands before their names.
/// They are given together; whether they may be left out says `required`.
void add_input_options(CLI::App& app, InputOptions& options, const std::string& prefix = "",
                       bool required = true);

/// The command line as one text, for the result.
std::string command_text(int argc, char** argv);

/// Reads the command line. Returns the status to end with, if the program is to end: after `--help`, and
/// after an error, which it has written to standard error.
std::optional<int> parse_command_line(CLI::App& app, int argc, char** argv);

}  // namespace gsst::experiments
