#include "cli/stage_decoding.hpp"

#include <span>
#include <string>

#include "cli/command_error.hpp"
#include "cli/stage_choice.hpp"
#include "common/format/frame.hpp"
#include "common/pipeline/decode_stream.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "reference_cpu/block_codec.hpp"

namespace gsst::cli {
namespace {

// Numbers blocks as the frame does.
void check_checksums(const pipeline::Batch& batch, std::span<const std::uint8_t> output) {
  for (std::size_t i = 0; i < batch.index.entries.size(); ++i) {
    const format::IndexEntry& entry = batch.index.entries[i];
    reference::check_checksum(output.subspan(entry.uncompressed_offset, entry.record.uncompressed_bytes),
                              entry.record, batch.first_block + i);
  }
}

}  // namespace

reference::StreamTotals decode_with_stage(const Options& options, InputFile& input,
                                          format::BlockFormat block_format,
                                          const reference::WriteFunction& write,
                                          const reference::ProgressFunction& progress) {
  const stage::RegisteredStage& chosen = choose_decoder(options, input.name(), block_format);
  const pipeline::StageRun run{.stage = &chosen, .executor = executor_of(options.device)};
  try {
    return pipeline::decode_stream(
        run, [&](std::span<std::uint8_t> buffer) { return input.read(buffer); },
        [&](const pipeline::Batch& batch, std::span<const std::uint8_t> output) {
          check_checksums(batch, output);
          write(output);
        },
        {.memory_bytes = options.stage_memory_bytes, .frame_bytes = input.size()}, progress);
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
