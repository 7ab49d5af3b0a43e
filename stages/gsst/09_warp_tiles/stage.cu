#include <algorithm>
#include <stdexcept>

#include "common/stage/compile_time_choice.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/09_warp_tiles/kernel_10_symbol_halves.cuh"
#include "stages/gsst/09_warp_tiles/kernel_1_tiles.cuh"
#include "stages/gsst/09_warp_tiles/kernel_2_table_copies.cuh"
#include "stages/gsst/09_warp_tiles/kernel_3_length_classes.cuh"
#include "stages/gsst/09_warp_tiles/kernel_4_prefetch.cuh"
#include "stages/gsst/09_warp_tiles/kernel_5_whole_lines.cuh"
#include "stages/gsst/09_warp_tiles/kernel_6_short_core.cuh"
#include "stages/gsst/09_warp_tiles/kernel_7_half_stages.cuh"
#include "stages/gsst/09_warp_tiles/kernel_8_loads_ahead.cuh"
#include "stages/gsst/09_warp_tiles/kernel_9_one_front.cuh"

namespace {

// The first step that decodes every shape.
constexpr std::int64_t first_general_step = 8;
constexpr std::int64_t last_step = 10;

std::size_t counter_bytes(const FrameOnDevice& frame) {
  return Counters::words_for(frame.block_count) * sizeof(unsigned);
}

const gsst::stage::Description description = {
    .id = "gsst/09_warp_tiles",
    .base = "gsst/07_tuned",
    .title = "Beyond the thesis: a warp decodes a tile of codes that name their lengths",
    .section = "7.2.1",
    .format = gsst::format::BlockFormat::tiles,
    .operation = gsst::stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description = "step of the ladder, each a kernel; those before step 8 take 8-bit codes, "
                                   "32 of them a lane, only; step 10 differs from 9 for 12-bit codes only",
                    .values = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10},
                    .default_value = last_step,
                    .compile_time = true},
                   {.name = "warps",
                    .description =
                        "warps of a thread block, fewer where shared memory has no room; 0: 9 to 16, the "
                        "fewer the more bytes a code stands for (on the CPU 3)",
                    .values = {0, 2, 8, 9, 10, 12, 14, 16},
                    .default_value = 0,
                    .compile_time = false},
                   {.name = "thread_blocks",
                    .description = "thread blocks; 0: as many as the GPU runs at the same time",
                    .values = {0, 1, 2, 3, 33, 66},
                    .default_value = 0,
                    .compile_time = false}},
    .scratch_bytes = counter_bytes,
};

using Kernel = void (*)(FrameOnDevice, std::uint8_t*, std::uint32_t*, Counters, std::uint32_t);

// Half a warp's part of shared memory is whole lines: a bulk copy reads a line there at once, as it writes
// one.
constexpr std::size_t stage_unit = std::size_t{2} * line_bytes;

// A kernel with what it needs of shared memory.
struct Step {
  Kernel kernel = nullptr;
  // For the thread block, and for each warp at least.
  std::size_t block_bytes = 0;
  std::size_t least_warp_bytes = 0;
};

Step make_step(Kernel kernel, std::size_t table_and_lengths, std::uint32_t codes_per_lane) {
  const std::size_t tile_bytes = std::size_t{32} * codes_per_lane * 8 + line_bytes;
  return {.kernel = kernel,
          .block_bytes = table_and_lengths + control_bytes,
          .least_warp_bytes = (tile_bytes + stage_unit - 1) / stage_unit * stage_unit};
}

template <std::uint32_t CodeBits, std::uint32_t CodesPerLane>
Step make_general_step(std::int64_t step) {
  const std::size_t table = table_bytes<CodeBits>;
  if (step == 8) return make_step(loads_ahead::decode_tiles<CodeBits, CodesPerLane>, table, CodesPerLane);
  if constexpr (table_copies<CodeBits> == 1) {
    if (step == 10) {
      return make_step(symbol_halves::decode_tiles<CodeBits, CodesPerLane>, table + sizeof(RunBlocks),
                       CodesPerLane);
    }
  }
  return make_step(one_front::decode_tiles<CodeBits, CodesPerLane>, table + sizeof(RunBlocks), CodesPerLane);
}

// The steps that know all shapes.
Step choose_general_step(std::int64_t step, const TileShape& shape) {
  Step chosen;
  gsst::stage::choose<8, 10, 12>(shape.code_bits, [&](auto bits) {
    gsst::stage::choose<16, 24, 32>(shape.codes_per_lane,
                                    [&](auto codes) { chosen = make_general_step<bits(), codes()>(step); });
  });
  return chosen;
}

Step choose_step(std::int64_t step, const TileShape& shape) {
  if (step >= first_general_step) return choose_general_step(step, shape);
  if (shape.code_bits != 8 || shape.codes_per_lane != 32) {
    throw std::invalid_argument("stage " + description.id + ": step " + std::to_string(step) +
                                " decodes 8-bit codes, 32 of them a lane; the frame has " +
                                std::to_string(shape.code_bits) + "-bit codes, " +
                                std::to_string(shape.codes_per_lane) + " a lane");
  }
  constexpr std::size_t symbols = 256;
  switch (step) {
    case 1:
      return make_step(tiles::decode_tiles<8, 32>, symbols * 8 + symbols, 32);
    case 2:
      return make_step(table_copies_only::decode_tiles<8, 32>, table_bytes<8> + symbols, 32);
    case 3:
      return make_step(length_classes::decode_tiles<8, 32>, table_bytes<8>, 32);
    case 4:
      return make_step(prefetch::decode_tiles<8, 32>, table_bytes<8>, 32);
    case 5:
      return make_step(whole_lines::decode_tiles<8, 32>, table_bytes<8>, 32);
    case 6:
      return make_step(short_core::decode_tiles<8, 32>, table_bytes<8>, 32);
    default:
      return make_step(half_stages::decode_tiles<8, 32>, table_bytes<8>, 32);
  }
}

// Memory is fastest while the warps of a multiprocessor have about 50 KB of output under way: with more, they
// write in too many places at once, with less, they wait. The CPU executor runs a warp that finds no strip at
// the price of one that does.
std::size_t usual_warps(const FrameOnDevice& frame, const TileShape& shape) {
  if (gsst::stage::this_executor == gsst::stage::Executor::simt) return 3;
  constexpr double output_under_way = 50e3;
  const double codes = static_cast<double>(frame.index_offset) * 8 / shape.code_bits;
  const double tile_bytes = static_cast<double>(frame.uncompressed_bytes) / codes * shape.codes();
  return static_cast<std::size_t>(std::clamp(output_under_way / tile_bytes, 9.0, 16.0));
}

// As many warps as are wanted and have room, each with an equal part of what the table leaves.
void launch_step(const gsst::stage::DecodeRequest& request, const Step& step, std::size_t wanted_warps) {
  const std::size_t room = gsst::stage::max_shared_bytes() - step.block_bytes;
  const std::size_t warps = std::min(wanted_warps, room / step.least_warp_bytes);
  const std::size_t stage_bytes = room / warps / stage_unit * stage_unit;
  const auto threads = static_cast<unsigned>(32 * warps);
  const std::size_t shared_bytes = step.block_bytes + warps * stage_bytes;
  const auto thread_blocks =
      static_cast<unsigned>(parameter_value(description, request.parameters, "thread_blocks"));
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

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  const std::int64_t step = parameter_value(description, request.parameters, "step");
  const auto warps = static_cast<std::size_t>(parameter_value(description, request.parameters, "warps"));
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      if ((request.frame.tile_shapes & gsst::stage::tile_shape_bit(shape)) == 0) continue;
      launch_step(request, choose_step(step, shape), warps == 0 ? usual_warps(request.frame, shape) : warps);
    }
  }
  if (!request.frame.has_raw_blocks) return;
  gsst::stage::launch({.thread_blocks = std::min(request.frame.block_count, 1024u),
                       .threads_per_block = 256,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      copy_raw_blocks, request.frame, request.output);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description, decode);

}  // namespace
