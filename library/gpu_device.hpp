#pragma once

#include <cstddef>
#include <cstdint>

#include "common/cuda/error.hpp"
#include "gsst/gsst.h"
#include "library/failure.hpp"

/// What the functions of gpu.h ask of CUDA before they enqueue anything.
namespace gsst::library {

/// The current device. Throws cuda::CudaError.
int current_device();

/// Throws ApiError if the compute capability of `device` is below `least`, 10 * major + minor.
void check_compute_capability(int device, int least);

/// Throws ApiError unless `pointer`, which is not null, is to memory of `device` or to managed memory.
void check_device_memory(const void* pointer, const char* name, int device);

/// Throws ApiError unless `alignment` divides the address.
void check_alignment(const void* pointer, const char* name, std::size_t alignment);

/// What a caller is told of `error`.
ApiError api_error(const cuda::CudaError& error);

/// As report_errors(), for work that calls CUDA.
template <typename Work>
gsst_error report_gpu_errors(gsst_message* message, const Work& work) noexcept {
  return report_errors(message, [&] {
    try {
      work();
    } catch (const cuda::CudaError& error) {
      throw api_error(error);
    }
  });
}

}  // namespace gsst::library
