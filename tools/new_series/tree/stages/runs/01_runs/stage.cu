#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/runs/01_runs/description.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/runs/01_runs/kernel.cuh"

namespace {

using gsst::runs::description;

void decode(const gsst::stage::DecodeRequest& request) {
  const auto threads = static_cast<unsigned>(parameter_value(description, request.parameters, "threads"));
  gsst::stage::launch({.thread_blocks = request.frame.block_count,
                       .threads_per_block = threads,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      decode_runs, request.frame, request.output, request.status);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode));

}  // namespace
