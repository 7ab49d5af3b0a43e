#include "common/format/tile_integer/tile_integer.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/tile_integer/02_shared_memory/kernel.cuh"

namespace gsst::tile_integer {
namespace {

const stage::Description description = {.id = "tile_integer/02_shared_memory",
                                        .base = "tile_integer/01_global",
                                        .title = "A packed block in shared memory, one thread a value",
                                        .section = "tile-based paper, 4.2, optimization 1",
                                        .format = format::tile_integer::for_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  const std::uint32_t part_bytes = part_bytes_of(request.frame, 1);
  stage::launch({.thread_blocks = parts_of(request.frame, part_bytes),
                 .threads_per_block = packed_block_values,
                 .shared_bytes = most_staged_bytes(request.frame),
                 .stream = request.stream},
                decode_values, request.frame, request.output, request.status, part_bytes);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::tile_integer
