#include "experiments/measure/shared/device_sample.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// Bits of NVML's nvmlClocksEventReasons.
constexpr std::array<std::pair<std::uint64_t, const char*>, 9> throttle_reason_names = {
    {{0x001, "gpu_idle"},
     {0x002, "applications_clocks_setting"},
     {0x004, "sw_power_cap"},
     {0x008, "hw_slowdown"},
     {0x010, "sync_boost"},
     {0x020, "sw_thermal_slowdown"},
     {0x040, "hw_thermal_slowdown"},
     {0x080, "hw_power_brake_slowdown"},
     {0x100, "display_clock_setting"}}};

Json range(std::span<const DeviceSample> samples, std::optional<unsigned> DeviceSample::*reading) {
  std::optional<unsigned> smallest;
  std::optional<unsigned> largest;
  for (const DeviceSample& sample : samples) {
    const std::optional<unsigned> value = sample.*reading;
    if (!value) continue;
    smallest = std::min(smallest.value_or(*value), *value);
    largest = std::max(largest.value_or(*value), *value);
  }
  return smallest ? Json{{"min", *smallest}, {"max", *largest}} : Json(nullptr);
}

// "SM 1755 to 1980 MHz"; divides by `divisor` for the unit.
std::string range_text(std::span<const Json> summaries, const char* key, const std::string& name,
                       unsigned divisor, const std::string& unit) {
  std::optional<unsigned> smallest;
  std::optional<unsigned> largest;
  for (const Json& summary : summaries) {
    const Json& reading = summary.at(key);
    if (reading.is_null()) continue;
    const unsigned low = reading.at("min").get<unsigned>() / divisor;
    const unsigned high = reading.at("max").get<unsigned>() / divisor;
    smallest = std::min(smallest.value_or(low), low);
    largest = std::max(largest.value_or(high), high);
  }
  if (!smallest) return name + " unknown";
  if (*smallest == *largest) return name + " " + std::to_string(*smallest) + " " + unit;
  return name + " " + std::to_string(*smallest) + " to " + std::to_string(*largest) + " " + unit;
}

}  // namespace

Json summarize_samples(std::span<const DeviceSample> samples) {
  Json reasons = Json::array();
  for (const auto& [bit, name] : throttle_reason_names) {
    const bool met = std::any_of(samples.begin(), samples.end(), [bit = bit](const DeviceSample& sample) {
      return (sample.throttle_reasons & bit) != 0;
    });
    if (met) reasons.push_back(name);
  }
  return {{"samples", samples.size()},
          {"sm_mhz", range(samples, &DeviceSample::sm_mhz)},
          {"memory_mhz", range(samples, &DeviceSample::memory_mhz)},
          {"temperature_celsius", range(samples, &DeviceSample::temperature_celsius)},
          {"power_milliwatts", range(samples, &DeviceSample::power_milliwatts)},
          {"throttle_reasons", reasons}};
}

std::string clocks_text(std::span<const Json> summaries) {
  std::set<std::string> reasons;
  for (const Json& summary : summaries) {
    for (const Json& reason : summary.at("throttle_reasons")) reasons.insert(reason.get<std::string>());
  }
  std::string text = range_text(summaries, "sm_mhz", "SM", 1, "MHz") + ", " +
                     range_text(summaries, "memory_mhz", "memory", 1, "MHz") + ", " +
                     range_text(summaries, "temperature_celsius", "temperature", 1, "C") + ", " +
                     range_text(summaries, "power_milliwatts", "power", 1000, "W") + ", throttle reasons:";
  if (reasons.empty()) text += " none";
  for (const std::string& reason : reasons) text.append(" ").append(reason);
  return text;
}

}  // namespace gsst::experiments
