#include <algorithm>
#include <stdexcept>

#include "common/stage/compile_time_choice.hpp"
#include "common/stage/decode_plan.hpp"
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
#include "stages/gsst/09_warp_tiles/launch_step.cuh"

// Another where older_gpus.cu includes this file.
#if !defined(GSST_STAGE_ID)
#define GSST_STAGE_ID "gsst/09_warp_tiles"
#endif

namespace {

// The first step that decodes every shape.
constexpr std::int64_t first_general_step = 8;
constexpr std::int64_t last_step = 10;

const gsst::stage::Description description = {
    .id = GSST_STAGE_ID,
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
};

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

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  const std::int64_t step = parameter_value(description, request.parameters, "step");
  const auto warps = static_cast<std::size_t>(parameter_value(description, request.parameters, "warps"));
  const auto thread_blocks =
      static_cast<unsigned>(parameter_value(description, request.parameters, "thread_blocks"));
  for (const std::uint32_t code_bits : {8u, 10u, 12u}) {
    for (const std::uint32_t codes_per_lane : {16u, 24u, 32u}) {
      const TileShape shape{.code_bits = code_bits, .codes_per_lane = codes_per_lane};
      if ((request.frame.payload_traits & gsst::format::tile_shape_bit(shape)) == 0) continue;
      launch_step(request, description.id, shape, choose_step(step, shape),
                  warps == 0 ? usual_warps(request.frame, shape) : warps, thread_blocks);
    }
  }
  if (!request.frame.has_raw_blocks) return;
  gsst::stage::launch({.thread_blocks = std::min(request.frame.block_count, 1024u),
                       .threads_per_block = 256,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      copy_raw_blocks, request.frame, request.output);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode, counter_bytes));

}  // namespace
