#include "common/format/codag/deflate.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/06_prefetch_warp_deflate/kernel.cuh"

namespace gsst::codag {
namespace {

const stage::Description description = {.id = "codag/06_prefetch_warp_deflate",
                                        .base = "codag/05_writes_deflate",
                                        .title = "Deflate with a second warp that reads ahead",
                                        .section = "CODAG paper, V-F",
                                        .format = format::codag::deflate_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {}};

void decode(const stage::DecodeRequest& request) {
  stage::launch({.thread_blocks = request.frame.block_count,
                 .threads_per_block = threads_of_pair,
                 .shared_bytes = deflate_pair_bytes,
                 .stream = request.stream},
                decode_deflate_chunks, request.frame, request.output, request.status);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
