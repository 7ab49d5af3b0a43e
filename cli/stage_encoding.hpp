#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "reference_cpu/stream_codec.hpp"

namespace gsst::cli {

/// Compresses what `input` holds with the encoder stage of --stage, or with the last one that writes the
/// format. The whole file and its frame are in memory at once. Throws CommandError, which names the input, if
/// there is no such stage.
reference::StreamTotals encode_with_stage(const Options& options, InputFile& input,
                                          const reference::CompressOptions& settings,
                                          const reference::WriteFunction& write);

}  // namespace gsst::cli
