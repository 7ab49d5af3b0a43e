#include <cstdint>
#include <stdexcept>

#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/09_warp_tiles/kernel_10_symbol_halves.cuh"
#include "stages/gsst/09_warp_tiles/kernel_9_one_front.cuh"
#include "stages/gsst/09_warp_tiles/launch_step.cuh"

/// The stage's last steps without the comparison that keeps damaged codes inside of their strip: what it
/// costs is the difference. The program that measures has them, and no other.
namespace {

const gsst::stage::Description description = {
    .id = "gsst/09_warp_tiles_unchecked",
    .base = "gsst/09_warp_tiles",
    .title = "Stage 09 for intact frames only: what its check for damaged codes costs",
    .section = "7.2.1",
    .format = gsst::format::BlockFormat::tiles,
    .operation = gsst::stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {},
};

struct UncheckedStep {
  TileShape shape;
  Step step;
};

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  const UncheckedStep steps[] = {
      {.shape = {.code_bits = 8, .codes_per_lane = 32},
       .step = make_step(one_front::decode_tiles<8, 32, false>, table_bytes<8> + sizeof(RunBlocks), 32)},
      {.shape = {.code_bits = 12, .codes_per_lane = 32},
       .step =
           make_step(symbol_halves::decode_tiles<12, 32, false>, table_bytes<12> + sizeof(RunBlocks), 32)}};
  for (const auto& [shape, step] : steps) {
    if (request.frame.payload_traits == gsst::format::tile_shape_bit(shape) &&
        !request.frame.has_raw_blocks) {
      launch_step(request, description.id, shape, step, usual_warps(request.frame, shape));
      return;
    }
  }
  throw std::invalid_argument(
      "stage " + description.id +
      ": decodes frames whose blocks all have 8-bit or all 12-bit codes, 32 of them a lane");
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode, counter_bytes));

}  // namespace
