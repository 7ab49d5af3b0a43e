#include <cstdint>

#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/06_runs/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/06_runs",
                                        .base = "tile_integer/04_miniblock_offsets",
                                        .title = "Runs are unpacked and expanded in one kernel: GPU-RFOR",
                                        .section = "tile-based paper, 6",
                                        .format = format::tile_integer::rfor_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  const std::uint32_t part_bytes =
      part_bytes_of(request.frame, run_block_values / format::tile_integer::packed_block_values);
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = threads_of_run_block,
                 .shared_bytes = run_shared_bytes(request.frame),
                 .stream = request.stream},
                decode_runs, request.frame, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
