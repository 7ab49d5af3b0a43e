#pragma once

#include <cstddef>
#include <cstdint>

namespace gsst::experiments {

/// What device memory has been used for since a moment.
struct DeviceMemoryUse {
  /// The most that was taken from the device's default memory pool at the same time (cudaMallocAsync()), by
  /// this program and by the libraries in it.
  std::uint64_t pool_bytes;
  /// How much less memory is free: an upper bound, which counts whole pages and the code of kernels that were
  /// loaded in between.
  std::uint64_t free_memory_drop_bytes;
};

/// Watches the memory of the current device from its construction on.
class DeviceMemoryWatch {
public:
  /// Gives back what the pool keeps without need, and starts. Throws CudaError.
  DeviceMemoryWatch();
  /// Throws CudaError.
  DeviceMemoryUse use() const;

private:
  std::size_t free_bytes_;
};

}  // namespace gsst::experiments
