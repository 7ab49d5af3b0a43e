#include "experiments/measure_cpu/frame_blocks.hpp"

#include <omp.h>

#include <algorithm>
#include <exception>
#include <stdexcept>
#include <string>

#include "common/format/gsst/block.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

void decode_frame_block(const format::FrameView& frame, std::size_t number, CodesDecoder decoder,
                        std::span<std::uint8_t> output) {
  const format::BlockView block = format::parse_block(frame, number);
  const std::span<std::uint8_t> block_output =
      output.subspan(frame.index.entries[number].uncompressed_offset, block.uncompressed_bytes);
  if (block.layout == format::BlockLayout::raw) {
    std::copy(block.codes.begin(), block.codes.end(), block_output.begin());
    return;
  }
  const reference::DecodeProblem problem = decoder(block.table, block.codes, block_output);
  if (problem != reference::DecodeProblem::none)
    throw MismatchError("block " + std::to_string(number) + ": " + reference::describe(problem));
}

}  // namespace

void decode_frame_blocks(const format::FrameView& frame, CodesDecoder decoder, unsigned threads,
                         std::span<std::uint8_t> output) {
  if (frame.header.format != format::BlockFormat::blocks)
    throw std::invalid_argument("only frames of format blocks are decoded here");
  if (output.size() != frame.index.uncompressed_bytes)
    throw std::invalid_argument("the output does not have the frame's uncompressed bytes");
  const auto block_count = static_cast<std::int64_t>(frame.index.entries.size());
  std::exception_ptr failure;
  int threads_granted = 0;

#pragma omp parallel num_threads(static_cast <int>(threads))
  {
#pragma omp single nowait
    threads_granted = omp_get_num_threads();
    // Dynamic: a thread that the machine takes away for a while must not hold up a fixed share of the blocks.
#pragma omp for schedule(dynamic, 1)
    for (std::int64_t number = 0; number < block_count; ++number) {
      try {
        decode_frame_block(frame, static_cast<std::size_t>(number), decoder, output);
      } catch (...) {
#pragma omp critical
        failure = std::current_exception();
      }
    }
  }
  if (failure) std::rethrow_exception(failure);
  if (threads_granted != static_cast<int>(threads))
    throw InputError("asked for " + std::to_string(threads) + " threads, OpenMP started " +
                     std::to_string(threads_granted) + " (see OMP_THREAD_LIMIT and OMP_DYNAMIC)");
}

}  // namespace gsst::experiments
