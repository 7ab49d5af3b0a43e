#include "experiments/measure_pipeline/pipeline_measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/test_inputs.hpp"

// The measurement on the CPU executor: what rows hold, and that output is checked. Times mean nothing there.
namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned pipeline_repetitions = 3;
const Dataset mixed_dataset{.name = "mixed", .sha256 = std::string(64, 'b')};

PipelineTools tools_of_pipeline(std::function<void()> before = {}) {
  return {.executor = stage::Executor::simt, .clocks_during = [before](const std::function<void()>& work) {
            work();
            if (before) before();
            return Json{{"samples", 0}};
          }};
}

Point point_of(const std::string& id, const stage::ParameterValues& parameters) {
  return {.id = id,
          .stage = stage::find_stage(id, stage::Operation::encode),
          .parameters = parameters,
          .input = {.format = format::zero_length::bare_format, .block_bytes = std::uint64_t{1} << 20},
          .row = Json{{"policy", "grid"}}};
}

// Longer than two batches of 1 MiB, with runs that the kernels of the CPU executor are done with soon.
std::vector<std::uint8_t> mixed_input() {
  std::vector<std::uint8_t> input = reference::test::make_random((std::size_t{2} << 20) + 5000, 4);
  for (std::size_t i = 0; i + 16 < input.size(); i += 64) std::fill_n(input.begin() + i, 4, std::uint8_t{0});
  return input;
}

TEST(PipelineMeasurement, GivesARowForEachDirection) {
  const std::vector<std::uint8_t> input = mixed_input();
  const PipelineTools tools = tools_of_pipeline();
  PipelineMeasurement measurement(input, mixed_dataset, pipeline_repetitions, tools);
  for (const int slots : {2, 3}) {
    const std::vector<Json> rows =
        measurement.measure(point_of("zero_length/06_pipeline", {{"slots", slots}, {"batch_mib", 1}}));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(rows[0]["operation"], "encode");
    EXPECT_EQ(rows[1]["operation"], "decode");
    for (const Json& row : rows) {
      EXPECT_EQ(row["stage"], "zero_length/06_pipeline");
      EXPECT_EQ(row["parameters"], (Json{{"slots", slots}, {"batch_mib", 1}, {"block_bytes", 1 << 20}}));
      EXPECT_EQ(row["batch_bytes"], 1 << 20);
      EXPECT_EQ(row["batches"], 3);
      EXPECT_GE(row["device_bytes"], 3 * slots << 20);
      EXPECT_EQ(row["uncompressed_bytes"], input.size());
      EXPECT_LT(row["compressed_bytes"], input.size());
      EXPECT_EQ(row["seconds"]["repetitions"], pipeline_repetitions);
      EXPECT_EQ(row["end_to_end"], true);
      EXPECT_EQ(row["verified"], true);
      EXPECT_EQ(row["policy"], "grid");
      EXPECT_EQ(row["clocks"]["samples"], 0);
      EXPECT_GT(row["two_way_copy_gb_per_s"].get<double>(), row["throughput_gb_per_s"].get<double>());
    }
  }
}

TEST(PipelineMeasurement, RefusesOtherStages) {
  const std::vector<std::uint8_t> input(1000);
  const PipelineTools tools = tools_of_pipeline();
  PipelineMeasurement measurement(input, mixed_dataset, pipeline_repetitions, tools);
  EXPECT_THROW(measurement.measure(point_of("zero_length/05_cuda_scan", {})), InputError);
}

// An input that is changed while it is measured is found by the second verification.
TEST(PipelineMeasurement, ComparesBytesAfterTheTimingToo) {
  std::vector<std::uint8_t> input(5000, 3);
  const PipelineTools tools = tools_of_pipeline([&] { input[4000] = 4; });
  PipelineMeasurement measurement(input, mixed_dataset, pipeline_repetitions, tools);
  try {
    measurement.measure(point_of("zero_length/06_pipeline", {}));
    FAIL() << "accepted";
  } catch (const MismatchError& error) {
    EXPECT_NE(std::string(error.what()).find("decode writes 5000 bytes that are not the 5000 expected"),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace gsst::experiments
