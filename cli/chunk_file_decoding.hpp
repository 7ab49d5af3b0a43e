#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "common/chunk_files/chunk_files.hpp"
#include "common/format/stream.hpp"

namespace gsst::cli {

/// The kind of files of that format of which a stage decodes the chunks on `options.device`, or nullptr.
const chunk_files::ChunkFiles* chunk_files_for(const Options& options, format::BlockFormat block_format);

/// Decodes `input`, a file of that kind, with the stage of --stage or the default one of its chunks. Throws
/// CommandError, also if the input is no regular file, and format::FormatError for a damaged file.
chunk_files::ChunkTotals decode_chunk_file(const Options& options, const InputFile& input,
                                           const chunk_files::ChunkFiles& files,
                                           const format::WriteFunction& write,
                                           const format::ProgressFunction& progress);

}  // namespace gsst::cli
