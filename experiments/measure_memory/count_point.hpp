#pragma once

#include <cstddef>
#include <functional>
#include <nlohmann/json.hpp>

namespace gsst::experiments {

/// Calls `measure` for the row of the point with that position in its group, and keeps the row.
using CountPoint =
    std::function<void(std::size_t point, const std::function<nlohmann::ordered_json()>& measure)>;

}  // namespace gsst::experiments
