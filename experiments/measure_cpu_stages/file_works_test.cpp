#include "experiments/measure_cpu_stages/file_works.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_cpu_stages/file_tool.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
using Bytes = std::vector<std::uint8_t>;

Bytes text_of(std::size_t size) {
  Bytes bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i % 7 < 4 ? 0 : i * i / 5);
  return bytes;
}

class MeasureFileWorks : public testing::Test {
protected:
  MeasureFileWorks() { std::filesystem::create_directories(folder_); }
  ~MeasureFileWorks() override { std::filesystem::remove_all(folder_); }

  std::vector<StudiedWork> works_of(const Json& files, const Bytes& input) const {
    std::ofstream(folder_ / "input", std::ios::binary)
        .write(reinterpret_cast<const char*>(input.data()), static_cast<std::streamsize>(input.size()));
    std::ofstream(folder_ / "points") << Json{{"files", files}};
    return file_works(folder_ / "points", {.input = folder_ / "input", .folder = folder_, .repetitions = 2},
                      {.name = "test/bytes", .sha256 = std::string(64, 'a')});
  }

private:
  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("gsst_file_works_" + std::to_string(getpid()));
};

// With one thread: other tests of this program have run several, after which no forked process can.
TEST_F(MeasureFileWorks, EveryToolHasTimeMemoryAndSize) {
  const Json files = {{{"tool", "gzip"}, {"threads", 1}},
                      {{"tool", "bzip2"}, {"threads", 1}},
                      {{"tool", "pbzip2"}, {"threads", 1}},
                      {{"tool", "zero_length/03_simd"}, {"threads", 1}}};
  const std::vector<StudiedWork> works = works_of(files, text_of(2'000'000));
  EXPECT_EQ(works.size() + missing_file_tools().size(), 4);
  for (const StudiedWork& work : works) {
    const Json row = work.measure().front();
    EXPECT_EQ(row["uncompressed_bytes"], 2'000'000) << row;
    EXPECT_LT(row["compressed_bytes"], 2'000'000) << row;
    EXPECT_EQ(row["seconds"]["repetitions"], 2) << row;
    EXPECT_GT(row["peak_memory_bytes"], row["idle_memory_bytes"]) << row;
    EXPECT_EQ(row["caches_dropped"], false);
  }
}

TEST_F(MeasureFileWorks, WhatIsNotThereIsRefused) {
  EXPECT_THROW(works_of({{{"tool", "zip"}, {"threads", 1}}}, text_of(10)), InputError);
  EXPECT_THROW(works_of({{{"tool", "zero_length/05_cuda_scan"}, {"threads", 1}}}, text_of(10)), InputError);
  EXPECT_THROW(works_of({{{"tool", "gzip"}, {"threads", 0}}}, text_of(10)), InputError);
  EXPECT_TRUE(works_of(Json::array(), text_of(10)).empty());
}

TEST(MeasureFileTool, EverySizeRoundTripsWithEveryTool) {
  const std::vector<std::string> missing = missing_file_tools();
  for (const std::string name : {"gzip", "bzip2", "pbzip2", "zero_length/03_simd"}) {
    if (std::ranges::find(missing, name) != missing.end()) continue;
    const FileTool tool = file_tool_named(name);
    for (const std::size_t size : {1u, 65'535u, 65'536u, 65'537u, 900'000u, 1'800'000u, 1'800'001u}) {
      const Bytes input = text_of(size);
      Bytes compressed;
      Bytes output;
      tool.compress(format::reader_of(input), format::writer_to(compressed), 2);
      tool.decompress(format::reader_of(compressed), format::writer_to(output));
      EXPECT_EQ(output, input) << name << " " << size;
    }
  }
}

TEST(MeasureFileTool, AFileThatEndsEarlyIsAnError) {
  const std::vector<std::string> missing = missing_file_tools();
  for (const std::string name : {"gzip", "bzip2", "pbzip2"}) {
    if (std::ranges::find(missing, name) != missing.end()) continue;
    const FileTool tool = file_tool_named(name);
    Bytes compressed;
    Bytes output;
    const Bytes input = text_of(1'000'000);
    tool.compress(format::reader_of(input), format::writer_to(compressed), 2);
    compressed.resize(compressed.size() / 2);
    EXPECT_ANY_THROW(tool.decompress(format::reader_of(compressed), format::writer_to(output))) << name;
  }
}

}  // namespace
}  // namespace gsst::experiments
