#pragma once

#include <cstddef>
#include <span>

namespace gsst::experiments {

/// What is kept of the times of several repetitions.
struct SecondsSummary {
  double median;
  double min;
  double max;
  /// Sample standard deviation (divided by repetitions - 1); 0 for one repetition.
  double stddev;
  std::size_t repetitions;
};

/// Summarises `seconds`, one time per repetition in any order. Throws std::invalid_argument if there is none.
SecondsSummary summarize(std::span<const double> seconds);

/// Throughput in GB/s (10^9 bytes per second).
double gigabytes_per_second(std::size_t bytes, double seconds);

}  // namespace gsst::experiments
