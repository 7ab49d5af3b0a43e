#include "experiments/measure/shared/row.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gsst::experiments {
namespace {

const Dataset dataset{.name = "words", .sha256 = std::string(64, 'a')};

Row timed_row() {
  return {.stage = "peer/zstd",
          .variant = "level 3",
          .parameters = {{"level", 3}},
          .uncompressed_bytes = 3'000'000'000,
          .compressed_bytes = 1'500'000'000,
          .seconds = SecondsSummary{.median = 2, .min = 1, .max = 4, .stddev = 0.5, .repetitions = 10}};
}

Row counted_row() {
  Row row = timed_row();
  row.seconds.reset();
  return row;
}

TEST(RowToJson, TimedRowHasEveryKeyOfTheContractInItsOrder) {
  const auto expected = nlohmann::ordered_json::parse(R"({
    "stage": "peer/zstd", "variant": "level 3", "operation": "decode", "parameters": {"level": 3},
    "dataset": "words", "dataset_sha256": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    "uncompressed_bytes": 3000000000, "compressed_bytes": 1500000000, "ratio": 2.0,
    "seconds": {"median": 2.0, "min": 1.0, "max": 4.0, "stddev": 0.5, "repetitions": 10},
    "throughput_gb_per_s": 1.5, "streaming_limit_gb_per_s": null, "verified": true})");
  EXPECT_EQ(row_to_json(timed_row(), dataset).dump(), expected.dump());
}

TEST(RowToJson, CountedRowHasNoTimes) {
  const auto json = row_to_json(counted_row(), dataset);
  EXPECT_TRUE(json.at("seconds").is_null());
  EXPECT_TRUE(json.at("throughput_gb_per_s").is_null());
  EXPECT_EQ(json.size(), row_to_json(timed_row(), dataset).size());
}

}  // namespace
}  // namespace gsst::experiments
