#pragma once

#include <span>

namespace gsst::cli {

/// The program of the Python package that does `gsst column`.
inline constexpr const char* column_program = "gsst-column";

/// Whether the arguments of main() ask for `gsst column`. A file of that name is `./column`.
bool is_column_command(std::span<char* const> arguments);

/// Becomes `gsst-column`, with what stands behind `column` in the arguments of main(). To be called before
/// any thread is started. Throws CommandError where the program cannot be run.
[[noreturn]] void run_column_command(std::span<char* const> arguments);

}  // namespace gsst::cli
