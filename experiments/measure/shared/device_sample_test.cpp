#include "experiments/measure/shared/device_sample.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::vector<DeviceSample> samples() {
  return {{.sm_mhz = 1980,
           .memory_mhz = 3201,
           .temperature_celsius = 34,
           .power_milliwatts = {},
           .throttle_reasons = 1},
          {.sm_mhz = 1755,
           .memory_mhz = 3201,
           .temperature_celsius = 61,
           .power_milliwatts = {},
           .throttle_reasons = 4}};
}

TEST(SummarizeSamples, KeepsTheRangeOfEachReadingAndEveryReason) {
  const auto expected = Json::parse(R"({
    "samples": 2, "sm_mhz": {"min": 1755, "max": 1980}, "memory_mhz": {"min": 3201, "max": 3201},
    "temperature_celsius": {"min": 34, "max": 61}, "power_milliwatts": null,
    "throttle_reasons": ["gpu_idle", "sw_power_cap"]})");
  EXPECT_EQ(summarize_samples(samples()).dump(), expected.dump());
}

TEST(ClocksText, CoversAllSummaries) {
  DeviceSample hot = samples().front();
  hot.sm_mhz = 1200;
  hot.power_milliwatts = 612'400;
  hot.throttle_reasons = 0;
  const std::vector<Json> summaries = {summarize_samples(samples()), summarize_samples({&hot, 1})};
  EXPECT_EQ(clocks_text(summaries),
            "SM 1200 to 1980 MHz, memory 3201 MHz, temperature 34 to 61 C, power 612 W, throttle reasons: "
            "gpu_idle sw_power_cap");
}

TEST(ClocksText, SaysWhatIsUnknown) {
  const DeviceSample silent;
  const std::vector<Json> summaries = {summarize_samples({&silent, 1})};
  EXPECT_EQ(clocks_text(summaries),
            "SM unknown, memory unknown, temperature unknown, power unknown, throttle reasons: none");
}

}  // namespace
}  // namespace gsst::experiments
