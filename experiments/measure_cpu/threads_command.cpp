#include "experiments/measure_cpu/threads_command.hpp"

#include <limits>
#include <memory>
#include <span>
#include <string>

#include "common/format/part_size.hpp"
#include "common/frame/frame.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/input_file.hpp"
#include "experiments/measure_cpu/frame_blocks.hpp"
#include "experiments/measure_cpu/verified_timing.hpp"
#include "reference_cpu/fast_decoder.hpp"
#include "reference_cpu/memory_codec.hpp"

namespace gsst::experiments {
namespace {

/// Uncompressed bytes per block for `blocks` blocks (Eq 4.2), checked.
std::uint64_t block_bytes_for(std::uint64_t input_bytes, std::uint64_t blocks) {
  if (blocks > input_bytes)
    throw InputError("--blocks " + std::to_string(blocks) + ": the input has only " +
                     std::to_string(input_bytes) + " bytes");
  const std::uint64_t block_bytes = format::part_size(input_bytes, blocks);
  if (block_bytes > format::max_block_bytes)
    throw InputError("--blocks " + std::to_string(blocks) + ": blocks of " + std::to_string(block_bytes) +
                     " bytes, but a block has at most " + std::to_string(format::max_block_bytes));
  return block_bytes;
}

/// The input, and its frame.
struct BlocksFrame {
  explicit BlocksFrame(const ThreadsOptions& options)
      : input(read_input_file(options.input)),
        block_bytes(block_bytes_for(input.size(), options.blocks)),
        compressed(reference::compress(
            input, {.format = format::BlockFormat::blocks, .block_bytes = block_bytes, .split_count = 1})),
        view(format::parse_frame(compressed)) {}

  std::vector<std::uint8_t> input;
  std::uint64_t block_bytes;
  std::vector<std::uint8_t> compressed;
  format::FrameView view;
};

nlohmann::ordered_json measure(const BlocksFrame& frame, unsigned threads, const Repetitions& repetitions,
                               const Dataset& dataset) {
  const auto decode = [&](std::span<std::uint8_t> output) {
    decode_frame_blocks(frame.view, reference::decode_fast, threads, output);
  };
  return row_to_json(
      {.stage = "reference_cpu/fast",
       .variant = "blocks",
       // Rounding up the bytes per block may leave fewer blocks than asked for: the ones that exist count.
       .parameters = {{"threads", threads},
                      {"blocks", frame.view.index.entries.size()},
                      {"block_bytes", frame.block_bytes},
                      {"checksum", "none"}},
       .uncompressed_bytes = frame.input.size(),
       .compressed_bytes = frame.compressed.size(),
       .seconds = time_verified(decode, frame.input, repetitions, "--threads " + std::to_string(threads))},
      dataset);
}

}  // namespace

std::vector<StudiedWork> threads_works(const ThreadsOptions& options, const Dataset& dataset) {
  const auto frame = std::make_shared<const BlocksFrame>(options);
  const Repetitions repetitions{.wanted = options.repetitions,
                                .seconds_limit = std::numeric_limits<double>::infinity(),
                                .minimum = options.repetitions};
  std::vector<StudiedWork> works;
  for (const unsigned threads : options.threads) {
    works.push_back({.key = {{"threads", threads}, {"blocks", options.blocks}},
                     .measure = [=] { return std::vector{measure(*frame, threads, repetitions, dataset)}; }});
  }
  return works;
}

}  // namespace gsst::experiments
