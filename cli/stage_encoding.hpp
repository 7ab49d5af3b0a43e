#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "reference_cpu/stream_codec.hpp"

namespace gsst::cli {

/// Compresses what `input` holds with the encoder stage of --stage, or with the last one that writes the
/// format, piece by piece. `progress` is called after each piece. Memory is bounded by
/// options.stage_memory_bytes. All blocks of format tiles share the table that the input's first
/// reference::planned_bytes() give. Throws CommandError, which names the input, if there is no such stage or
/// the memory holds no block.
reference::CompressTotals encode_with_stage(const Options& options, InputFile& input,
                                            const reference::CompressOptions& settings,
                                            const reference::WriteFunction& write,
                                            const reference::ProgressFunction& progress);

}  // namespace gsst::cli
