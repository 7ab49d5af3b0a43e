#include <cstdint>

#include "common/format/codag/deflate.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/03_all_threads_deflate/kernel.cuh"
#include "stages/codag/shared/host_warps.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag {
namespace {

const stage::Description description = {.id = "codag/03_all_threads_deflate",
                                        .base = "codag/02_warp_deflate",
                                        .title = "Deflate: all lanes decode the same symbols",
                                        .section = "CODAG paper, IV-D",
                                        .format = format::codag::deflate_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {threads_of_warps()}};

void decode(const stage::DecodeRequest& request) {
  const std::int64_t threads = stage::parameter_value(description, request.parameters, "threads");
  stage::launch(shape_of_warps(request, threads, sizeof(DeflateTables)), decode_deflate_chunks, request.frame,
                request.output, request.status);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag
