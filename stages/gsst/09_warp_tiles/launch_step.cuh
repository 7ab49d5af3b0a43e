#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "stages/gsst/09_warp_tiles/strips.cuh"

/// How the kernels of this stage are launched. Behind launch.hpp, which gives them CUDA's words where the
/// compiler has none.
namespace {

/// Of the scratch memory of a frame.
std::size_t counter_bytes(const FrameOnDevice& frame) {
  return Counters::words_for(frame.block_count) * sizeof(unsigned);
}

using Kernel = void (*)(FrameOnDevice, std::uint8_t*, std::uint32_t*, Counters, std::uint32_t);

// Half a warp's part of shared memory is whole lines: a bulk copy reads a line there at once, as it writes
// one.
constexpr std::size_t stage_unit = std::size_t{2} * line_bytes;

// A kernel with what it needs of shared memory, in bytes.
struct Step {
  Kernel kernel = nullptr;
  // For the thread block, and for each warp at least.
  std::size_t block_bytes = 0;
  std::size_t least_warp_bytes = 0;

  std::size_t least_bytes() const { return block_bytes + least_warp_bytes; }
};

Step make_step(Kernel kernel, std::size_t table_and_lengths, std::uint32_t codes_per_lane) {
  const std::size_t tile_bytes = std::size_t{32} * codes_per_lane * 8 + line_bytes;
  return {.kernel = kernel,
          .block_bytes = table_and_lengths + control_bytes,
          .least_warp_bytes = (tile_bytes + stage_unit - 1) / stage_unit * stage_unit};
}

/// Memory is fastest while the warps of a multiprocessor have about 50 KB of output under way: with more,
/// they write in too many places at once, with less, they wait. The CPU executor runs a warp that finds no
/// strip at the price of one that does.
std::size_t usual_warps(const FrameOnDevice& frame, const TileShape& shape) {
  if (gsst::stage::this_executor == gsst::stage::Executor::simt) return 3;
  constexpr double output_under_way = 50e3;
  const double codes = static_cast<double>(frame.frame_bytes) * 8 / shape.code_bits;
  const double tile_bytes = static_cast<double>(frame.uncompressed_bytes) / codes * shape.codes();
  return static_cast<std::size_t>(std::clamp(output_under_way / tile_bytes, 9.0, 16.0));
}

/// As many warps as are wanted and have room, each with an equal part of what the table leaves. Throws
/// std::invalid_argument, which names `stage` and `shape`, if not even one has.
void launch_step(const gsst::stage::DecodeRequest& request, const std::string& stage, const TileShape& shape,
                 const Step& step, std::size_t wanted_warps, unsigned thread_blocks = 0) {
  const std::size_t available = gsst::stage::max_shared_bytes();
  if (available < step.least_bytes()) {
    throw std::invalid_argument("stage " + stage + ": " + std::to_string(shape.code_bits) + "-bit codes, " +
                                std::to_string(shape.codes_per_lane) + " a lane, need " +
                                std::to_string(step.least_bytes()) +
                                " bytes of shared memory; a thread block has " + std::to_string(available));
  }
  const std::size_t room = available - step.block_bytes;
  const std::size_t warps = std::min(wanted_warps, room / step.least_warp_bytes);
  const std::size_t stage_bytes = room / warps / stage_unit * stage_unit;
  const auto threads = static_cast<unsigned>(32 * warps);
  const std::size_t shared_bytes = step.block_bytes + warps * stage_bytes;
  gsst::stage::clear(request.scratch, counter_bytes(request.frame), request.stream);
  gsst::stage::launch(
      {.thread_blocks = thread_blocks != 0
                            ? thread_blocks
                            : gsst::stage::resident_thread_blocks(threads, shared_bytes, step.kernel),
       .threads_per_block = threads,
       .shared_bytes = shared_bytes,
       .stream = request.stream},
      step.kernel, request.frame, request.output, request.status,
      Counters{.words = static_cast<unsigned*>(request.scratch),
               .set_words = static_cast<std::uint32_t>(Counters::words_of_set(request.frame.block_count))},
      static_cast<std::uint32_t>(stage_bytes));
}

}  // namespace
