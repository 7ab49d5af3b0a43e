#include "experiments/measure_overlap/overlap_measurement.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>

#include "common/stage/registry.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/test_inputs.hpp"

// The measurement on the CPU executor: what rows hold, and that output is checked. Times mean nothing there.
namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr Json::number_unsigned_t wave = 7;

ExecutorTools tools_on_cpu() {
  return {.executor = stage::Executor::simt,
          .poison =
              [](std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes) {
                std::transform(expected, expected + bytes, output, std::bit_not<>());
              },
          .count_differences =
              [](const std::uint8_t* output, const std::uint8_t* expected, std::size_t bytes) {
                std::uint64_t differences = 0;
                for (std::size_t i = 0; i < bytes; ++i) differences += output[i] != expected[i] ? 1 : 0;
                return differences;
              },
          .seconds =
              [](pipeline::Queue& queue, const std::function<void()>& enqueue) {
                const auto start = std::chrono::steady_clock::now();
                enqueue();
                queue.wait();
                return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
              },
          .clocks_during =
              [](const std::function<void()>& work) {
                work();
                return Json{{"samples", 0}};
              },
          .full_wave = [](std::uint32_t) { return wave; }};
}

Point make_point() {
  return {.id = "gsst/02_splits",
          .stage = stage::find_stage("gsst/02_splits", stage::Operation::decode),
          .input = {.format = format::BlockFormat::splits, .blocks = 10, .options = {{"splits", 4}}},
          .row = Json{{"policy", "grid"}}};
}

constexpr unsigned repetitions = 3;
const Dataset text_dataset{.name = "text", .sha256 = std::string(64, 'a')};

TEST(OverlapMeasurement, GivesARowForEveryNumberOfBatchesAtEveryInterconnect) {
  const std::vector<std::uint8_t> text = reference::test::make_text(10'000, 9);
  const ExecutorTools tools = tools_on_cpu();
  OverlapMeasurement measurement(text, text_dataset, repetitions, tools);
  const std::vector<Json> rows =
      measurement.measure(make_point(), {.batches = {1, 4}, .interconnects = {std::nullopt, 0.5}});
  ASSERT_EQ(rows.size(), 4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Json& row = rows[i];
    EXPECT_EQ(row["batches"], i < 2 ? 1 : 4);
    EXPECT_EQ(row["blocks_per_batch"], i < 2 ? 10 : 3);
    EXPECT_EQ(row["last_batch_blocks"], i < 2 ? 10 : 1);
    EXPECT_EQ(row["full_wave_blocks"], wave);
    EXPECT_EQ(row["interconnect_gb_per_s"], i % 2 == 0 ? Json(nullptr) : Json(0.5));
    EXPECT_EQ(row["parameters"]["blocks"], 10);
    EXPECT_EQ(row["parameters"]["splits"], 4);
    EXPECT_EQ(row["uncompressed_bytes"], text.size());
    EXPECT_EQ(row["seconds"]["repetitions"], repetitions);
    EXPECT_EQ(row["end_to_end"], true);
    EXPECT_EQ(row["policy"], "grid");
    EXPECT_EQ(row["clocks"]["samples"], 0);
    for (const char* part : {"transfer_gb_per_s", "decode_gb_per_s", "batch_decode_gb_per_s"}) {
      EXPECT_GT(row[part].get<double>(), 0) << part;
    }
  }
  // Held back, all bytes need the time that the interconnect has for them.
  for (const Json& row : {rows[1], rows[3]}) {
    EXPECT_LE(row["transfer_gb_per_s"].get<double>(), 0.5);
    EXPECT_GE(row["seconds"]["min"].get<double>(), row["compressed_bytes"].get<double>() * 0.8 / 0.5e9);
  }
}

TEST(OverlapMeasurement, RefusesOutputThatDiffers) {
  const std::vector<std::uint8_t> text = reference::test::make_text(10'000, 9);
  ExecutorTools tools = tools_on_cpu();
  int calls = 0;
  tools.count_differences = [&](const std::uint8_t*, const std::uint8_t*, std::size_t) {
    ++calls;
    // Only the second verification, after the times were taken, finds it.
    return calls == 3 ? std::uint64_t{5} : std::uint64_t{0};
  };
  OverlapMeasurement measurement(text, text_dataset, repetitions, tools);
  try {
    measurement.measure(make_point(), {.batches = {2, 3}, .interconnects = {std::nullopt}});
    FAIL() << "accepted";
  } catch (const MismatchError& error) {
    EXPECT_NE(std::string(error.what()).find("in 2 batches: 5 bytes differ"), std::string::npos)
        << error.what();
  }
}

TEST(OverlapMeasurement, PoisonsTheOutputBeforeEachVerification) {
  const std::vector<std::uint8_t> text = reference::test::make_text(10'000, 9);
  ExecutorTools tools = tools_on_cpu();
  int poisoned = 0;
  tools.poison = [&](std::uint8_t*, const std::uint8_t*, std::size_t bytes) {
    EXPECT_EQ(bytes, text.size());
    ++poisoned;
  };
  OverlapMeasurement measurement(text, text_dataset, repetitions, tools);
  measurement.measure(make_point(), {.batches = {2, 3}, .interconnects = {std::nullopt}});
  EXPECT_EQ(poisoned, 4);
}

}  // namespace
}  // namespace gsst::experiments
