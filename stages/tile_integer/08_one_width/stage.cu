#include <cstdint>

#include "common/format/tile_integer/layouts.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/08_one_width/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/08_one_width",
    .base = "tile_integer/04_miniblock_offsets",
    .title = "What the paper leaves out: one width in place of four miniblocks",
    .section = "tile-based paper, 4.3",
    .format = format::tile_integer::ofor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "blocks_per_tile",
                    .description = "packed blocks of a thread block, the paper's D",
                    .values = {1, 2, 4, 8, 16, 32},
                    .default_value = 4,
                    .compile_time = false}}};

void decode(const stage::DecodeRequest& request) {
  const auto blocks_of_tile =
      static_cast<std::uint32_t>(stage::parameter_value(description, request.parameters, "blocks_per_tile"));
  const std::uint32_t part_bytes = part_bytes_of(request.frame, blocks_of_tile);
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = packed_block_values,
                 .shared_bytes = staged_tile_bytes(request.frame, blocks_of_tile),
                 .stream = request.stream},
                decode_tiles, request.frame, request.output, request.status, part_bytes, blocks_of_tile);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
