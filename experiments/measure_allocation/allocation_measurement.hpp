#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure/row.hpp"
#include "experiments/measure_encode/encode_points.hpp"
#include "experiments/measure_shared/device_monitor.hpp"

namespace gsst::experiments {

/// The rows of `points` on `text` (host memory): `end_to_end_seconds` holds the host's seconds of training
/// and encoding `without_allocations` and `with_allocations` (of all device memory but the input, which is
/// freed in the time too), as the GPU encoder paper times its encoder. Both are timed `repetitions` times,
/// and the oracle decodes the last frame. A row has no other times. Throws MismatchError, CudaError, and
/// std::invalid_argument for settings that the stage does not take on this text.
std::vector<nlohmann::ordered_json> measure_allocation(std::span<const EncodePoint> points,
                                                       std::span<const std::uint8_t> text,
                                                       const Dataset& dataset, unsigned repetitions,
                                                       const DeviceMonitor& monitor);

}  // namespace gsst::experiments
