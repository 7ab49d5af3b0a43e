#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "cli/summary.hpp"
#include "reference_cpu/stream_codec.hpp"

namespace gsst::cli {

/// Decompresses the frame that `input` holds with a stage's kernel, and checks every block's checksum. The
/// whole file and its output are in memory at once. Throws CommandError if no stage decodes `block_format`,
/// and format::FormatError.
Summary decode_with_stage(const Options& options, InputFile& input, format::BlockFormat block_format,
                          const reference::WriteFunction& write);

}  // namespace gsst::cli
