#include "experiments/measure_cpu_stages/stage_works.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>
#include <random>

#include "common/format/formats.hpp"
#include "common/stage/registry.hpp"
#include "reference_cpu/parallel.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

class MeasureStageWorks : public testing::Test {
protected:
  MeasureStageWorks() {
    constexpr std::uint32_t seed = 11;
    RecordProperty("seed", static_cast<int>(seed));
    std::mt19937 generator(seed);
    std::string bytes(300'001, '\0');
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i / 4 % 16 != 0) bytes[i] = static_cast<char>(generator());
    }
    std::ofstream(path_, std::ios::binary) << bytes;
  }
  ~MeasureStageWorks() override { std::filesystem::remove(path_); }

  Json row_of(const std::string& stage, stage::Operation operation, const std::string& format,
              const stage::ParameterValues& parameters) const {
    StagePoint point{.operation = operation, .point = {.id = stage, .parameters = parameters}};
    point.point.stage = stage::find_stage(stage, operation);
    point.point.input.format =
        format == "zle" ? point.point.stage->description.format : *format::block_format_from_name(format);
    point.point.input.block_bytes = 65'536;
    point.point.row = {{"policy", "grid"}};
    const std::vector<StudiedWork> works =
        stage_works({.input = path_, .repetitions = 3}, std::vector{point},
                    {.name = "test/bytes", .sha256 = std::string(64, 'a')});
    EXPECT_EQ(works.size(), 1);
    const std::vector<Json> rows = works.front().measure();
    EXPECT_EQ(rows.size(), 1);
    return rows.front();
  }

private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("gsst_stage_works_" + std::to_string(getpid()));
};

TEST_F(MeasureStageWorks, ARowSaysWhatWasMeasured) {
  const Json row =
      row_of("zero_length/03_simd_unvectorised", stage::Operation::encode, "zle_bare", {{"threads", 2}});
  EXPECT_EQ(row["stage"], "zero_length/03_simd");
  EXPECT_EQ(row["operation"], "encode");
  EXPECT_EQ(row["format"], "zle_bare");
  EXPECT_EQ(row["compiler_vectorisation"], false);
  EXPECT_EQ(row["parameters"]["block_bytes"], 65'536);
  EXPECT_EQ(row["parameters"]["vector_bytes"], 0);
  EXPECT_GE(row["vector_bytes"], 8);
  EXPECT_EQ(row["threads"], 2);
  EXPECT_EQ(row["processors"], reference::thread_count(0));
  EXPECT_EQ(row["from_dram"], false);
  EXPECT_EQ(row["uncompressed_bytes"], 300'001);
  EXPECT_LT(row["compressed_bytes"], 300'001);
  EXPECT_EQ(row["seconds"]["repetitions"], 3);
  EXPECT_GT(row["memcpy_gb_per_s"], 0);
  EXPECT_GT(row["parallel_memcpy_gb_per_s"], 0);
  EXPECT_EQ(row["policy"], "grid");
  EXPECT_EQ(row["verified"], true);
}

TEST_F(MeasureStageWorks, ABareFileIsDecodedBlockByBlock) {
  const Json row = row_of("zero_length/02_openmp", stage::Operation::decode, "zle_bare", {{"threads", 2}});
  EXPECT_EQ(row["operation"], "decode");
  EXPECT_EQ(row["format"], "zle_bare");
  EXPECT_EQ(row["uncompressed_bytes"], 300'001);
  EXPECT_EQ(row["verified"], true);
}

TEST_F(MeasureStageWorks, AStageWithoutTheParametersHasOneThread) {
  for (const auto operation : {stage::Operation::encode, stage::Operation::decode}) {
    const Json row = row_of("zero_length/01_naive", operation, "zle", {});
    EXPECT_EQ(row["operation"], stage::operation_name(operation));
    EXPECT_EQ(row["threads"], 1);
    EXPECT_EQ(row["compiler_vectorisation"], true);
    EXPECT_EQ(row["memcpy_gb_per_s"], row["parallel_memcpy_gb_per_s"]);
    EXPECT_EQ(row["vector_bytes"], 1);
  }
}

}  // namespace
}  // namespace gsst::experiments
