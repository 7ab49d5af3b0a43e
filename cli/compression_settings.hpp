#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {

/// What chosen_codec() is asked to do with the input `name` of `input_size` bytes (nothing: unknown). Throws
/// CommandError with ExitCode::usage if --blocks needs a size that is unknown, or blocks would be too large
/// or too many.
reference::EncodeSettings compression_settings(const Options& options, const std::string& name,
                                               std::optional<std::uint64_t> input_size);

}  // namespace gsst::cli
