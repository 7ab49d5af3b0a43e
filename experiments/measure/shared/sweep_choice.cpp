#include "experiments/measure/shared/sweep_choice.hpp"

#include <algorithm>

namespace gsst::experiments {

std::vector<std::size_t> choose_fastest(std::span<const nlohmann::ordered_json> rows) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto same = std::find_if(chosen.begin(), chosen.end(), [&](std::size_t other) {
      return rows[other].at("stage") == rows[i].at("stage") &&
             rows[other].at("variant") == rows[i].at("variant");
    });
    if (same == chosen.end()) {
      chosen.push_back(i);
    } else if (rows[i].at("throughput_gb_per_s") > rows[*same].at("throughput_gb_per_s")) {
      *same = i;
    }
  }
  return chosen;
}

}  // namespace gsst::experiments
