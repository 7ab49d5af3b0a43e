#include "cli/compress_command.hpp"

#include "cli/command_error.hpp"
#include "cli/compression_settings.hpp"
#include "cli/cpu_encoding.hpp"
#include "cli/format_choice.hpp"
#include "cli/gpu_start.hpp"
#include "cli/input_file.hpp"
#include "cli/output_file.hpp"
#include "cli/output_name.hpp"
#include "cli/progress.hpp"
#include "cli/stage_choice.hpp"
#include "cli/stage_encoding.hpp"
#include "cli/value_type.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::cli {
Summary compress_file(const Options& given, const std::string& input_argument) {
  InputFile input(input_argument, given.threads);
  const GpuStart gpu(given.device);
  if (input.is_terminal() && !given.replace) {
    throw CommandError(ExitCode::usage,
                       input.name() + ": is a terminal; name a FILE, or add -f to type the input");
  }
  Options options = with_type_of_array(given, input);
  FormatChoice choice = {.codec = nullptr, .reason = {}};
  if (options.chooses_format) {
    choice = choose_format(options, input);
    options.format = choice.codec->traits().format;
  }
  const reference::Codec& codec = chosen_codec(options);
  format::EncodeSettings settings = compression_settings(options, input.name(), input.size());
  if (input.size()) check_whole_values(options, input.name(), *input.size());
  OutputFile output(output_name(options, input_argument), input, options.replace, options.threads);
  if (output.is_terminal() && !options.replace) {
    throw CommandError(ExitCode::usage, output.name() +
                                            ": is a terminal, and compressed bytes are not to be read "
                                            "there; name a file with -o, or add -f");
  }

  ProgressLine progress(input.name(), input.size(), options.quiet);
  const format::WriteFunction write = [&](std::span<const std::uint8_t> bytes) { output.write(bytes); };
  const format::ProgressFunction show = [&](const format::StreamTotals& now) {
    progress.update(now.input_bytes, now.input_bytes);
  };
  const bool with_stage = runs_stage(options, stage::Operation::encode, codec.traits().format);
  if (!with_stage && !options.block_bytes && !options.block_count) {
    if (const auto fitting = choose_block_size(codec, input, settings)) {
      settings.block_bytes = fitting->block_bytes;
      choice.reason = fitting->reason;
    }
  }
  const format::EncodeTotals totals = with_stage ? encode_with_stage(options, input, settings, write, show)
                                                 : encode_on_cpu(codec, input, write, settings, show);
  // Of a pipe the size is known now.
  check_whole_values(options, input.name(), totals.input_bytes);
  output.finish(input);
  return {
      .operation = Operation::compress,
      .input = input.name(),
      .output = output.name(),
      .format = codec.name(),
      .stage = with_stage ? choose_encoder(options, input.name(), codec.traits().format).description.id : "",
      .how = choice.reason.empty() ? totals.how : choice.reason + "; " + totals.how,
      .numbers = totals.numbers,
      .block_bytes = settings.block_bytes,
      .blocks = totals.blocks,
      .uncompressed_bytes = totals.input_bytes,
      .compressed_bytes = totals.output_bytes,
      .seconds = progress.seconds()};
}

}  // namespace gsst::cli
