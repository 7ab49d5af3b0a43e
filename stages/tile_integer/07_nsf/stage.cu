#include "common/format/tile_integer/null_suppression.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/07_nsf/kernel.cuh"
#include "stages/tile_integer/shared/host_warp_tiles.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/07_nsf",
                                        .base = "tile_integer/01_global",
                                        .title = "What packing bits is compared with: whole bytes, NSF",
                                        .section = "tile-based paper, 9.2",
                                        .format = format::tile_integer::nsf_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  stage::launch({.thread_blocks = parts_of(request.frame, nsf_part_bytes),
                 .threads_per_block = nsf_threads,
                 .shared_bytes = 0,
                 .stream = request.stream},
                widen_numbers, request.frame, request.output, request.status);
  if (request.frame.has_raw_blocks) launch_raw_parts(request);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
