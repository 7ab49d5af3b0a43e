#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>

namespace gsst::cuda {

/// A CUDA call that failed. The message names the call, the place and CUDA's reason.
class CudaError : public std::runtime_error {
public:
  CudaError(cudaError_t code, const char* call, const char* file, int line);

  cudaError_t code() const { return code_; }

private:
  cudaError_t code_;
};

/// Throws CudaError if `code` is not success, after taking the error off the runtime's state.
void check(cudaError_t code, const char* call, const char* file, int line);

}  // namespace gsst::cuda

/// Checks a call of the CUDA runtime.
#define GSST_CUDA_CHECK(call) ::gsst::cuda::check((call), #call, __FILE__, __LINE__)
