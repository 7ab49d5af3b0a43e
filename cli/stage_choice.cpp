#include "cli/stage_choice.hpp"

#include "cli/command_error.hpp"
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

const stage::RegisteredStage& choose_decoder(const Options& options, const std::string& input_name,
                                             format::BlockFormat block_format) {
  const stage::RegisteredStage* const chosen = wanted_stage(options, stage::Operation::decode, block_format);
  const std::string format_name(format::block_format_name(block_format));
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
