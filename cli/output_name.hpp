#pragma once

#include <string>

#include "cli/options.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

/// The path that `input`'s output is written to, `-` for standard output: what -o or -c say, else `input`
/// with the format's suffix added (compression) or taken off (decompression). Throws CommandError with
/// ExitCode::usage for an input to decompress whose suffix is none of ours.
std::string output_name(const Options& options, const std::string& input);

/// Whether `path` ends in the suffix of the codec's files.
bool has_suffix(const std::string& path, const reference::Codec& codec);

}  // namespace gsst::cli
