#include "cli/stage_choice.hpp"

#include <algorithm>
#include <limits>

#include "cli/command_error.hpp"
#include "cli/stages_in_place_of_codecs.hpp"
#include "common/format/formats.hpp"
#include "common/stage/default_stages.hpp"

namespace gsst::cli {
namespace {

const stage::RegisteredStage* wanted_stage(const Options& options, stage::Operation operation,
                                           format::BlockFormat block_format) {
  return options.stage ? stage::find_stage(*options.stage, operation)
                       : stage::default_stage(block_format, operation, executor_of(options.device));
}

}  // namespace

stage::Executor executor_of(Device device) {
  switch (device) {
    case Device::gpu:
      return stage::Executor::gpu;
    case Device::simt:
      return stage::Executor::simt;
    default:
      return stage::Executor::cpu;
  }
}

bool runs_stage(const Options& options, stage::Operation operation, format::BlockFormat block_format) {
  if (options.device != Device::cpu) return true;
  if (!options.stage && !runs_in_place_of_codec(format::block_format_name(block_format), operation))
    return false;
  const stage::RegisteredStage* const stage = wanted_stage(options, operation, block_format);
  return stage != nullptr && is_registered_for(*stage, stage::Executor::cpu);
}

std::uint64_t stage_memory_bytes(const Options& options) {
  return options.device == Device::cpu && !options.stage ? std::numeric_limits<std::uint64_t>::max()
                                                         : options.stage_memory_bytes;
}

stage::ParameterValues decoder_parameters(const Options& options, const stage::Description& description) {
  // Kernels have a parameter of this name too: the threads of a block.
  if (options.device != Device::cpu || options.threads == 0) return {};
  const auto found = std::ranges::find(description.parameters, "threads", &stage::Parameter::name);
  if (found == description.parameters.end()) return {};
  std::int64_t threads = 0;
  for (const std::int64_t value : found->values) {
    if (value <= options.threads) threads = std::max(threads, value);
  }
  return {{"threads", threads}};
}

const stage::RegisteredStage& choose_decoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format,
                                             std::optional<format::BlockFormat> file_format) {
  const stage::RegisteredStage* const chosen = wanted_stage(options, stage::Operation::decode, block_format);
  const std::string format_name(format::block_format_name(file_format.value_or(block_format)));
  if (chosen == nullptr) {
    throw CommandError(ExitCode::usage, input_name + ": no stage decompresses format " + format_name);
  }
  if (chosen->description.format != block_format) {
    throw CommandError(ExitCode::usage,
                       input_name + ": has format " + format_name + ", stage " + chosen->description.id +
                           " decompresses " +
                           std::string(format::block_format_name(chosen->description.format)));
  }
  return *chosen;
}

const stage::RegisteredStage& choose_encoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format) {
  const stage::RegisteredStage* const chosen = wanted_stage(options, stage::Operation::encode, block_format);
  if (chosen != nullptr && handles_format(*chosen, block_format)) return *chosen;
  throw CommandError(ExitCode::usage,
                     input_name + ": " +
                         (options.stage ? "stage " + *options.stage + " does not write" : "no stage writes") +
                         " format " + std::string(format::block_format_name(block_format)));
}

}  // namespace gsst::cli
