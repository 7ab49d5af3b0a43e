#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>

#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"

namespace gsst::experiments {

/// A row for each point, in the order of the points with the same input together: its stage decodes the frame
/// of the text on the CPU executor, and `accesses` has, by the kind of access, what they cost by the
/// executor's model (common/simt/warp_accesses.hpp): `requests`, `lanes`, `bytes`, and `sectors` of global
/// memory or `passes` and `passes_without_conflicts` of shared memory. The program must trace
/// (simt::can_trace()). Throws MismatchError where other bytes than the text are decoded,
/// std::invalid_argument for a stage that does not run on the CPU executor.
nlohmann::ordered_json access_rows(std::span<const Point> points, std::span<const std::uint8_t> text,
                                   const Dataset& dataset);

}  // namespace gsst::experiments
