#pragma once

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure_memory/allocation_log.hpp"

namespace gsst::experiments {

/// Device memory that allocation_log() counts for `purpose`. The other arguments are DeviceBuffer's. Throws
/// CudaError.
template <typename... Arguments>
cuda::DeviceBuffer allocate_for(const char* purpose, const Arguments&... arguments) {
  const AllocationPurpose scope(purpose);
  return cuda::DeviceBuffer(arguments...);
}

}  // namespace gsst::experiments
