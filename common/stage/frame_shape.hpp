#pragma once

#include <cstdint>
#include <span>

#include "common/stage/frame_on_device.hpp"

namespace gsst::stage {

/// What a plan must know of `frame`, the whole frame in host memory; `bytes` is nullptr. Checks what the host
/// checks before a kernel runs (architecture: compressed input is hostile): the frame's index, and the header
/// of every block. A kernel checks nothing but the codes. Throws format::FormatError naming block and field.
FrameOnDevice frame_shape(std::span<const std::uint8_t> frame);

}  // namespace gsst::stage
