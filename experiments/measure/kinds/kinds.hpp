#pragma once

#include <vector>

#include "experiments/measure/shared/point_measurer.hpp"

namespace gsst::experiments {

/// All kinds: what <kind>_kind() gives in each folder kinds/<kind>, by their names.
std::vector<PointMeasurer> kinds();

}  // namespace gsst::experiments
