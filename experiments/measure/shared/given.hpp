#pragma once

#include "common/cuda/device_buffer.hpp"
#include "common/stage/plan.hpp"

namespace gsst::experiments {

/// The memory of `buffer`, for a part of a plan.
inline stage::Given given(cuda::DeviceBuffer& buffer) {
  return {.data = buffer.data(), .bytes = buffer.size()};
}

}  // namespace gsst::experiments
