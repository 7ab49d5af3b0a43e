#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "experiments/measure_gpu/run_options.hpp"

namespace gsst::experiments {

/// Adds the options that say what the result is called and where it comes from: all of `options` but the
/// points files, and `target`.
void add_result_options(CLI::App& app, RunOptions& options, std::string& target);

/// Adds the options that name the text and say what the rows call it.
void add_input_options(CLI::App& app, InputOptions& options);

/// The command line as one text, for the result.
std::string command_text(int argc, char** argv);

}  // namespace gsst::experiments
