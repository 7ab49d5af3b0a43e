#include <array>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/tile_integer/10_wide_tiles/kernel_1_warp_tiles.cuh"
#include "stages/tile_integer/10_wide_tiles/kernel_2_bulk_copies.cuh"
#include "stages/tile_integer/10_wide_tiles/kernel_3_vector_stores.cuh"
#include "stages/tile_integer/10_wide_tiles/kernel_4_width_classes.cuh"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"

namespace gsst::tile_integer {
namespace {

constexpr std::int64_t last_step = 4;

const stage::Description description = {
    .id = "tile_integer/10_wide_tiles",
    .base = "tile_integer/04_miniblock_offsets",
    .title = "Past the paper: a warp decodes a tile and stores 16 bytes a lane",
    .section = "past the tile-based paper, 4",
    .format = format::tile_integer::for_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "step",
                    .description = "step of the ladder, each a kernel",
                    .values = {1, 2, 3, 4},
                    .default_value = last_step,
                    .compile_time = true},
                   {.name = "blocks_per_tile",
                    .description = "packed blocks of a warp; 0: those of 2 KiB of output",
                    .values = {0, 1, 2, 4, 8, 16},
                    .default_value = 0,
                    .compile_time = false},
                   threads_parameter}};

template <std::uint32_t ValueBytes>
WarpTileKernel kernel_of_step(std::int64_t step) {
  switch (step) {
    case 1:
      return {warp_tiles::decode_tiles<ValueBytes, true>, warp_tiles::decode_tiles<ValueBytes, false>};
    case 2:
      return {bulk_copies::decode_tiles<ValueBytes, true>, bulk_copies::decode_tiles<ValueBytes, false>};
    case 3:
      return {vector_stores::decode_tiles<ValueBytes, true>, vector_stores::decode_tiles<ValueBytes, false>};
    default:
      return {width_classes::decode_tiles<ValueBytes, true>, width_classes::decode_tiles<ValueBytes, false>};
  }
}

void decode(const stage::DecodeRequest& request) {
  const std::int64_t step = stage::parameter_value(description, request.parameters, "step");
  const std::int64_t packed_blocks =
      stage::parameter_value(description, request.parameters, "blocks_per_tile");
  launch_warp_tiles(
      description, request, format::tile_integer::Packing::values,
      {kernel_of_step<1>(step), kernel_of_step<2>(step), kernel_of_step<4>(step), kernel_of_step<8>(step)},
      [&](std::uint32_t value_bytes) {
        return packed_blocks == 0 ? usual_packed_blocks(value_bytes)
                                  : static_cast<std::uint32_t>(packed_blocks);
      });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
