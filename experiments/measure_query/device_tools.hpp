#pragma once

#include "experiments/measure/shared/point_measurer.hpp"
#include "experiments/measure_query/query_tools.hpp"

namespace gsst::experiments {

/// The tools for the current GPU.
QueryTools query_tools(const Measurement& measurement);

}  // namespace gsst::experiments
