#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/07_parallel_runs/kernel.cuh"
#include "stages/codag/07_parallel_runs/kernel_v1.cuh"
#include "stages/codag/shared/host_warps.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag::parallel_runs {
namespace {

const stage::Description description = {.id = "codag/07_parallel_runs",
                                        .base = "codag/05_writes",
                                        .title = "A run a lane, or 32 of its values at once",
                                        .section = "past the paper",
                                        .format = format::codag::orc_rle_v1_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {threads_of_warps()}};

void decode(const stage::DecodeRequest& request) {
  const std::int64_t threads = stage::parameter_value(description, request.parameters, "threads");
  stage::launch(shape_of_warps(request, threads, ParallelRunsV1::buffer_bytes),
                decode_parallel_runs<ParallelRunsV1>, request.frame, request.output, request.status);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag::parallel_runs
