#pragma once

#include <filesystem>
#include <vector>

#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"

namespace gsst::experiments {

struct StringsOptions {
  /// Text whose lines are strings.
  std::filesystem::path input;
};

/// Stored bytes of the input's strings, without the newlines between them, once as blocks (format blocks at
/// level 1) and once each string by itself with the table of its block: its codes start anew, as FSST's
/// authors encode. Each alone, with offsets of 4 bytes, and with lengths as a column stores them (FORMAT.md,
/// section 10); the offsets are those of strings in a block's output, and of codes where each string has its
/// own. Everything is verified by decoding. Throws InputError for a text without strings, and MismatchError.
std::vector<StudiedWork> strings_works(const StringsOptions& options, const Dataset& dataset);

}  // namespace gsst::experiments
