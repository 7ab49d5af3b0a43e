#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "experiments/measure_gpu/points.hpp"
#include "experiments/measure_shared/run_options.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {

/// The rows of `points` on `text`, in their order. Those that an interrupted run of the session's options
/// finished are not measured again. Throws InputError if the text is not several times the L2 cache, and what
/// FrameMeasurement::measure() throws.
std::vector<nlohmann::ordered_json> measure_points(Session& session, const RunOptions& options,
                                                   std::span<const Point> points,
                                                   std::span<const std::uint8_t> text,
                                                   const Dataset& dataset);

}  // namespace gsst::experiments
