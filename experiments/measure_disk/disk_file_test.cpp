#include "experiments/measure_disk/disk_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <numeric>
#include <vector>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_disk/storage.hpp"

namespace gsst::experiments {
namespace {

class MeasureDiskFile : public testing::Test {
protected:
  ~MeasureDiskFile() override { std::filesystem::remove(path_); }

  const std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("gsst_disk_file_" + std::to_string(getpid()));
};

TEST_F(MeasureDiskFile, WhatWasWrittenIsRead) {
  std::vector<std::uint8_t> bytes(100'000);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  {
    DiskFile file = DiskFile::to_write(path_);
    file.writer()(std::span(bytes).first(1));
    file.writer()(std::span(bytes).subspan(1));
    file.flush();
  }
  std::vector<std::uint8_t> read(bytes.size() + 10, 0x5A);
  DiskFile file = DiskFile::to_read(path_);
  EXPECT_EQ(file.reader()(std::span(read).first(7)), 7);
  EXPECT_EQ(file.reader()(std::span(read).subspan(7)), bytes.size() - 7);
  EXPECT_EQ(file.reader()(read), 0);
  EXPECT_TRUE(std::equal(bytes.begin(), bytes.end(), read.begin()));
  EXPECT_EQ(read[bytes.size()], 0x5A);
}

TEST_F(MeasureDiskFile, TheSystemForgetsWhatTheDiskHas) {
  {
    DiskFile file = DiskFile::to_write(path_);
    file.writer()(std::vector<std::uint8_t>(1 << 20, 7));
    file.flush();
  }
  DiskFile file = DiskFile::to_read(path_);
  std::vector<std::uint8_t> read(1 << 20);
  ASSERT_EQ(file.reader()(read), read.size());
  EXPECT_EQ(file.cached_bytes(), read.size());
  file.drop_cached();
  const std::string type = storage_of(path_.parent_path()).mount.type;
  if (type != "ext4" && type != "xfs") GTEST_SKIP() << type << " may keep files in memory";
  EXPECT_EQ(file.cached_bytes(), 0);
}

TEST_F(MeasureDiskFile, WhatTheSystemRefusesNamesTheFile) {
  EXPECT_THROW(DiskFile::to_read(path_), InputError);
  EXPECT_THROW(DiskFile::to_write(path_ / "file"), InputError);
  DiskFile file = DiskFile::to_write(path_);
  EXPECT_EQ(file.cached_bytes(), 0);
  std::vector<std::uint8_t> bytes(1);
  try {
    file.reader()(bytes);
    ADD_FAILURE() << "a file that is written is read";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find(path_.string() + " cannot be read"), std::string::npos);
  }
}

}  // namespace
}  // namespace gsst::experiments
