#include "experiments/measure_line_rate/delays.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>

namespace gsst::experiments {

Delays summarize_delays(std::vector<double> seconds) {
  if (seconds.empty()) throw std::invalid_argument("there are no delays");
  std::ranges::sort(seconds);
  // The rank from 1 is rounded up, so that no percentile lies between two delays.
  const auto not_exceeded_by = [&](std::size_t per_mille) {
    return seconds[(seconds.size() * per_mille + 999) / 1000 - 1];
  };
  return {.half = not_exceeded_by(500),
          .of_99_percent = not_exceeded_by(990),
          .of_99_9_percent = not_exceeded_by(999),
          .longest = seconds.back()};
}

}  // namespace gsst::experiments
