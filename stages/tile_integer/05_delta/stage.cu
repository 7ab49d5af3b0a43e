#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/05_delta/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {
    .id = "tile_integer/05_delta",
    .base = "tile_integer/04_miniblock_offsets",
    .title = "Differences are unpacked and summed in one kernel: GPU-DFOR",
    .section = "tile-based paper, 5",
    .format = format::tile_integer::dfor_format,
    .operation = stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "chains_per_tile",
                    .description = "chains of 4 packed blocks that a thread block decodes",
                    .values = {1, 2, 4, 8},
                    .default_value = 1,
                    .compile_time = false}}};

void decode(const stage::DecodeRequest& request) {
  const std::uint32_t blocks_of_tile =
      packed_blocks_of_chain *
      static_cast<std::uint32_t>(stage::parameter_value(description, request.parameters, "chains_per_tile"));
  const std::uint32_t part_bytes = part_bytes_of(request.frame, blocks_of_tile);
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = packed_block_values,
                 .shared_bytes = delta_shared_bytes(request.frame, blocks_of_tile),
                 .stream = request.stream},
                decode_deltas, request.frame, request.output, request.status, part_bytes, blocks_of_tile);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
