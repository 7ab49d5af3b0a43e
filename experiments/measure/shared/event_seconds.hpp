#pragma once

#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"

namespace gsst::experiments {

/// Seconds of the device's clock between two events, which both have happened. Throws CudaError.
inline double seconds_between(cudaEvent_t start, cudaEvent_t stop) {
  float milliseconds = 0;
  GSST_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  return static_cast<double>(milliseconds) * 1e-3;
}

}  // namespace gsst::experiments
