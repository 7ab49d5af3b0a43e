#include "common/stage/decode_plan.hpp"
#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/gsst/01_blocks/kernel.cuh"

namespace {

const gsst::stage::Description description = {
    .id = "gsst/01_blocks",
    .base = "",
    .title = "One thread decodes one data block",
    .section = "4.2.1",
    .format = gsst::format::BlockFormat::blocks,
    .operation = gsst::stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = {{.name = "active_threads",
                    .description = "threads of a thread block, each with a data block of its own",
                    .values = {1, 2, 4, 8, 16, 32, 64, 128},
                    .default_value = 4,
                    .compile_time = false}},
};

void decode(const gsst::stage::DecodeRequest& request) {
  const auto active_threads =
      static_cast<unsigned>(parameter_value(description, request.parameters, "active_threads"));
  gsst::stage::launch({.thread_blocks = (request.frame.block_count + active_threads - 1) / active_threads,
                       .threads_per_block = active_threads,
                       .shared_bytes = 0,
                       .stream = request.stream},
                      decode_blocks, request.frame, request.output, request.status);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode));

}  // namespace
