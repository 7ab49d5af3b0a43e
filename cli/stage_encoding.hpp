#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "common/format/encoding.hpp"
#include "common/format/stream.hpp"

namespace gsst::cli {

/// Compresses what `input` holds with the encoder stage of --stage, or with the default one of the
/// format. `progress` is called now and then. Memory is bounded by stage_memory_bytes(). Throws
/// CommandError, which names the input, if there is no such stage, if it does not do what the options ask
/// for, or if the memory holds no block, and std::invalid_argument if the device is not there.
format::EncodeTotals encode_with_stage(const Options& options, InputFile& input,
                                       const format::EncodeSettings& settings,
                                       const format::WriteFunction& write,
                                       const format::ProgressFunction& progress);

}  // namespace gsst::cli
