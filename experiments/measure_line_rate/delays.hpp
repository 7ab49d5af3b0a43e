#pragma once

#include <vector>

namespace gsst::experiments {

/// Of all delays of a run, in seconds: the smallest that so many of them do not exceed.
struct Delays {
  double half;
  double of_99_percent;
  double of_99_9_percent;
  double longest;
};

/// The delays in any order. Throws std::invalid_argument if there are none.
Delays summarize_delays(std::vector<double> seconds);

}  // namespace gsst::experiments
