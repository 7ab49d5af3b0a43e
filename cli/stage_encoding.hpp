#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

/// Compresses what `input` holds with the encoder stage of --stage, or with the default one of the
/// format, piece by piece. `progress` is called after each piece. Memory is bounded by
/// options.stage_memory_bytes. The input's first reference::planned_bytes() say how codes of format
/// tiles are laid out, and give the table that all blocks share; where the stage can train on the executor
/// what options.level asks for, it trains one for each piece instead. Throws CommandError, which names the
/// input, if there is no such stage, if the memory holds no block, or for a level above 1 of another format:
/// stages train no such tables.
reference::EncodeTotals encode_with_stage(const Options& options, InputFile& input,
                                          const reference::EncodeSettings& settings,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress);

}  // namespace gsst::cli
