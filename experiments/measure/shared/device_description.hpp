#pragma once

#include <cstddef>
#include <string>

namespace gsst::experiments {

/// The GPU that this process measures on.
struct DeviceDescription {
  std::string name;
  /// As NVML takes it.
  std::string pci_bus_id;
  unsigned multiprocessors;
  std::size_t l2_bytes;
  /// Version of the CUDA runtime that the program holds, for example `13.0`.
  std::string cuda_version;
};

/// Describes the current device. Throws CudaError if there is none.
DeviceDescription describe_device();

}  // namespace gsst::experiments
