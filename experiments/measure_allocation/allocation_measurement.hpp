#pragma once

#include <nlohmann/json.hpp>

#include "common/cuda/device_buffer.hpp"
#include "experiments/measure/shared/point_measurer.hpp"

namespace gsst::experiments {

/// The row of `point`, whose text is also in device memory, `input`: `end_to_end_seconds` holds the host's
/// seconds of training and encoding `without_allocations` and `with_allocations` (of all device memory but
/// the input, which is freed in the time too), as the GPU encoder paper times its encoder. The oracle decodes
/// the last frame. The row has no other times. Throws MismatchError, CudaError, and std::invalid_argument for
/// settings that the stage does not take on this text.
nlohmann::ordered_json measure_allocation(const Point& point, const cuda::DeviceBuffer& input,
                                          const Measurement& measurement);

}  // namespace gsst::experiments
