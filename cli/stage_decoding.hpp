#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "common/format/stream.hpp"
#include "common/streaming/decode_stream.hpp"

namespace gsst::cli {

/// Decompresses the frame that `input` holds with a stage's kernel, a batch of blocks at a time, on all
/// devices where that pays, and checks every block's checksum before `write` gets it. `progress` is called
/// after each batch. Memory is bounded by stage_memory_bytes(). Throws CommandError if no stage decodes
/// `block_format` or the memory holds no block, and what streaming::decode_stream() throws.
streaming::DecodeTotals decode_with_stage(const Options& options, InputFile& input,
                                          format::BlockFormat block_format,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress);

}  // namespace gsst::cli
