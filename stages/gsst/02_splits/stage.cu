#include "common/stage/launch.hpp"
#include "common/stage/registry.hpp"
#include "stages/gsst/shared/splits_launch.hpp"
// After launch.hpp, which gives the kernel CUDA's words where the compiler has none.
#include "stages/gsst/02_splits/kernel.cuh"

namespace {

const gsst::stage::Description description = {
    .id = "gsst/02_splits",
    .base = "gsst/01_blocks",
    .title = "One thread decodes one split of a data block",
    .section = "4.2.2",
    .format = gsst::format::BlockFormat::splits,
    .operation = gsst::stage::Operation::decode,
    .minimum_compute_capability = 80,
    .parameters = gsst::stage::splits_launch_parameters(),
};

void decode(const gsst::stage::DecodeRequest& request) {
  gsst::stage::clear(request.status, request.frame.block_count * sizeof(std::uint32_t), request.stream);
  gsst::stage::launch({.thread_blocks = wanted_thread_blocks(description, request),
                       .threads_per_block = wanted_threads_per_block(description, request),
                       .shared_bytes = wanted_shared_bytes(description, request, 0),
                       .stream = request.stream},
                      decode_splits, request.frame, request.output, request.status);
}

const gsst::stage::Registration registration(gsst::stage::this_executor, description,
                                             decode_plans(description, decode));

}  // namespace
