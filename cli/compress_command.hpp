#pragma once

#include <string>

#include "cli/options.hpp"
#include "cli/summary.hpp"

namespace gsst::cli {

/// Compresses `input`, one of `options.inputs`. Throws CommandError.
Summary compress_file(const Options& options, const std::string& input);

}  // namespace gsst::cli
