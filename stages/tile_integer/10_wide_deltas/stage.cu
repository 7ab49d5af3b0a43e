#include <algorithm>
#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/10_wide_deltas/kernel.cuh"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/10_wide_deltas",
    .base = "tile_integer/10_wide_tiles",
    .title = "Past the paper: a warp decodes chains and sums them in registers",
    .section = "past the tile-based paper, 5",
    .format = format::tile_integer::dfor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "chains_per_tile",
                    .description = "chains of 4 packed blocks of a warp; 0: those of 2 KiB of output, or one",
                    .values = {0, 1, 2, 4},
                    .default_value = 0,
                    .compile_time = false},
                   threads_parameter}};

template <std::uint32_t ValueBytes>
constexpr WarpTileKernel kernel = {decode_chains<ValueBytes, true>, decode_chains<ValueBytes, false>};

void decode(const stage::DecodeRequest& request) {
  const auto chains =
      static_cast<std::uint32_t>(stage::parameter_value(description, request.parameters, "chains_per_tile"));
  launch_warp_tiles(description, request, format::tile_integer::Packing::chains,
                    {kernel<1>, kernel<2>, kernel<4>, kernel<8>}, [&](std::uint32_t value_bytes) {
                      return chains == 0 ? std::max(usual_packed_blocks(value_bytes), packed_blocks_of_chain)
                                         : chains * packed_blocks_of_chain;
                    });
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
