#pragma once

#include <string>

#include "cli/options.hpp"
#include "common/stage/registry.hpp"

namespace gsst::cli {

/// Where a stage runs for --device.
stage::Executor executor_of(Device device);

/// The stage of --stage, or the default one that decodes the format on the device. Throws CommandError, which
/// names the input, if there is none or it decodes another format.
const stage::RegisteredStage& choose_decoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format);

/// The stage of --stage, or the default one that writes the format on the device. Throws CommandError, which
/// names the input, if there is none or it does not write the format.
const stage::RegisteredStage& choose_encoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format);

}  // namespace gsst::cli
