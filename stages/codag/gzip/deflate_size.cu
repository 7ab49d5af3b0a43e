#include "common/stage/launch.hpp"
// After launch.hpp, which gives kernels CUDA's words where the compiler has none.
#include "stages/codag/gzip/kernel_deflate_size.cuh"

namespace gsst::codag::gzip {
namespace {

void enqueue_count(const DeflateSizeJob& job, stage::Stream stream) {
  stage::launch({.thread_blocks = 1,
                 .threads_per_block = lanes_of_warp,
                 .shared_bytes = sizeof(DeflateTables),
                 .stream = stream},
                count_deflate_output, job);
}

const stage::KernelsOn<DeflateSizeKernels> deflate_size_registration(stage::this_executor,
                                                                     {.enqueue = enqueue_count});

}  // namespace
}  // namespace gsst::codag::gzip
