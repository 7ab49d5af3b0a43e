#include "experiments/measure_cpu/verified_timing.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

double timed_seconds(const DecodeFunction& decode, std::span<std::uint8_t> output) {
  const auto start = std::chrono::steady_clock::now();
  decode(output);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return seconds.count();
}

}  // namespace

std::size_t Repetitions::count(double first_seconds) const {
  if (first_seconds * static_cast<double>(wanted) <= seconds_limit) return wanted;
  const auto affordable = static_cast<std::size_t>(seconds_limit / first_seconds);
  return std::min(wanted, std::max(minimum, affordable));
}

void poison(std::span<std::uint8_t> output, std::span<const std::uint8_t> expected) {
  std::transform(expected.begin(), expected.end(), output.begin(),
                 [](std::uint8_t byte) { return static_cast<std::uint8_t>(~byte); });
}

void verify(std::span<const std::uint8_t> output, std::span<const std::uint8_t> expected,
            const std::string& what) {
  const auto difference = std::mismatch(output.begin(), output.end(), expected.begin());
  if (difference.first == output.end()) return;
  throw MismatchError(what + ": byte " + std::to_string(difference.first - output.begin()) + " of " +
                      std::to_string(expected.size()) + " is " + std::to_string(*difference.first) +
                      " instead of " + std::to_string(*difference.second));
}

SecondsSummary time_verified(const DecodeFunction& decode, std::span<const std::uint8_t> expected,
                             const Repetitions& repetitions, const std::string& what) {
  std::vector<std::uint8_t> output(expected.size());
  poison(output, expected);
  const double first_seconds = timed_seconds(decode, output);
  verify(output, expected, what + ", before timing");

  poison(output, expected);
  std::vector<double> seconds(repetitions.count(first_seconds));
  for (double& repetition : seconds) repetition = timed_seconds(decode, output);
  verify(output, expected, what + ", after timing");
  return summarize(seconds);
}

}  // namespace gsst::experiments
