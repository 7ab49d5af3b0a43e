#include <cstdint>

#include "common/format/codag/codag.hpp"
#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/codag/07_parallel_runs/kernel.cuh"
#include "stages/codag/07_parallel_runs_byte_rle/kernel_bytes.cuh"
#include "stages/codag/shared/host_warps.cuh"
#include "stages/codag/shared/parameters.hpp"

namespace gsst::codag::parallel_runs_of_bytes {
namespace {

const stage::Description description = {.id = "codag/07_parallel_runs_byte_rle",
                                        .base = "codag/05_writes_byte_rle",
                                        .title = "32 runs of bytes at once",
                                        .section = "past the paper",
                                        .format = format::codag::byte_rle_format,
                                        .operation = stage::Operation::decode,
                                        .minimum_compute_capability = 80,
                                        .parameters = {threads_of_warps()}};

void decode(const stage::DecodeRequest& request) {
  const std::int64_t threads = stage::parameter_value(description, request.parameters, "threads");
  stage::launch(shape_of_warps(request, threads, ParallelByteRuns::buffer_bytes),
                decode_parallel_runs<ParallelByteRuns>, request.frame, request.output, request.status);
}

const stage::Registration registration(stage::this_executor, description,
                                       stage::decode_plans(description, decode));

}  // namespace
}  // namespace gsst::codag::parallel_runs_of_bytes
