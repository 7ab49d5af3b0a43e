#include "cli/decompress_command.hpp"

#include "cli/command_error.hpp"
#include "cli/input_file.hpp"
#include "cli/input_format.hpp"
#include "cli/output_file.hpp"
#include "cli/output_name.hpp"
#include "cli/progress.hpp"
#include "cli/stage_choice.hpp"
#include "cli/stage_decoding.hpp"
#include "common/format/error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
namespace {

InputFile open_compressed(const Options& options, const std::string& input_argument) {
  InputFile input(input_argument);
  if (input.is_terminal() && !options.replace) {
    throw CommandError(ExitCode::usage, input.name() + ": is a terminal; name a FILE");
  }
  return input;
}

// Whether a stage decompresses: on the CPU only one that is named and has code for it. The reference codec
// stands in for others, which are asked only whether they are of the format.
bool runs_stage(const Options& options, const std::string& input_name, format::BlockFormat block_format) {
  if (options.device != Device::cpu) return true;
  if (!options.stage) return false;
  return choose_decoder(options, input_name, block_format).decode.contains(stage::Executor::cpu);
}

Summary decode(const Options& options, InputFile& input, format::BlockFormat block_format,
               const format::WriteFunction& write) {
  const bool with_stage = runs_stage(options, input.name(), block_format);
  ProgressLine progress(input.name(), input.size(), options.quiet);
  const format::ProgressFunction update = [&](const format::StreamTotals& now) {
    progress.update(now.input_bytes, now.output_bytes);
  };
  const format::StreamTotals totals =
      with_stage ? decode_with_stage(options, input, block_format, write, update)
                 : reference::codec_of(block_format)
                       .decode([&](std::span<std::uint8_t> buffer) { return input.read(buffer); }, write,
                               options.threads, update);
  return {.operation = options.operation,
          .input = input.name(),
          .output = {},
          .format = block_format,
          .blocks = totals.blocks,
          .uncompressed_bytes = totals.output_bytes,
          .compressed_bytes = totals.input_bytes,
          .seconds = progress.seconds()};
}

}  // namespace

Summary decompress_file(const Options& options, const std::string& input_argument) {
  InputFile input = open_compressed(options, input_argument);
  const format::BlockFormat block_format =
      recognise_format(input.peek(recognised_bytes), input.name(), options.format);
  OutputFile output(output_name(options, input_argument), input, options.replace);
  Summary summary =
      decode(options, input, block_format, [&](std::span<const std::uint8_t> bytes) { output.write(bytes); });
  output.finish(input);
  summary.output = output.name();
  return summary;
}

Summary test_file(const Options& options, const std::string& input_argument) {
  InputFile input = open_compressed(options, input_argument);
  const format::BlockFormat block_format =
      recognise_format(input.peek(recognised_bytes), input.name(), options.format);
  return decode(options, input, block_format, [](std::span<const std::uint8_t>) {});
}

}  // namespace gsst::cli
