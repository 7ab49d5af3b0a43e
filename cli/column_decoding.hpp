#pragma once

#include "cli/input_file.hpp"
#include "cli/options.hpp"
#include "cli/summary.hpp"
#include "common/format/stream.hpp"

namespace gsst::cli {

/// Writes the values of `options.column`, a column of the file `input`, to `write`. The summary has no
/// output. Throws CommandError, and format::FormatError for a damaged file.
Summary decode_column(const Options& options, const InputFile& input, const format::WriteFunction& write);

/// Refuses an input that starts with `start` and is a file of columns, of which none was chosen. Throws
/// CommandError.
void check_column_is_chosen(std::span<const std::uint8_t> start, const std::string& name);

}  // namespace gsst::cli
