#pragma once

#include "experiments/measure_gpu/device_monitor.hpp"
#include "experiments/measure_overlap/overlap_measurement.hpp"

namespace gsst::experiments {

/// The tools for the current GPU. `monitor` must outlive them.
ExecutorTools device_tools(const DeviceMonitor& monitor);

}  // namespace gsst::experiments
