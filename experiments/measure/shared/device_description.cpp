#include "experiments/measure/shared/device_description.hpp"

#include <cuda_runtime_api.h>

#include <array>

#include "common/cuda/error.hpp"

namespace gsst::experiments {

DeviceDescription describe_device() {
  int device = 0;
  GSST_CUDA_CHECK(cudaGetDevice(&device));
  cudaDeviceProp properties = {};
  GSST_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
  std::array<char, 32> pci_bus_id = {};
  GSST_CUDA_CHECK(cudaDeviceGetPCIBusId(pci_bus_id.data(), static_cast<int>(pci_bus_id.size()), device));
  int version = 0;
  GSST_CUDA_CHECK(cudaRuntimeGetVersion(&version));
  return {.name = properties.name,
          .pci_bus_id = pci_bus_id.data(),
          .multiprocessors = static_cast<unsigned>(properties.multiProcessorCount),
          .l2_bytes = static_cast<std::size_t>(properties.l2CacheSize),
          .cuda_version = std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10)};
}

}  // namespace gsst::experiments
