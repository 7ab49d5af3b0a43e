#include "cli/stage_decoding.hpp"

#include <span>
#include <string>

#include "cli/command_error.hpp"
#include "cli/stage_choice.hpp"
#include "common/pipeline/memory_limit.hpp"

namespace gsst::cli {

streaming::DecodeTotals decode_with_stage(const Options& options, InputFile& input,
                                          format::BlockFormat block_format,
                                          const format::WriteFunction& write,
                                          const format::ProgressFunction& progress) {
  const stage::RegisteredStage& chosen = choose_decoder(options, input.name(), block_format);
  const pipeline::StageRun run{.stage = &chosen,
                               .executor = executor_of(options.device),
                               .parameters = decoder_parameters(options, chosen.description)};
  const std::uint64_t memory_bytes = stage_memory_bytes(options);
  try {
    return streaming::decode_stream(
        run, *streaming::devices_of(run.executor),
        [&](std::span<std::uint8_t> buffer) { return input.read(buffer); },
        [&](const pipeline::Batch&, std::span<const std::uint8_t> output) { write(output); },
        {.memory_bytes = memory_bytes, .host_memory_bytes = memory_bytes, .frame_bytes = input.size()},
        progress);
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
