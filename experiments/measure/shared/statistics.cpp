#include "experiments/measure/shared/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace gsst::experiments {
namespace {

double median_of_sorted(std::span<const double> sorted) {
  const std::size_t middle = sorted.size() / 2;
  if (sorted.size() % 2 == 1) return sorted[middle];
  return (sorted[middle - 1] + sorted[middle]) / 2;
}

double sample_standard_deviation(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

}  // namespace

SecondsSummary summarize(std::span<const double> seconds) {
  if (seconds.empty()) throw std::invalid_argument("no repetition to summarise");
  std::vector<double> sorted(seconds.begin(), seconds.end());
  std::sort(sorted.begin(), sorted.end());
  return {.median = median_of_sorted(sorted),
          .min = sorted.front(),
          .max = sorted.back(),
          .stddev = sample_standard_deviation(sorted),
          .repetitions = sorted.size()};
}

double gigabytes_per_second(std::size_t bytes, double seconds) {
  return static_cast<double>(bytes) / seconds / 1e9;
}

}  // namespace gsst::experiments
