#include "experiments/measure_bytes/counted_row.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

class MeasureCountedRow : public testing::Test {
protected:
  ~MeasureCountedRow() override { std::filesystem::remove(path_); }

  nlohmann::ordered_json row_of(const std::vector<std::uint8_t>& bytes, std::uint64_t block_bytes) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return count_file(path_, block_bytes, {.name = "test/bytes", .sha256 = std::string(64, 'a')});
  }

private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("gsst_counted_row_" + std::to_string(getpid()));
};

TEST_F(MeasureCountedRow, SizesAreThoseOfTheBareForm) {
  // 3 + 4 zeros, a marker and two other bytes: elements of 2 + 2 + 2 + 2 bytes.
  const std::vector<std::uint8_t> bytes = {0, 0, 0, 5, 0, 0, 0, 0, 255, 6};
  const nlohmann::ordered_json row = row_of(bytes, 1 << 20);
  EXPECT_EQ(row["uncompressed_bytes"], 10);
  EXPECT_EQ(row["compressed_bytes"], 16 + 8 + 8);
  EXPECT_EQ(row["run_counts"][3], 1);
  EXPECT_EQ(row["run_counts"][4], 1);
  EXPECT_EQ(row["byte_counts"][255], 1);
  EXPECT_EQ(row["rarest_byte"], 1);
  EXPECT_EQ(row["rarest_count"], 0);
  EXPECT_EQ(row["longest_run"], 4);
  EXPECT_EQ(row["operation"], "encode");
}

TEST_F(MeasureCountedRow, BlocksCutRuns) {
  const nlohmann::ordered_json row = row_of(std::vector<std::uint8_t>(10, 0), 4);
  EXPECT_EQ(row["compressed_bytes"], 3 * 16 + 2 + 2 + 2 + 8);
  EXPECT_EQ(row["run_counts"][4], 2);
  EXPECT_EQ(row["run_counts"][2], 1);
}

TEST_F(MeasureCountedRow, AnEmptyFileIsRefused) {
  EXPECT_THROW(row_of({}, 4), InputError);
}

}  // namespace
}  // namespace gsst::experiments
