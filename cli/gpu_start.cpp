#include "cli/gpu_start.hpp"

#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>
#endif

namespace gsst::cli {

GpuStart::GpuStart(Device device) {
#if GSST_WITH_CUDA
  if (device != Device::gpu) return;
  thread_ = std::jthread([] {
    // Makes the context. What fails here fails again, and is reported, where the context is needed.
    cudaFree(nullptr);
  });
#else
  static_cast<void>(device);
#endif
}

}  // namespace gsst::cli
