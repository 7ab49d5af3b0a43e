#pragma once

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_overlap/overlap_measurement.hpp"

namespace gsst::experiments {

/// The tools for the current GPU.
ExecutorTools device_tools(const Measurement& measurement);

}  // namespace gsst::experiments
