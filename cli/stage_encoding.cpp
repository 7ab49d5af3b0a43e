#include "cli/stage_encoding.hpp"

#include <cstdint>
#include <span>
#include <stdexcept>

#include "cli/command_error.hpp"
#include "cli/stage_choice.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/encode_plans.hpp"
#include "common/stage/run_decode.hpp"

namespace gsst::cli {
namespace {

void check(const stage::EncodePlans& plans, const stage::FileToEncode& file, const std::string& input_name) {
  try {
    plans.check(file);
  } catch (const std::invalid_argument& error) {
    throw CommandError(ExitCode::usage, input_name + ": " + error.what());
  }
}

}  // namespace

format::EncodeTotals encode_with_stage(const Options& options, InputFile& input,
                                       const format::EncodeSettings& settings,
                                       const format::WriteFunction& write,
                                       const format::ProgressFunction& progress) {
  const stage::FileToEncode file = {.format = chosen_codec(options).traits().format,
                                    .settings = settings,
                                    .memory_bytes = stage_memory_bytes(options),
                                    .way_to_codec = options.stage ? "without --stage" : "with --device cpu"};
  const stage::RegisteredStage& encoder = choose_encoder(options, input.name(), file.format);
  const stage::Executor executor = executor_of(options.device);
  check_runs_here(encoder, executor);
  const stage::EncodePlans& plans = *encoder.encode.at(executor);
  check(plans, file, input.name());
  try {
    return plans.encode(
        file, [&](std::span<std::uint8_t> buffer) { return input.read(buffer); }, write, progress);
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
