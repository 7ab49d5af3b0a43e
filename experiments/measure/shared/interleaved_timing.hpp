#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace gsst::experiments {

/// Something that is timed by a clock of its own.
struct TimedWork {
  /// For messages.
  std::string name;
  /// Does the work once and returns the seconds that it took.
  std::function<double()> seconds;
};

/// Times each of `works` `repetitions` times through Google Benchmark, one repetition after the other in
/// random order, so that a drift of the clocks meets all alike. Returns the seconds of every repetition, in
/// the order of `works`. Throws what the first work that failed threw.
std::vector<std::vector<double>> time_interleaved(std::span<const TimedWork> works, unsigned repetitions);

}  // namespace gsst::experiments
