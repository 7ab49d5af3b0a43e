#pragma once

#include <string>

#include "cli/options.hpp"
#include "cli/summary.hpp"

namespace gsst::cli {

/// Decompresses `input`, one of `options.inputs`. Throws CommandError.
Summary decompress_file(const Options& options, const std::string& input);

/// Decompresses `input` and checks all that its format allows to check, writing nothing. Throws CommandError.
Summary test_file(const Options& options, const std::string& input);

}  // namespace gsst::cli
