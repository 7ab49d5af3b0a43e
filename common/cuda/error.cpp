#include "common/cuda/error.hpp"

#include <string>

namespace gsst::cuda {

CudaError::CudaError(cudaError_t code, const char* call, const char* file, int line)
    : std::runtime_error(std::string(file) + ":" + std::to_string(line) + ": " + call + ": " +
                         cudaGetErrorName(code) + ": " + cudaGetErrorString(code)),
      code_(code) {}

void check(cudaError_t code, const char* call, const char* file, int line) {
  if (code == cudaSuccess) return;
  // Else the next call that is checked would report this error again.
  cudaGetLastError();
  throw CudaError(code, call, file, line);
}

}  // namespace gsst::cuda
