#pragma once

#include "common/frame/frame_check.hpp"
#include "common/stage/kernels_on.hpp"

namespace gsst::stage {

/// The check of frames of series gsst in an executor's memory: KernelsOn<GsstFrameCheck> has it.
struct GsstFrameCheck : frame::FrameCheckKernels {};

}  // namespace gsst::stage
