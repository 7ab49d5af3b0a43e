#pragma once

#include <functional>

#include "cli/options.hpp"

namespace gsst::cli {

/// Calls `work`, and with --trace writes what the accesses of its kernels cost to that file, as JSON
/// (docs/tracing.md). Throws CommandError where the file cannot be written, and what `work` throws.
void with_trace(const Options& options, const std::function<void()>& work);

}  // namespace gsst::cli
