#include "cli/stage_decoding.hpp"

#include <span>
#include <string>

#include "cli/command_error.hpp"
#include "common/format/block.hpp"
#include "common/format/frame.hpp"
#include "common/pipeline/decode_stream.hpp"
#include "common/pipeline/memory_limit.hpp"
#include "common/stage/registry.hpp"
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
  const auto as_codec_counts = [](const pipeline::StreamTotals& totals) {
    return reference::StreamTotals{
        .input_bytes = totals.input_bytes, .output_bytes = totals.output_bytes, .blocks = totals.blocks};
  };
  try {
    return as_codec_counts(pipeline::decode_stream(
        run, [&](std::span<std::uint8_t> buffer) { return input.read(buffer); },
        [&](const pipeline::Batch& batch, std::span<const std::uint8_t> output) {
          check_checksums(batch, output);
          write(output);
        },
        {.memory_bytes = options.stage_memory_bytes, .frame_bytes = input.size()},
        [&](const pipeline::StreamTotals& now) { progress(as_codec_counts(now)); }));
  } catch (const pipeline::MemoryLimitError& error) {
    throw CommandError(ExitCode::usage, input.name() + ": --memory: " + error.what());
  }
}

}  // namespace gsst::cli
