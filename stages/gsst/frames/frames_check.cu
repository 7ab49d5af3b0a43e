#include "stages/gsst/frames/frames_check.hpp"

#include "common/stage/launch.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/frames/kernel_frames.cuh"

namespace gsst::frames {
namespace {

const stage::KernelsOn<FramesCheckKernels> registration(stage::this_executor,
                                                        {.enqueue_check = enqueue_check,
                                                         .enqueue_statuses = enqueue_statuses});

}  // namespace
}  // namespace gsst::frames
