#pragma once

#include <chrono>
#include <cstdint>

namespace gsst::experiments {

/// Stands for an interconnect that is slower than the one there is: bytes that arrive earlier than they would
/// over it are held back.
class PacedInterconnect {
public:
  using Clock = std::chrono::steady_clock;

  /// `gigabytes_per_second` is more than 0.
  explicit PacedInterconnect(double gigabytes_per_second) : bytes_per_second_(gigabytes_per_second * 1e9) {}

  /// The transfer starts now.
  void start() { start_ = Clock::now(); }
  /// When the first `bytes` bytes of the transfer have arrived.
  Clock::time_point arrival(std::uint64_t bytes) const;
  /// Waits until then, at full attention: a sleeping thread wakes up too late.
  void hold_back(std::uint64_t bytes) const;

private:
  double bytes_per_second_;
  Clock::time_point start_;
};

}  // namespace gsst::experiments
