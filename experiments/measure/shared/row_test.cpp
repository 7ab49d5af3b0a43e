#include "experiments/measure/shared/row.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"

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

/// A folder of its own for each test, removed at the end.
class WriteRows : public testing::Test {
protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) /
              testing::UnitTest::GetInstance()->current_test_info()->name();
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::vector<std::string> file_names() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      names.push_back(entry.path().filename().string());
    return names;
  }

  std::filesystem::path folder_;
};

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

TEST_F(WriteRows, ReplacesTheFileAndLeavesNoOther) {
  const std::filesystem::path path = folder_ / "rows.json";
  std::ofstream(path) << "old";
  const std::vector<Row> rows = {timed_row(), counted_row()};
  write_rows(rows, dataset, path);

  const auto json = nlohmann::ordered_json::parse(std::ifstream(path));
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[1], row_to_json(counted_row(), dataset));
  EXPECT_EQ(file_names(), std::vector<std::string>{"rows.json"});
}

TEST_F(WriteRows, FolderThatDoesNotExistIsAnErrorNamingThePath) {
  const std::filesystem::path path = folder_ / "absent" / "rows.json";
  try {
    write_rows({}, dataset, path);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("absent"), std::string::npos) << error.what();
  }
}

TEST_F(WriteRows, ErrorLeavesNoTemporaryFile) {
  const std::filesystem::path path = folder_ / "rows.json";
  std::filesystem::create_directories(path / "in_the_way");
  EXPECT_THROW(write_rows({}, dataset, path), InputError);
  EXPECT_EQ(file_names(), std::vector<std::string>{"rows.json"});
}

}  // namespace
}  // namespace gsst::experiments
