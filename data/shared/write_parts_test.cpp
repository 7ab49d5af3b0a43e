#include "data/shared/write_parts.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "data/shared/random_words.hpp"

namespace gsst::data {
namespace {

// Random bytes.
Parts parts_of(std::uint64_t bytes) {
  const auto fill = [](std::uint64_t part, std::span<std::uint8_t> output) {
    RandomWords random(2, part);
    for (std::uint8_t& byte : output) byte = static_cast<std::uint8_t>(random.next());
  };
  return {.bytes = bytes, .part_bytes = 1 << 20, .fill = fill};
}

class DataWriteParts : public testing::Test {
protected:
  DataWriteParts() {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~DataWriteParts() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path path(const std::string& name) const { return folder_ / name; }

  std::string written(const Parts& parts, std::uint64_t first_bytes, unsigned threads) const {
    write_parts(parts, first_bytes, threads, path("data"));
    std::ifstream file(path("data"), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  std::ptrdiff_t files() const { return std::distance(std::filesystem::directory_iterator(folder_), {}); }

private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("gsst_write_parts_" + std::to_string(getpid()));
};

TEST_F(DataWriteParts, BytesDoNotDependOnThreads) {
  const Parts parts = parts_of(5 << 20);
  const std::string alone = written(parts, parts.bytes, 1);
  ASSERT_EQ(alone.size(), parts.bytes);
  for (const unsigned threads : {2U, 3U, 8U}) {
    EXPECT_TRUE(written(parts, parts.bytes, threads) == alone) << threads << " threads";
  }
}

TEST_F(DataWriteParts, FirstBytesBeginTheWhole) {
  const Parts parts = parts_of((3 << 20) + 5);
  const std::string whole = written(parts, parts.bytes, 2);
  ASSERT_EQ(whole.size(), parts.bytes);
  for (const std::uint64_t size : {1ULL, 1048575ULL, 1048576ULL, 1048577ULL, 3145732ULL}) {
    EXPECT_TRUE(written(parts, size, 2) == whole.substr(0, size)) << size << " bytes";
  }
  EXPECT_THROW(written(parts, parts.bytes + 1, 2), std::invalid_argument);
}

TEST_F(DataWriteParts, AFailureLeavesNoFile) {
  Parts parts = parts_of(8 << 20);
  const auto fill = parts.fill;
  parts.fill = [fill](std::uint64_t part, std::span<std::uint8_t> output) {
    if (part == 5) throw std::runtime_error("made up");
    fill(part, output);
  };
  for (const unsigned threads : {1U, 4U}) {
    EXPECT_THROW(write_parts(parts, parts.bytes, threads, path("data")), std::runtime_error);
    EXPECT_EQ(files(), 0);
  }
  EXPECT_THROW(write_parts(parts, 1, 1, path("no_such_folder") / "data"), std::system_error);
}

TEST_F(DataWriteParts, AFileIsReplacedAndNothingElse) {
  const Parts parts = parts_of(10);
  EXPECT_EQ(written(parts, 10, 1).size(), 10U);
  EXPECT_EQ(written(parts, 5, 1).size(), 5U);
  std::filesystem::create_directory(path("folder"));
  std::filesystem::create_symlink("/dev/null", path("device"));
  EXPECT_THROW(write_parts(parts, 5, 1, path("folder")), std::invalid_argument);
  EXPECT_THROW(write_parts(parts, 5, 1, path("device")), std::invalid_argument);
  EXPECT_TRUE(std::filesystem::is_symlink(path("device")));
  EXPECT_EQ(files(), 3);
}

}  // namespace
}  // namespace gsst::data
