#include "experiments/measure_gpu/points.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>

#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned multiprocessors = 132;

Json splits_point() {
  return Json::parse(R"({"stage": "gsst/04_alignment", "parameters": {"alignment": 8}, "blocks": "16 per SM",
                         "splits": 192, "row": {"policy": "common"}})");
}

Json blocks_point() {
  return Json::parse(R"({"stage": "gsst/01_blocks", "blocks": 1000})");
}

PointList parse(const Json& document) {
  return parse_points(document, multiprocessors, "points.json");
}

void expect_error(const Json& point, const std::string& message) {
  try {
    parse(Json::array({blocks_point(), point}));
    FAIL() << "no error for " << point;
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("points.json: point 1: " + message), std::string::npos)
        << error.what();
  }
}

TEST(PointsFile, SaysHowTheTextIsEncoded) {
  Json point = blocks_point();
  EXPECT_EQ(parse(Json::array({point})).points.at(0).code_bits, 0u);
  point["code_bits"] = 12U;
  point["level"] = 9U;
  const std::vector<Point> points = parse(Json::array({blocks_point(), point})).points;
  EXPECT_EQ(points[1].code_bits, 12u);
  EXPECT_EQ(points[1].level, 9u);
  EXPECT_FALSE(share_frame(points[0], points[1]));
  EXPECT_FALSE(points[1].parse.has_value());
  point["parse"] = "optimal";
  point["codes_per_lane"] = 24U;
  const Point with_parse = parse(Json::array({point})).points.at(0);
  EXPECT_EQ(with_parse.parse, reference::Parse::optimal);
  EXPECT_EQ(with_parse.codes_per_lane, 24u);
  EXPECT_FALSE(share_frame(points[1], with_parse));
  EXPECT_EQ(parse(Json::array({point_to_json(with_parse)})).points.at(0).parse, reference::Parse::optimal);
  point["parse"] = "fast";
  expect_error(point, "'parse' must be \"greedy\" or \"optimal\"");
  point.erase("parse");
  point["level"] = "nine";
  expect_error(point, "'level' is out of range");
}

TEST(ParsePoints, APointMayAskForTimesOfAGraphOfTheSameFrame) {
  Json point = blocks_point();
  EXPECT_FALSE(parse(Json::array({point})).points.at(0).graph);
  EXPECT_FALSE(point_to_json(parse(Json::array({point})).points.at(0)).contains("graph"));
  point["graph"] = true;
  const std::vector<Point> points = parse(Json::array({blocks_point(), point})).points;
  EXPECT_TRUE(points[1].graph);
  EXPECT_TRUE(share_frame(points[0], points[1]));
  // Rows with these times are not taken for rows without.
  EXPECT_NE(point_to_json(points[0]), point_to_json(points[1]));
  EXPECT_TRUE(parse(Json::array({point_to_json(points[1])})).points.at(0).graph);
  point["graph"] = 1;
  expect_error(point, "'graph' must be true or false");
}

TEST(ParsePoints, ReadsAList) {
  const std::vector<Point> points = parse(Json::array({splits_point(), blocks_point()})).points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].stage->description.id, "gsst/04_alignment");
  EXPECT_EQ(points[0].parameters, (stage::ParameterValues{{"alignment", 8}}));
  EXPECT_EQ(points[0].blocks, 16u * multiprocessors);
  EXPECT_EQ(points[0].splits, 192u);
  EXPECT_EQ(points[0].row, (Json{{"policy", "common"}}));
  EXPECT_EQ(points[1].blocks, 1000u);
  // Its format has no splits.
  EXPECT_EQ(points[1].splits, 1u);
  EXPECT_EQ(points[1].row, Json::object());
}

TEST(ParsePoints, ReadsAnObjectWithItsTarget) {
  const PointList list = parse({{"target", "gsst_fig_6_1"}, {"points", {blocks_point()}}, {"candidates", 1}});
  EXPECT_EQ(list.target, "gsst_fig_6_1");
  EXPECT_EQ(list.points.size(), 1u);
}

TEST(ParsePoints, WhatItWritesItReads) {
  const Point point = parse(Json::array({splits_point()})).points.at(0);
  const Point again = parse(Json::array({point_to_json(point)})).points.at(0);
  EXPECT_EQ(point_to_json(again), point_to_json(point));
  EXPECT_EQ(point_to_json(point).at("blocks"), 16u * multiprocessors);
}

TEST(ParsePoints, RefusesWhatItDoesNotKnow) {
  Json point = blocks_point();
  point["stage"] = "gsst/none";
  expect_error(point, "there is no stage 'gsst/none'");
  point = blocks_point();
  point["params"] = Json::object();
  expect_error(point, "unknown key 'params'");
  expect_error(Json(3), "must be an object");
  point = splits_point();
  point.erase("splits");
  expect_error(point, "'splits' is missing");
  point = blocks_point();
  point["row"] = 1;
  expect_error(point, "'row' must be an object");
}

TEST(ParsePoints, RefusesCountsThatAreNone) {
  for (const Json& blocks : {Json(0), Json(-4), Json(1.5), Json("per SM"), Json(" per SM"), Json("x per SM"),
                             Json("4 per GPU"), Json("4"), Json("0 per SM"), Json("recommended"),
                             Json(nullptr), Json("9999999999 per SM"), Json(std::uint64_t{1} << 40)}) {
    Json point = blocks_point();
    point["blocks"] = blocks;
    expect_error(point, "'blocks'");
  }
}

TEST(ParsePoints, RefusesAParameterThatTheStageDoesNotTake) {
  Json point = splits_point();
  point["parameters"]["alignment"] = 5;
  EXPECT_THROW(parse(Json::array({point})), std::invalid_argument);
}

TEST(ReadPoints, MissingFileIsAnErrorNamingIt) {
  EXPECT_THROW(read_points("/absent/points.json", multiprocessors), InputError);
}

TEST(ReadPoints, JoinsFilesUnderTheFirstTargetThatOneNames) {
  const std::filesystem::path folder = testing::TempDir();
  const std::vector<std::filesystem::path> paths = {folder / "list.json", folder / "a.json",
                                                    folder / "b.json"};
  std::ofstream(paths[0]) << Json::array({splits_point()});
  std::ofstream(paths[1]) << Json{{"target", "a"}, {"points", {blocks_point()}}};
  std::ofstream(paths[2]) << Json{{"target", "b"}, {"points", Json::array()}};
  const PointList list = read_points(paths, multiprocessors);
  EXPECT_EQ(list.target, "a");
  ASSERT_EQ(list.points.size(), 2u);
  EXPECT_EQ(list.points[1].blocks, 1000u);
  EXPECT_THROW(read_points(std::span(paths).last(1), multiprocessors), InputError);
}

TEST(TargetOf, AnOptionComesBeforeTheFile) {
  EXPECT_EQ(target_of({.target = "file", .points = {}}, "option"), "option");
  EXPECT_EQ(target_of({.target = "file", .points = {}}, ""), "file");
  EXPECT_THROW(target_of({}, ""), InputError);
}

TEST(GroupByFrame, PutsPointsOfOneFrameTogetherInTheirOrder) {
  Json other_blocks = splits_point();
  other_blocks["blocks"] = 7u;
  Json other_stage = splits_point();
  other_stage["stage"] = "gsst/02_splits";
  other_stage["parameters"] = Json::object();
  Json other_splits = splits_point();
  other_splits["splits"] = 32u;
  const std::vector<Point> points = parse(Json::array({splits_point(), other_blocks, blocks_point(),
                                                       other_stage, other_splits, splits_point()}))
                                        .points;
  EXPECT_EQ(group_by_frame(points), (std::vector<std::vector<std::size_t>>{{0, 3, 5}, {1}, {2}, {4}}));
}

}  // namespace
}  // namespace gsst::experiments
