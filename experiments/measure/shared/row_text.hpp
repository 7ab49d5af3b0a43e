#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gsst::experiments {

/// One line for a person who waits: what the row is of, its throughput and all numbers and names that its
/// kind has added.
std::string row_text(const nlohmann::ordered_json& row);

}  // namespace gsst::experiments
