#include "cli/decompress_command.hpp"

#include <string_view>

#include "cli/chunk_file_decoding.hpp"
#include "cli/column_decoding.hpp"
#include "cli/command_error.hpp"
#include "cli/cpu_decoding.hpp"
#include "cli/gpu_start.hpp"
#include "cli/input_file.hpp"
#include "cli/input_format.hpp"
#include "cli/output_file.hpp"
#include "cli/output_name.hpp"
#include "cli/progress.hpp"
#include "cli/stage_choice.hpp"
#include "cli/stage_decoding.hpp"
#include "common/format/error.hpp"
#include "common/format/formats.hpp"

namespace gsst::cli {
namespace {

InputFile open_compressed(const Options& options, const std::string& input_argument) {
  InputFile input(input_argument, options.threads);
  if (input.is_terminal() && !options.replace) {
    throw CommandError(ExitCode::usage, input.name() + ": is a terminal; name a FILE");
  }
  return input;
}

// What -v says of a codec that leaves the work to a library of the distribution.
std::string decoder_text(format::BlockFormat block_format) {
  const std::string_view name = format::block_format_name(block_format);
  return name == "gzip" || name == "zlib" ? "decoded by zlib, " : "";
}

// What -v says of the GPUs that have worked.
std::string device_text(std::size_t devices) {
  return "on " + std::to_string(devices) + (devices == 1 ? " GPU, " : " GPUs, ");
}

Summary decode(const Options& options, InputFile& input, format::BlockFormat block_format,
               const format::WriteFunction& write) {
  const chunk_files::ChunkFiles* const chunk_files = chunk_files_for(options, block_format);
  const format::BlockFormat stage_format = chunk_files == nullptr ? block_format : chunk_files->chunk_format;
  const bool with_stage = runs_stage(options, stage::Operation::decode, stage_format);
  // The codec stands in for a stage without code for the CPU, which is asked only whether it is of the
  // format.
  std::string stage_id =
      with_stage || options.stage
          ? choose_decoder(options, input.name(), stage_format, block_format).description.id
          : "";
  ProgressLine progress(input.name(), input.size(), options.quiet);
  const format::ProgressFunction update = [&](const format::StreamTotals& now) {
    progress.update(now.input_bytes, now.output_bytes);
  };
  chunk_files::ChunkTotals totals;
  if (chunk_files != nullptr) {
    totals = decode_chunk_file(options, input, *chunk_files, write, update);
    if (totals.blocks_of_stage == 0) stage_id.clear();
  } else if (with_stage) {
    const streaming::DecodeTotals decoded = decode_with_stage(options, input, block_format, write, update);
    totals.stream = decoded.stream;
    if (options.device == Device::gpu) {
      totals.how = device_text(decoded.devices);
      totals.numbers.emplace_back("devices", decoded.devices);
    }
  } else {
    totals.stream = decode_on_cpu(block_format, input, write, options.threads, update);
    totals.how = decoder_text(block_format);
  }
  return {.operation = options.operation,
          .input = input.name(),
          .output = {},
          .format = format::block_format_name(block_format),
          .stage = with_stage ? stage_id : "",
          .how = totals.how,
          .numbers = totals.numbers,
          .blocks = totals.stream.blocks,
          .uncompressed_bytes = totals.stream.output_bytes,
          .compressed_bytes = totals.stream.input_bytes,
          .seconds = progress.seconds()};
}

}  // namespace

Summary decompress_file(const Options& options, const std::string& input_argument) {
  InputFile input = open_compressed(options, input_argument);
  const GpuStart gpu(options.device);
  if (options.column) {
    OutputFile values(output_name(options, input_argument), input, options.replace, options.threads);
    Summary summary = decode_column(options, input, [&](auto bytes) { values.write(bytes); });
    values.finish(input);
    summary.output = values.name();
    return summary;
  }
  const format::BlockFormat block_format = format_to_decode(input, options.format);
  OutputFile output(output_name(options, input_argument), input, options.replace, options.threads);
  Summary summary =
      decode(options, input, block_format, [&](std::span<const std::uint8_t> bytes) { output.write(bytes); });
  output.finish(input);
  summary.output = output.name();
  return summary;
}

Summary test_file(const Options& options, const std::string& input_argument) {
  InputFile input = open_compressed(options, input_argument);
  const GpuStart gpu(options.device);
  if (options.column) return decode_column(options, input, [](auto) {});
  const format::BlockFormat block_format = format_to_decode(input, options.format);
  return decode(options, input, block_format, [](std::span<const std::uint8_t>) {});
}

}  // namespace gsst::cli
