#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/options.hpp"
#include "common/stage/registry.hpp"

namespace gsst::cli {

/// Where a stage runs for --device.
stage::Executor executor_of(Device device);

/// Whether a stage does `operation`, decode or encode, with the format, and not the reference codec: on the
/// CPU only one that is named and has code for it, or the default one where it is there to take the codec's
/// place. A named one may have another format.
bool runs_stage(const Options& options, stage::Operation operation, format::BlockFormat block_format);

/// Bytes of memory for what `options` have a stage do. On the CPU, where --memory is not for, as many as the
/// codecs have.
std::uint64_t stage_memory_bytes(const Options& options);

/// The parameters that a stage which decodes takes from `options`: how many threads code of the host runs, of
/// which it has at most --threads.
stage::ParameterValues decoder_parameters(const Options& options, const stage::Description& description);

/// The stage of --stage, or the default one that decodes the format on the device. Throws CommandError, which
/// names the input and its format, `file_format` where that has blocks of another one, if there is none or it
/// decodes another format.
const stage::RegisteredStage& choose_decoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format,
                                             std::optional<format::BlockFormat> file_format = std::nullopt);

/// The stage of --stage, or the default one that writes the format on the device. Throws CommandError, which
/// names the input, if there is none or it does not write the format.
const stage::RegisteredStage& choose_encoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format);

}  // namespace gsst::cli
