#include "experiments/measure_cpu_stages/stage_points.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "common/format/formats.hpp"
#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

class MeasureStagePoints : public testing::Test {
protected:
  ~MeasureStagePoints() override { std::filesystem::remove(path_); }

  StagePoints read(const Json& points) const {
    std::ofstream(path_) << Json{{"points", points}};
    return read_stage_points(path_);
  }

  std::string refusal(const Json& point) const {
    try {
      read(Json::array({point}));
    } catch (const InputError& error) {
      return error.what();
    }
    return "nothing is wrong";
  }

private:
  std::filesystem::path path_ =
      std::filesystem::temp_directory_path() / ("gsst_stage_points_" + std::to_string(getpid()));
};

Json encoder(const std::string& stage, std::uint64_t block_bytes) {
  return {{"operation", "encode"}, {"stage", stage}, {"format", "zle_bare"}, {"block_bytes", block_bytes}};
}

TEST_F(MeasureStagePoints, PointsOfOneCompressedFormAreNextToEachOther) {
  const StagePoints read_points = read({encoder("zero_length/01_naive", 4096),
                                        {{"operation", "decode"},
                                         {"stage", "zero_length/03_simd_unvectorised"},
                                         {"format", "zle"},
                                         {"block_bytes", 4096}},
                                        encoder("zero_length/03_simd", 4096)});
  ASSERT_EQ(read_points.points.size(), 3);
  EXPECT_EQ(read_points.points[0].stage_id(), "zero_length/01_naive");
  EXPECT_TRUE(read_points.points[0].is_vectorised_by_compiler());
  EXPECT_EQ(read_points.points[1].stage_id(), "zero_length/03_simd");
  EXPECT_EQ(read_points.points[1].operation, stage::Operation::encode);
  EXPECT_EQ(read_points.points[2].stage_id(), "zero_length/03_simd");
  EXPECT_FALSE(read_points.points[2].is_vectorised_by_compiler());
  EXPECT_EQ(read_points.points[2].operation, stage::Operation::decode);
}

TEST_F(MeasureStagePoints, AValueOfOtherProcessorsIsLeftOutWhereThePointSaysSo) {
  Json point = encoder("zero_length/03_simd", 4096);
  point["parameters"] = {{"vector_bytes", 4096}};
  EXPECT_NE(refusal(point).find("vector_bytes"), std::string::npos);
  point["where_offered"] = {"vector_bytes"};
  const StagePoints read_points = read({point, encoder("zero_length/03_simd", 4096)});
  EXPECT_EQ(read_points.points.size(), 1);
  EXPECT_EQ(read_points.left_out, std::vector<std::string>{"zero_length/03_simd, vector_bytes 4096"});
}

TEST_F(MeasureStagePoints, ADecoderReadsItsOwnFormat) {
  for (const char* const format : {"zle_markers", "zle_dictionary"}) {
    const bool has_markers = std::string(format) == "zle_markers";
    const StagePoints read_points =
        read(Json::array({{{"operation", "decode"},
                           {"stage", has_markers ? "zero_length/07_markers" : "zero_length/08_dictionary"},
                           {"format", format},
                           {"block_bytes", 4096}}}));
    ASSERT_EQ(read_points.points.size(), 1);
    EXPECT_EQ(format::block_format_name(read_points.points[0].point.input.format), format);
  }
}

TEST_F(MeasureStagePoints, WhatCannotBeMeasuredIsRefused) {
  Json point = encoder("zero_length/01_naive", 4096);
  point.erase("operation");
  EXPECT_NE(refusal(point).find("point 1: 'operation' must be encode or decode"), std::string::npos);
  point["operation"] = "ranges";
  EXPECT_NE(refusal(point).find("'operation' must be"), std::string::npos);
  EXPECT_NE(refusal(encoder("zero_length/nothing", 4096)).find("there is no stage"), std::string::npos);
  EXPECT_NE(refusal(encoder("zero_length/04_cuda_runs", 4096)).find("does not run on executor cpu"),
            std::string::npos);
  EXPECT_NE(refusal(encoder("zero_length/01_naive", 0)).find("block_bytes"), std::string::npos);
  const Json of_other_format = {
      {"operation", "decode"}, {"stage", "zero_length/01_naive"}, {"format", "tiles"}, {"block_bytes", 4096}};
  EXPECT_NE(refusal(of_other_format).find("'format' must be zle_bare or zle"), std::string::npos);
  const Json of_other_stage = {{"operation", "decode"},
                               {"stage", "zero_length/08_dictionary"},
                               {"format", "zle_bare"},
                               {"block_bytes", 4096}};
  EXPECT_NE(refusal(of_other_stage).find("'format' must be zle_dictionary"), std::string::npos);
  Json misspelt = encoder("zero_length/01_naive", 4096);
  misspelt["blok_bytes"] = 1;
  EXPECT_NE(refusal(misspelt).find("blok_bytes"), std::string::npos);
  EXPECT_THROW(read(Json::array()), InputError);
}

}  // namespace
}  // namespace gsst::experiments
