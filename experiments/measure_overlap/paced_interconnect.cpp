#include "experiments/measure_overlap/paced_interconnect.hpp"

namespace gsst::experiments {

PacedInterconnect::Clock::time_point PacedInterconnect::arrival(std::uint64_t bytes) const {
  const std::chrono::duration<double> seconds(static_cast<double>(bytes) / bytes_per_second_);
  return start_ + std::chrono::duration_cast<Clock::duration>(seconds);
}

void PacedInterconnect::hold_back(std::uint64_t bytes) const {
  const Clock::time_point until = arrival(bytes);
  while (Clock::now() < until) {
  }
}

}  // namespace gsst::experiments
