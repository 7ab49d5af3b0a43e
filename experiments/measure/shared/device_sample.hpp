#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>

namespace gsst::experiments {

/// What a GPU says of itself at one moment. Absent is what it does not tell.
struct DeviceSample {
  std::optional<unsigned> sm_mhz;
  std::optional<unsigned> memory_mhz;
  std::optional<unsigned> temperature_celsius;
  std::optional<unsigned> power_milliwatts;
  /// NVML's bits of why the clocks are lower than they could be.
  std::uint64_t throttle_reasons = 0;
};

/// Smallest and largest of each reading, and the names of the throttle reasons met in any sample:
/// {"samples": 9, "sm_mhz": {"min": 1755, "max": 1980}, ..., "throttle_reasons": ["sw_power_cap"]}. A reading
/// that no sample has is null.
nlohmann::ordered_json summarize_samples(std::span<const DeviceSample> samples);

/// One line for the environment, from the `clocks` of all rows (each made by summarize_samples()).
std::string clocks_text(std::span<const nlohmann::ordered_json> summaries);

}  // namespace gsst::experiments
