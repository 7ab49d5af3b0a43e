#include "common/streaming/devices.hpp"

#if GSST_WITH_CUDA
#include <cuda_runtime_api.h>

#include "common/cuda/error.hpp"
#endif

namespace gsst::streaming {
namespace {

// The host, which runs every executor but the GPU's.
class HostAlone : public Devices {
public:
  std::size_t count() const override { return 1; }
  void use(std::size_t /*device*/) const override {}
  std::string name(std::size_t /*device*/) const override { return {}; }
};

#if GSST_WITH_CUDA
class VisibleGpus : public Devices {
public:
  // Where CUDA shows none, the first use says so.
  VisibleGpus() {
    int visible = 0;
    if (cudaGetDeviceCount(&visible) == cudaSuccess && visible > 0)
      count_ = static_cast<std::size_t>(visible);
    // Else the next call that is checked would report this error again.
    cudaGetLastError();
  }

  std::size_t count() const override { return count_; }

  void use(std::size_t device) const override { GSST_CUDA_CHECK(cudaSetDevice(static_cast<int>(device))); }

  std::string name(std::size_t device) const override {
    std::string name = "GPU " + std::to_string(device);
    cudaDeviceProp properties = {};
    if (cudaGetDeviceProperties(&properties, static_cast<int>(device)) == cudaSuccess) {
      name += std::string(" (") + properties.name + ")";
    }
    cudaGetLastError();
    return name;
  }

private:
  std::size_t count_ = 1;
};
#endif

}  // namespace

std::unique_ptr<Devices> devices_of(stage::Executor executor) {
#if GSST_WITH_CUDA
  if (executor == stage::Executor::gpu) return std::make_unique<VisibleGpus>();
#else
  static_cast<void>(executor);
#endif
  return std::make_unique<HostAlone>();
}

}  // namespace gsst::streaming
