#pragma once

#include <functional>
#include <string>

#include "cli/options.hpp"
#include "common/simt/access_trace.hpp"

namespace gsst::cli {

/// Calls `work`, and with --trace writes what the accesses of its kernels cost to that file, as JSON
/// (docs/tracing.md). Throws CommandError where the file cannot be written, and what `work` throws.
void with_trace(const Options& options, const std::function<void()>& work);

/// Writes what has been traced to the file at `path`, as JSON. Throws CommandError.
void write_trace(const simt::AccessTrace& trace, const std::string& path);

}  // namespace gsst::cli
