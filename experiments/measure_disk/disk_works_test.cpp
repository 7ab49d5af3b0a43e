#include "experiments/measure_disk/disk_works.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_disk/storage.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// 5 bytes of each 10 are zeros in a run.
std::string bytes_with_runs(std::size_t size) {
  std::string bytes(size, 'a');
  for (std::size_t i = 0; i < size; ++i) {
    if (i % 10 < 5) bytes[i] = '\0';
  }
  return bytes;
}

class MeasureDiskWorks : public testing::Test {
protected:
  MeasureDiskWorks() { std::filesystem::create_directories(folder_ / "disk"); }
  ~MeasureDiskWorks() override { std::filesystem::remove_all(folder_); }

  std::vector<StudiedWork> works_of(const std::string& bytes, const std::vector<unsigned>& threads) const {
    std::ofstream(folder_ / "input", std::ios::binary) << bytes;
    return disk_works(
        {.input = folder_ / "input", .folder = folder_ / "disk", .threads = threads, .repetitions = 3},
        {.name = "test/bytes", .sha256 = std::string(64, 'a')});
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("gsst_disk_works_" + std::to_string(getpid()));
};

TEST_F(MeasureDiskWorks, EachNumberOfThreadsHasFourRows) {
  constexpr std::size_t size = 2'500'000;
  std::vector<StudiedWork> works = works_of(bytes_with_runs(size), {1, 2});
  ASSERT_EQ(works.size(), 2);
  const Storage storage = storage_of(folder_);
  for (unsigned threads = 1; threads <= 2; ++threads) {
    const std::vector<Json> rows = works[threads - 1].measure();
    ASSERT_EQ(rows.size(), 4);
    EXPECT_EQ(rows[0]["variant"], from_disk_to_disk);
    EXPECT_EQ(rows[1]["variant"], from_memory_to_memory);
    EXPECT_EQ(rows[2]["variant"], reading_alone);
    EXPECT_EQ(rows[3]["variant"], writing_alone);
    EXPECT_EQ(rows[0]["stage"], "zero_length/03_simd");
    EXPECT_EQ(rows[2]["stage"], "disk/read");
    EXPECT_EQ(rows[3]["stage"], "disk/write");
    for (const Json& row : rows) {
      EXPECT_EQ(row["threads"], threads);
      EXPECT_EQ(row["uncompressed_bytes"], size);
      // Of ten bytes seven are left. Two more are of the run that the second block's end cuts into 2 and 3;
      // three blocks have headers, and the file a last size.
      EXPECT_EQ(row["compressed_bytes"], size / 10 * 7 + 2 + 3 * 16 + 8) << row;
      EXPECT_EQ(row["seconds"]["repetitions"], 3);
      EXPECT_EQ(row["file_system"], storage.mount.type);
      EXPECT_EQ(row["device"], storage.device.name);
      EXPECT_EQ(row["caches_dropped"], row["cached_input_bytes"] <= size / 100);
    }
  }
}

TEST_F(MeasureDiskWorks, NoFileIsLeft) {
  {
    const std::vector<StudiedWork> works = works_of(bytes_with_runs(1000), {1});
    works.front().measure();
    EXPECT_FALSE(std::filesystem::is_empty(folder_ / "disk"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_ / "disk"));
}

TEST_F(MeasureDiskWorks, AChangedCopyOfTheInputIsFound) {
  const std::vector<StudiedWork> works = works_of(bytes_with_runs(1000), {1});
  std::ofstream(folder_ / "disk" / "gsst_measure_disk_input", std::ios::binary)
      << bytes_with_runs(999) << "b";
  EXPECT_THROW(works.front().measure(), MismatchError);
  std::ofstream(folder_ / "disk" / "gsst_measure_disk_input", std::ios::binary) << bytes_with_runs(999);
  EXPECT_THROW(works.front().measure(), MismatchError);
}

TEST_F(MeasureDiskWorks, WhatIsNotThereIsRefused) {
  EXPECT_THROW(works_of("", {1}), InputError);
  std::filesystem::remove(folder_ / "disk");
  EXPECT_THROW(works_of("abc", {1}), InputError);
}

}  // namespace
}  // namespace gsst::experiments
