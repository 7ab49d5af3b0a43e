#include "experiments/measure_tiles_speed/tiles_speed_rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <span>
#include <string>

#include "cpu/tiles/instruction_sets.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

TEST(TilesSpeedRows, ARowForEachDecoderOfEachWidthAndEachEncoder) {
  const std::filesystem::path input = std::filesystem::path(testing::TempDir()) / "tiles_speed_input";
  const auto text = reference::test::make_text(100'000, 1);
  std::ofstream(input, std::ios::binary).write(reinterpret_cast<const char*>(text.data()), 100'000);
  const auto works = tiles_speed_works(
      {.input = input, .block_bytes = 65'536, .code_bits = {8, 12}, .level = 1, .repetitions = 3},
      {.name = "text", .sha256 = ""});
  ASSERT_EQ(works.size(), 3u);
  for (const StudiedWork& work : std::span(works).first(2)) {
    const auto rows = work.measure();
    std::set<std::string> decoders;
    for (const auto& row : rows) {
      EXPECT_EQ(row["uncompressed_bytes"], text.size());
      EXPECT_EQ(row["beside_code_bits"], work.key["code_bits"]);
      EXPECT_EQ(row["seconds"]["repetitions"], 3);
      EXPECT_GT(row["times_fsst"], 0.0);
      decoders.insert(row["stage"].get<std::string>() + " " + row["variant"].get<std::string>());
    }
    EXPECT_EQ(decoders.size(), 4 + cpu::tiles::instruction_sets().size());
    EXPECT_EQ(rows.back()["parameters"]["checksum"], "xxh64-tree");
    EXPECT_EQ(rows.front()["times_fsst"], 1.0);
  }
  const auto rows = works.back().measure();
  ASSERT_EQ(rows.size(), 6u);
  std::set<std::string> encoders;
  for (const auto& row : rows) {
    EXPECT_EQ(row["operation"], "encode");
    EXPECT_EQ(row["end_to_end"], true);
    EXPECT_EQ(row["uncompressed_bytes"], text.size());
    EXPECT_EQ(row["seconds"]["repetitions"], 3);
    EXPECT_GT(row["ratio"], 1.0);
    EXPECT_GT(row["times_fsst"], 0.0);
    encoders.insert(row["stage"].get<std::string>() + " " + row["variant"].get<std::string>());
  }
  EXPECT_EQ(encoders.size(), 6u);
  std::filesystem::remove(input);
}

TEST(TilesSpeedRows, NamesAFileThatIsNotThere) {
  EXPECT_THROW(tiles_speed_works({.input = "no such file"}, {}), InputError);
}

}  // namespace
}  // namespace gsst::experiments
