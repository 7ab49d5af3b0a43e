#include "cli/stage_decoding.hpp"

#include <span>
#include <string>

#include "cli/command_error.hpp"
#include "common/format/block.hpp"
#include "common/pipeline/decode_stream.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/registry.hpp"

namespace gsst::cli {

const stage::RegisteredStage& choose_stage(const Options& options, const std::string& input_name,
                                           format::BlockFormat block_format) {
  const stage::RegisteredStage* chosen = nullptr;
  for (const stage::RegisteredStage& stage : stage::registered_stages()) {
    const bool wanted =
        options.stage ? stage.description.id == *options.stage : stage.description.format == block_format;
    if (wanted) chosen = &stage;
  }
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

reference::StreamTotals decode_with_stage(const Options& options, InputFile& input,
                                          format::BlockFormat block_format,
                                          const reference::WriteFunction& write,
                                          const reference::ProgressFunction& progress) {
  const stage::RegisteredStage& chosen = choose_stage(options, input.name(), block_format);
  const pipeline::StageRun run{
      .stage = &chosen,
      .executor = options.device == Device::gpu ? stage::Executor::gpu : stage::Executor::simt};
  try {
    return pipeline::decode_stream(
        run, [&](std::span<std::uint8_t> buffer) { return input.read(buffer); },
        [&](const pipeline::Batch&, std::span<const std::uint8_t> output) { write(output); },
        {.memory_bytes = options.stage_memory_bytes, .frame_bytes = input.size()}, progress);
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
