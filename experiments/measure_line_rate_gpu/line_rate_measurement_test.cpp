#include "experiments/measure_line_rate_gpu/line_rate_measurement.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "common/format/zero_length/zero_length.hpp"
#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using std::chrono::milliseconds;

const Dataset delivered_dataset{.name = "delivered", .sha256 = std::string(64, 'c')};
const LineRateTools tools_of_line_rate = {.executor = stage::Executor::simt,
                                          .clocks_during = [](const std::function<void()>& work) {
                                            work();
                                            return Json{{"samples", 0}};
                                          }};
// More than is ever full: nothing is lost.
const SourceOptions options_of_sources = {
    .packet_bytes = 8192, .ring_bytes = std::uint64_t{1} << 20, .longest = milliseconds(3)};

Point paced_point(const std::string& id) {
  return {.id = id,
          .stage = stage::find_stage(id, stage::Operation::encode),
          .variant = "made up",
          .parameters = {{"batch_mib", 1}},
          .input = {.format = format::zero_length::bare_format, .block_bytes = 65536},
          .row = Json{{"wanted_gigabits_per_second", 1}, {"wanted_milliseconds", 5000}, {"sources", 2}}};
}

TEST(LineRateMeasurement, TheRowSaysWhatWasWantedAndReached) {
  const std::vector<std::uint8_t> text = reference::test::make_random(3 * 65536 + 1000, 8);
  LineRateMeasurement measurement(text, delivered_dataset, options_of_sources, tools_of_line_rate);
  const Json row = measurement.measure(paced_point("zero_length/06_pipeline"));
  EXPECT_EQ(row["stage"], "zero_length/06_pipeline");
  EXPECT_EQ(row["variant"], "made up");
  EXPECT_EQ(row["parameters"], (Json{{"slots", 3},
                                     {"batch_mib", 1},
                                     {"block_bytes", 65536},
                                     {"packet_bytes", 8192},
                                     {"ring_blocks", 16}}));
  EXPECT_EQ(row["operation"], "encode");
  EXPECT_EQ(row["end_to_end"], true);
  EXPECT_EQ(row["data_bytes"], 3 * 65536);
  EXPECT_EQ(row["wanted_gigabits_per_second"], 1);
  EXPECT_EQ(row["sources"], 2);
  EXPECT_EQ(row["lost_blocks"], 0);
  // 3 ms have 375,000 bytes, of which each source delivers two whole blocks.
  const std::uint64_t offered = row["offered_blocks"];
  EXPECT_GE(offered, 2U);
  EXPECT_LE(offered, 4U);
  EXPECT_EQ(row["uncompressed_bytes"], offered * 65536);
  EXPECT_GE(row["batches"], 1);
  EXPECT_LE(row["batches"], offered);
  EXPECT_GE(row["device_bytes"], 3 << 20);
  EXPECT_EQ(row["clocks"]["samples"], 0);
  EXPECT_EQ(row["verified"], true);
  EXPECT_LE(row["reached_gigabits_per_second"].get<double>(), 1.0);
}

TEST(LineRateMeasurement, WhatCannotBeMeasuredIsRefused) {
  const std::vector<std::uint8_t> text(70'000);
  LineRateMeasurement measurement(text, delivered_dataset, options_of_sources, tools_of_line_rate);
  EXPECT_THROW(measurement.measure(paced_point("zero_length/05_cuda_scan")), InputError);
  Point point = paced_point("zero_length/06_pipeline");
  for (const std::uint64_t block_bytes : {65536 + 10, 1 << 21, 1 << 17}) {
    point.input.block_bytes = block_bytes;
    EXPECT_THROW(measurement.measure(point), InputError) << block_bytes;
  }
  point = paced_point("zero_length/06_pipeline");
  point.row["sources"] = 0;
  EXPECT_THROW(measurement.measure(point), InputError);
  point.row.erase("sources");
  EXPECT_THROW(measurement.measure(point), InputError);
}

TEST(LineRateMeasurement, OptionsAreNumbers) {
  const Json good = {{"options", {{"packet_bytes", 4096}, {"ring_mib", 2}, {"longest_milliseconds", 7}}}};
  const SourceOptions options = parse_source_options(good, "here");
  EXPECT_EQ(options.packet_bytes, 4096U);
  EXPECT_EQ(options.ring_bytes, 2U << 20);
  EXPECT_EQ(options.longest, milliseconds(7));
  for (const char* const key : {"packet_bytes", "ring_mib", "longest_milliseconds"}) {
    for (const Json& bad : {Json(0), Json(-1), Json("8"), Json(nullptr), Json(1.5), Json(2'000'000'000)}) {
      Json document = good;
      document["options"][key] = bad;
      EXPECT_THROW(parse_source_options(document, "here"), InputError) << document.dump();
    }
  }
  EXPECT_THROW(parse_source_options(Json::array(), "here"), InputError);
  EXPECT_THROW(parse_source_options(Json::object(), "here"), InputError);
}

}  // namespace
}  // namespace gsst::experiments
