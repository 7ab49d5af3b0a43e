#include "experiments/measure_cpu/compress_command.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

// Decodes with the threads that the encoder has, of which the machine must not grant fewer.
void verify_frame(std::span<const std::uint8_t> frame, std::span<const std::uint8_t> input, unsigned threads,
                  const std::string& what) {
  const format::FrameView view = format::parse_frame(frame);
  if (view.index.uncompressed_bytes != input.size()) {
    throw MismatchError(what + ": the frame holds " + std::to_string(view.index.uncompressed_bytes) +
                        " bytes instead of " + std::to_string(input.size()));
  }
  Bytes output(input.size());
  poison(output, input);
  decode_frame_blocks(view, reference::decode_fast, threads, output);
  verify(output, input, what);
}

Json compress_with(unsigned threads, std::span<const std::uint8_t> input, std::size_t repetitions,
                   const Dataset& dataset) {
  const reference::CompressOptions compression{
      .format = format::BlockFormat::blocks, .split_count = 1, .threads = threads};
  const std::string name = "--threads " + std::to_string(threads);
  Bytes frame = reference::compress(input, compression);
  verify_frame(frame, input, threads, name + ", before timing");
  std::vector<double> seconds(repetitions);
  for (double& repetition : seconds) {
    // Not the memory of the frame before: what an allocation costs is the same each time.
    frame = Bytes();
    const auto start = std::chrono::steady_clock::now();
    frame = reference::compress(input, compression);
    repetition = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  verify_frame(frame, input, threads, name + ", after timing");
  Json row = row_to_json({.stage = "reference_cpu/encoder",
                          .variant = "blocks",
                          .parameters = {{"threads", threads}, {"block_bytes", compression.block_bytes}},
                          .uncompressed_bytes = input.size(),
                          .compressed_bytes = frame.size(),
                          .seconds = summarize(seconds)},
                         dataset);
  row["operation"] = "encode";
  row["end_to_end"] = true;
  return row;
}

}  // namespace

std::vector<StudiedWork> compression_works(const CompressionOptions& options, const Dataset& dataset) {
  const auto input = std::make_shared<const Bytes>(read_input_file(options.input));
  std::vector<StudiedWork> works;
  for (const unsigned threads : options.threads) {
    works.push_back({.key = {{"threads", threads}}, .measure = [=, repetitions = options.repetitions] {
                       return std::vector{compress_with(threads, *input, repetitions, dataset)};
                     }});
  }
  return works;
}

}  // namespace gsst::experiments
