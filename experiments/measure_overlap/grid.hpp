#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gsst::experiments {

/// What is measured of each point: every number of batches at every interconnect.
struct OverlapGrid {
  std::vector<std::uint64_t> batches;
  /// GB/s of compressed bytes; nothing is the interconnect as it is.
  std::vector<std::optional<double>> interconnects;
};

/// Reads the keys `batches` and `interconnects` of a points file's document, for example
/// {"batches": [1, 2, 4], "interconnects": [5.5, 22, null], "points": [...]}. `place` names the document in
/// messages. Throws InputError.
OverlapGrid parse_grid(const nlohmann::ordered_json& document, const std::string& place);

}  // namespace gsst::experiments
