#include "stages/gsst/shared/frame_check.hpp"

#include "common/stage/launch.hpp"
// After launch.hpp, which gives the kernels CUDA's words where the compiler has none.
#include "stages/gsst/shared/payload_check.cuh"

namespace {

const gsst::stage::KernelsOn<gsst::stage::GsstFrameCheck> registration(
    gsst::stage::this_executor,
    {{.enqueue_check = enqueue_checks<GsstPayloads>, .enqueue_result = enqueue_result}});

}  // namespace
