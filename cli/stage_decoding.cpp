#include "cli/stage_decoding.hpp"

#include <string>
#include <vector>

#include "cli/command_error.hpp"
#include "cli/progress.hpp"
#include "common/format/block.hpp"
#include "common/format/frame.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/registry.hpp"
#include "common/stage/run_decode.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::cli {
namespace {

std::vector<std::uint8_t> read_all(InputFile& input) {
  constexpr std::size_t piece_bytes = std::size_t{16} << 20;
  std::vector<std::uint8_t> bytes;
  std::size_t got = piece_bytes;
  while (got == piece_bytes) {
    const std::size_t begin = bytes.size();
    bytes.resize(begin + piece_bytes);
    got = input.read(std::span(bytes).subspan(begin));
    bytes.resize(begin + got);
  }
  return bytes;
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

Summary decode_with_stage(const Options& options, InputFile& input, format::BlockFormat block_format,
                          const reference::WriteFunction& write) {
  const stage::RegisteredStage& chosen = choose_stage(options, input.name(), block_format);
  const ProgressLine progress(input.name(), input.size(), true);
  const std::vector<std::uint8_t> frame = read_all(input);
  const stage::Executor executor =
      options.device == Device::gpu ? stage::Executor::gpu : stage::Executor::simt;
  const stage::DecodeResult result = stage::run_decode(chosen, executor, frame);
  stage::check_statuses(result.statuses);
  const format::FrameIndex index = format::parse_frame(frame).index;
  reference::check_checksums(result.output(), index);
  write(result.output());
  return {.operation = options.operation,
          .input = input.name(),
          .output = {},
          .format = block_format,
          .level = std::nullopt,
          .blocks = index.entries.size(),
          .uncompressed_bytes = index.uncompressed_bytes,
          .compressed_bytes = frame.size(),
          .seconds = progress.seconds()};
}

}  // namespace gsst::cli
