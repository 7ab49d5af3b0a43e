#include "cli/stage_encoding.hpp"

#include <span>
#include <string>

#include "cli/command_error.hpp"
#include "common/encode_stage/encode_stream.hpp"
#include "common/encode_stage/registry.hpp"
#include "common/format/block.hpp"
#include "common/pipeline/memory_limit.hpp"

namespace gsst::cli {
namespace {

const stage::RegisteredEncoder& choose_encoder(const Options& options, const std::string& input_name,
                                               format::BlockFormat block_format) {
  const stage::RegisteredEncoder* chosen = nullptr;
  for (const stage::RegisteredEncoder& stage : stage::registered_encoders()) {
    if (options.stage && stage.description.id != *options.stage) continue;
    if (stage.description.format == block_format) chosen = &stage;
  }
  if (chosen != nullptr) return *chosen;
  throw CommandError(ExitCode::usage,
                     input_name + ": " +
                         (options.stage ? "stage " + *options.stage + " does not write" : "no stage writes") +
                         " format " + std::string(format::block_format_name(block_format)));
}

}  // namespace

reference::StreamTotals encode_with_stage(const Options& options, InputFile& input,
                                          const reference::CompressOptions& settings,
                                          const reference::WriteFunction& write,
                                          const reference::ProgressFunction& progress) {
  const stage::RegisteredEncoder& encoder = choose_encoder(options, input.name(), settings.format);
  const stage::Executor executor =
      options.device == Device::gpu ? stage::Executor::gpu : stage::Executor::simt;
  try {
    return stage::encode_stream(
        encoder, executor, [&](std::span<std::uint8_t> buffer) { return input.read(buffer); }, write,
        {.block_bytes = settings.block_bytes,
         .split_count = settings.split_count,
         .memory_bytes = options.stage_memory_bytes},
        progress);
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
