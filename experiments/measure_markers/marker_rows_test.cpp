#include "experiments/measure_markers/marker_rows.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "common/format/zero_length/markers.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/codec.hpp"

namespace gsst::experiments {
namespace {

using Bytes = std::vector<std::uint8_t>;

class MeasureMarkerRows : public testing::Test {
protected:
  ~MeasureMarkerRows() override { std::filesystem::remove(path_); }

  nlohmann::ordered_json rows_of(const Bytes& bytes, std::uint64_t block_bytes) const {
    std::ofstream(path_, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return marker_rows(path_, block_bytes, {.name = "test/bytes", .sha256 = std::string(64, 'a')});
  }

private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("gsst_marker_rows_" + std::to_string(getpid()));
};

TEST_F(MeasureMarkerRows, SizesAreThoseOfTheCodecsFrames) {
  std::mt19937_64 random(5);
  Bytes input(20'000);
  for (std::size_t i = 0; i < input.size(); ++i) {
    input[i] = i / 4 % 5 == 0 || i > 18'000 ? std::uint8_t{0} : static_cast<std::uint8_t>(random());
  }
  // Two blocks that are stored raw.
  for (std::size_t i = 6000; i < 9000; ++i) input[i] = static_cast<std::uint8_t>(1 + random() % 255);
  const nlohmann::ordered_json rows = rows_of(input, 1000);
  ASSERT_EQ(rows.size(), 4U);
  for (const nlohmann::ordered_json& row : rows) {
    const nlohmann::ordered_json& parameters = row["parameters"];
    SCOPED_TRACE(parameters.dump());
    const reference::EncodeSettings settings = {
        .block_bytes = 1000,
        .options = {{"marker", parameters["marker"] == "rarest" ? 0 : 1},
                    {"runs-of-4", parameters["runs_of_4"] == "one byte" ? 0 : 1}}};
    const Bytes file =
        reference::encode_file(reference::codec_of(format::zero_length::markers_format), input, settings);
    EXPECT_EQ(row["compressed_bytes"], file.size());
    EXPECT_EQ(row["uncompressed_bytes"], input.size());
    EXPECT_EQ(row["blocks"], 20);
    EXPECT_EQ(row["raw_blocks"], 3);
  }
}

TEST_F(MeasureMarkerRows, RunsAndBytesAreCounted) {
  // Values that occur four times, so that FF, of which there are three, and 1, of which there is one, are
  // rarest.
  Bytes input;
  for (int value = 2; value < 255; ++value) input.insert(input.end(), 4, static_cast<std::uint8_t>(value));
  for (const int byte : {255, 0, 0, 0, 0, 1, 0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 255}) {
    input.push_back(static_cast<std::uint8_t>(byte));
  }
  input.insert(input.end(), 300, 0);
  const nlohmann::ordered_json rows = rows_of(input, 1 << 20);
  const auto expect = [&](std::size_t row, const char* marker, const char* runs, std::uint64_t coded,
                          std::uint64_t doubled) {
    EXPECT_EQ(rows[row]["parameters"],
              (nlohmann::ordered_json{{"block_bytes", 1 << 20}, {"marker", marker}, {"runs_of_4", runs}}));
    EXPECT_EQ(rows[row]["coded_runs"], coded) << row;
    EXPECT_EQ(rows[row]["doubled_bytes"], doubled) << row;
    EXPECT_EQ(rows[row]["raw_blocks"], 0);
    EXPECT_EQ(rows[row]["operation"], "encode");
  };
  expect(0, "ff", "two bytes", 0, 3);
  expect(1, "rarest", "two bytes", 0, 1);
  expect(2, "ff", "one byte", 2, 4);
  expect(3, "rarest", "one byte", 2, 4);
}

TEST_F(MeasureMarkerRows, AnEmptyFileIsRefused) {
  EXPECT_THROW(rows_of({}, 4), InputError);
}

}  // namespace
}  // namespace gsst::experiments
