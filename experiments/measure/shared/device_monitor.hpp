#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/shared/device_sample.hpp"

namespace gsst::experiments {

/// Reads clocks, temperature and power of one GPU through NVML, the library that comes with the driver.
class DeviceMonitor {
public:
  /// `pci_bus_id` as cudaDeviceGetPCIBusId() gives it. Throws std::runtime_error if NVML is not there or does
  /// not know the device.
  explicit DeviceMonitor(const std::string& pci_bus_id);
  ~DeviceMonitor();
  DeviceMonitor(const DeviceMonitor&) = delete;
  DeviceMonitor& operator=(const DeviceMonitor&) = delete;

  std::string driver_version() const;
  /// `enabled` or `disabled`; absent where the device does not tell.
  std::optional<std::string> ecc() const;
  DeviceSample sample() const;

  /// Calls `work`, and samples before, after and about every 20 ms in between. Throws what `work` throws.
  std::vector<DeviceSample> sample_during(const std::function<void()>& work) const;

private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace gsst::experiments
