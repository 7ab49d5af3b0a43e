#include "experiments/measure_cpu/threads_command.hpp"

#include <limits>
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

}  // namespace

std::vector<Row> measure_threads(const ThreadsOptions& options) {
  const std::vector<std::uint8_t> input = read_input_file(options.input);
  const std::uint64_t block_bytes = block_bytes_for(input.size(), options.blocks);
  const std::vector<std::uint8_t> compressed = reference::compress(
      input, {.format = format::BlockFormat::blocks, .block_bytes = block_bytes, .split_count = 1});
  const format::FrameView frame = format::parse_frame(compressed);
  const Repetitions repetitions{.wanted = options.repetitions,
                                .seconds_limit = std::numeric_limits<double>::infinity(),
                                .minimum = options.repetitions};
  std::vector<Row> rows;
  for (const unsigned threads : options.threads) {
    const auto decode = [&](std::span<std::uint8_t> output) {
      decode_frame_blocks(frame, reference::decode_fast, threads, output);
    };
    rows.push_back(
        {.stage = "reference_cpu/fast",
         .variant = "blocks",
         // Rounding up the bytes per block may leave fewer blocks than asked for: the ones that exist count.
         .parameters = {{"threads", threads},
                        {"blocks", frame.index.entries.size()},
                        {"block_bytes", block_bytes},
                        {"checksum", "none"}},
         .uncompressed_bytes = input.size(),
         .compressed_bytes = compressed.size(),
         .seconds = time_verified(decode, input, repetitions, "--threads " + std::to_string(threads))});
  }
  return rows;
}

}  // namespace gsst::experiments
