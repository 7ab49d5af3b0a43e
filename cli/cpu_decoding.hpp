#pragma once

#include "cli/input_file.hpp"
#include "common/format/block_format.hpp"
#include "common/format/stream.hpp"

/// Decompression without a stage.
namespace gsst::cli {

/// Decompresses what is left of `input` on the CPU: with the format's codec, or with the decoder for
/// processors where the format has a faster one whose output is the same. `threads` of 0 are all. Throws what
/// these throw.
format::StreamTotals decode_on_cpu(format::BlockFormat block_format, InputFile& input,
                                   const format::WriteFunction& write, unsigned threads,
                                   const format::ProgressFunction& progress);

}  // namespace gsst::cli
