#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

namespace gsst::experiments {

/// The position of the row with the highest throughput among those of each stage and variant, in the order in
/// which these first appear. The earlier row wins where two are equal.
std::vector<std::size_t> choose_fastest(std::span<const nlohmann::ordered_json> rows);

}  // namespace gsst::experiments
