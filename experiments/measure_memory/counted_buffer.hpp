#pragma once

#include "common/cuda/device_buffer.hpp"
#include "common/stage/plan.hpp"
#include "experiments/measure_memory/allocation_log.hpp"

namespace gsst::experiments {

/// Device memory that allocation_log() counts for `purpose`. The other arguments are DeviceBuffer's. Throws
/// CudaError.
template <typename... Arguments>
cuda::DeviceBuffer allocate_for(const char* purpose, const Arguments&... arguments) {
  const AllocationPurpose scope(purpose);
  return cuda::DeviceBuffer(arguments...);
}

/// The memory of `buffer`, for a part of a plan.
inline stage::Given given(cuda::DeviceBuffer& buffer) {
  return {.data = buffer.data(), .bytes = buffer.size()};
}

}  // namespace gsst::experiments
