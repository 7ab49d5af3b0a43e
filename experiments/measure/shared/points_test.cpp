#include "experiments/measure/shared/points.hpp"

#include <gtest/gtest.h>
#include <set>

#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/test_folder.hpp"

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

const PointRules decoders = {
    .kind = "decode", .operations = {stage::Operation::decode}, .multiprocessors = multiprocessors};
const PointRules encoders = {
    .kind = "encode", .operations = {stage::Operation::encode}, .multiprocessors = multiprocessors};
const PointRules ranges = {
    .kind = "ranges", .operations = {stage::Operation::ranges}, .multiprocessors = multiprocessors};

PointList parse(const Json& document, const PointRules& rules = decoders) {
  return parse_points(document, rules, "points.json");
}

// What is wrong with a document.
std::string message_of(const Json& document, const PointRules& rules) {
  try {
    parse(document, rules);
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

void expect_error(const Json& point, const std::string& message) {
  const std::string found = message_of(Json::array({blocks_point(), point}), decoders);
  EXPECT_NE(found.find("points.json: point 2: " + message), std::string::npos) << found;
}

TEST(PointsFile, SaysHowTheTextIsEncoded) {
  Json point = blocks_point();
  EXPECT_EQ(parse(Json::array({point})).points.at(0).input.code_bits, 0u);
  point["code_bits"] = 12U;
  point["level"] = 9U;
  const std::vector<Point> points = parse(Json::array({blocks_point(), point})).points;
  EXPECT_EQ(points[1].input.code_bits, 12u);
  EXPECT_EQ(points[1].input.level, 9u);
  EXPECT_NE(points[0].input, points[1].input);
  EXPECT_FALSE(points[1].input.parse.has_value());
  point["parse"] = "optimal";
  point["codes_per_lane"] = 24U;
  const Point with_parse = parse(Json::array({point})).points.at(0);
  EXPECT_EQ(with_parse.input.parse, reference::Parse::optimal);
  EXPECT_EQ(with_parse.input.codes_per_lane, 24u);
  EXPECT_NE(points[1].input, with_parse.input);
  EXPECT_EQ(parse(Json::array({point_to_json(with_parse)})).points.at(0).input.parse,
            reference::Parse::optimal);
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
  EXPECT_EQ(points[0].input, points[1].input);
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
  EXPECT_EQ(points[0].input.blocks, 16u * multiprocessors);
  EXPECT_EQ(points[0].input.splits, 192u);
  EXPECT_EQ(points[0].row, (Json{{"policy", "common"}}));
  EXPECT_EQ(points[1].input.blocks, 1000u);
  // Its format has no splits.
  EXPECT_EQ(points[1].input.splits, 1u);
  EXPECT_EQ(points[1].row, Json::object());
}

TEST(ParsePoints, ReadsAnObjectWithItsTarget) {
  const PointList list = parse({{"target", "gsst_fig_6_1"}, {"points", {blocks_point()}}, {"other", 1}});
  EXPECT_EQ(list.target, "gsst_fig_6_1");
  EXPECT_EQ(list.points.size(), 1u);
  EXPECT_TRUE(list.candidates.empty());
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
  expect_error(point, "there is no stage 'gsst/none' that decodes");
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
  const std::vector<std::filesystem::path> paths = {"/absent/points.json"};
  EXPECT_THROW(read_points(paths, decoders), InputError);
}

using ReadPointsFiles = FolderTest;

TEST_F(ReadPointsFiles, JoinThemUnderTheFirstTargetThatOneNames) {
  const std::vector<std::filesystem::path> paths = {folder() / "list.json", folder() / "a.json",
                                                    folder() / "b.json"};
  std::ofstream(paths[0]) << Json::array({splits_point()});
  std::ofstream(paths[1]) << Json{{"target", "a"}, {"points", {blocks_point()}}};
  std::ofstream(paths[2]) << Json{{"target", "b"}, {"points", Json::array()}};
  const PointList list = read_points(paths, decoders);
  EXPECT_EQ(list.target, "a");
  ASSERT_EQ(list.points.size(), 2u);
  EXPECT_EQ(list.points[1].input.blocks, 1000u);
  EXPECT_THROW(read_points(std::span(paths).last(1), decoders), InputError);
}

TEST(TargetOf, AnOptionComesBeforeTheFile) {
  EXPECT_EQ(target_of({.target = "file"}, "option"), "option");
  EXPECT_EQ(target_of({.target = "file"}, ""), "file");
  EXPECT_THROW(target_of({}, ""), InputError);
}

TEST(GroupByInput, PutsPointsWithOneInputTogetherInTheirOrder) {
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
  EXPECT_EQ(group_by_input(points), (std::vector<std::vector<std::size_t>>{{0, 3, 5}, {1}, {2}, {4}}));
}

TEST(ParsePoints, CandidatesOfSeveralStagesAreInOneFile) {
  const PointList list = parse({{"points", Json::array()}, {"candidates", {splits_point(), blocks_point()}}});
  EXPECT_TRUE(list.points.empty());
  ASSERT_EQ(list.candidates.size(), 2u);
  EXPECT_EQ(list.candidates[1].id, "gsst/01_blocks");
  EXPECT_EQ(message_of({{"points", Json::array()}, {"candidates", {Json(3)}}}, decoders),
            "points.json: candidate 1: must be an object");
}

TEST(ParsePoints, RefusesAFileOfAnotherKind) {
  const Json document = {{"kind", "encode"}, {"points", {blocks_point()}}};
  EXPECT_EQ(message_of(document, decoders), "points.json: holds points of kind encode, not decode");
}

TEST(ParsePoints, RefusesAStageWithoutTheOperation) {
  EXPECT_EQ(message_of(Json::array({blocks_point()}), encoders),
            "points.json: point 1: there is no stage 'gsst/01_blocks' that encodes");
  const PointRules both = {.kind = "memory",
                           .operations = {stage::Operation::decode, stage::Operation::encode},
                           .multiprocessors = multiprocessors};
  EXPECT_EQ(message_of(Json::array({blocks_point()}), both), "no error");
  EXPECT_NE(message_of(Json::array({{{"stage", "gsst/none"}}}), both).find("decodes or encodes"),
            std::string::npos);
  EXPECT_NE(message_of(Json::array({blocks_point()}), ranges).find("that decodes ranges"), std::string::npos);
}

const char* const encoder_text = R"({"stage": "gsst/08_gpu_encoder", "variant": "naive",
  "parameters": {"step": 1}, "block_bytes": 524288, "splits": 128, "blocks_per_table": 16,
  "row": {"policy": "common"}})";

Json encoder_with(const char* key, const Json& value) {
  Json point = Json::parse(encoder_text);
  point[key] = value;
  return Json::array({point});
}

TEST(EncoderPoints, HoldsAllThatIsMeasured) {
  const std::vector<Point> points =
      parse({{"target", "encoder_ladder"}, {"points", Json::array({Json::parse(encoder_text)})}}, encoders)
          .points;
  ASSERT_EQ(points.size(), 1u);
  const Point& point = points.front();
  EXPECT_EQ(point.stage->description.id, "gsst/08_gpu_encoder");
  EXPECT_EQ(point.variant, "naive");
  EXPECT_EQ(point.input.block_bytes, 524288u);
  EXPECT_EQ(point.input.splits, 128u);
  EXPECT_EQ(point.input.blocks_per_table, 16u);
  EXPECT_EQ(point.row, Json({{"policy", "common"}}));
  const Json parameters = encode_parameters(point);
  EXPECT_EQ(parameters.at("step"), 1);
  EXPECT_EQ(parameters.at("hash_entries"), 128);
  EXPECT_EQ(parameters.at("blocks_per_table"), 16);
}

TEST(EncoderPoints, DifferentPointsAreKeptApart) {
  std::set<std::string> texts;
  const auto add = [&](const Json& points) {
    texts.insert(point_to_json(parse(points, encoders).points.front()).dump());
  };
  add(Json::array({Json::parse(encoder_text)}));
  add(encoder_with("variant", "packed"));
  add(encoder_with("parameters", {{"step", 2}}));
  add(encoder_with("block_bytes", 65536u));
  add(encoder_with("splits", 64u));
  add(encoder_with("blocks_per_table", 2u));
  add(encoder_with("row", {{"policy", "other"}}));
  EXPECT_EQ(texts.size(), 7u);
}

TEST(EncoderPoints, SaysHowTilesAreMade) {
  Json point = {
      {"stage", "gsst/10_wide_encoder"}, {"block_bytes", 524288u}, {"splits", 1u}, {"code_bits", 12u}};
  const std::vector<Point> points = parse(Json::array({point}), encoders).points;
  EXPECT_EQ(encode_settings(points.front(), 0).tiles,
            (format::TileShape{.code_bits = 12, .codes_per_lane = 32}));
  EXPECT_EQ(encode_parameters(points.front()).at("code_bits"), 12);
  point["code_bits"] = 9u;
  EXPECT_NE(message_of(Json::array({point}), encoders).find("9 bits"), std::string::npos);
  point["stage"] = "gsst/08_gpu_encoder";
  EXPECT_EQ(message_of(Json::array({point}), encoders),
            "points.json: point 1: stage 'gsst/08_gpu_encoder' does not write format tiles");
}

TEST(EncoderPoints, SaysWhatIsWrongWithWhichPoint) {
  EXPECT_EQ(message_of(encoder_with("variant", "packed"), encoders), "no error");
  EXPECT_EQ(message_of(Json::array(), encoders), "no error");
  EXPECT_EQ(message_of(encoder_with("blocks", 3), encoders), "points.json: point 1: unknown key 'blocks'");
  EXPECT_EQ(message_of(encoder_with("splits", -1), encoders),
            "points.json: point 1: 'splits' must be a whole number");
  EXPECT_EQ(message_of(encoder_with("stage", "gsst/07_tuned"), encoders),
            "points.json: point 1: there is no stage 'gsst/07_tuned' that encodes");
  EXPECT_NE(message_of(encoder_with("splits", 100000u), encoders).find("number of splits is 100000"),
            std::string::npos);
  EXPECT_NE(message_of(encoder_with("parameters", {{"step", 77}}), encoders).find("'step'"),
            std::string::npos);
  Json without_splits = Json::array({Json::parse(encoder_text)});
  without_splits[0].erase("splits");
  EXPECT_EQ(message_of(without_splits, encoders), "points.json: point 1: 'splits' is missing");
}

Json ranges_point() {
  return Json::parse(R"({"stage": "gsst/11_random_access", "format": "tiles", "code_bits": 12, "on_cpu": true,
    "ranges": {"pattern": "clustered", "selectivity": 0.5, "range_bytes": 32}})");
}

TEST(RangesPoints, HoldWhatTheFileSays) {
  Json splits = ranges_point();
  splits["format"] = "splits";
  splits["splits"] = 64u;
  splits.erase("code_bits");
  splits.erase("on_cpu");
  Json short_strips = ranges_point();
  short_strips["short_strips"] = true;
  const std::vector<Point> points = parse(Json::array({ranges_point(), splits, short_strips}), ranges).points;
  ASSERT_EQ(points.size(), 3u);
  EXPECT_EQ(points[0].input.strip_codes, 0u);
  EXPECT_EQ(points[2].input.strip_codes, short_strip_codes);
  EXPECT_EQ(points[0].input.format, format::BlockFormat::tiles);
  EXPECT_EQ(points[0].input.code_bits, 12u);
  EXPECT_TRUE(points[0].on_cpu);
  EXPECT_EQ(points[1].input.splits, 64u);
  EXPECT_FALSE(points[1].on_cpu);
  ASSERT_TRUE(points[0].ranges.has_value());
  EXPECT_EQ(points[0].ranges->pattern, RangePattern::clustered);
  EXPECT_EQ(points[0].ranges->selectivity, 0.5);
  EXPECT_EQ(points[0].ranges->range_bytes, 32u);
  EXPECT_EQ(compress_options(points[0].input, 1000).block_bytes, reference::CompressOptions().block_bytes);
}

TEST(RangesPoints, WhatCannotBeMeasuredIsRefused) {
  const std::vector<std::pair<const char*, const char*>> changes = {
      {"format", R"("blocks")"},
      {"code_bits", "null"},
      {"ranges", "null"},
      {"ranges", R"({"pattern": "elsewhere", "selectivity": 1, "range_bytes": 32})"},
      {"ranges", R"({"pattern": "clustered", "selectivity": 0, "range_bytes": 32})"},
      {"ranges", R"({"pattern": "clustered", "selectivity": 1.5, "range_bytes": 32})"},
      {"ranges", R"({"pattern": "clustered", "selectivity": 1, "range_bytes": 0})"},
      {"ranges", R"({"pattern": "clustered", "selectivity": 1})"}};
  for (const auto& [key, value] : changes) {
    Json point = ranges_point();
    point[key] = Json::parse(value);
    EXPECT_THROW(parse(Json::array({point}), ranges), InputError) << key << " " << value;
  }
  Json with_parameter = ranges_point();
  with_parameter["parameters"] = {{"step", 1}};
  EXPECT_THROW(parse(Json::array({with_parameter}), ranges), std::invalid_argument);
  EXPECT_THROW(parse(Json::array({ranges_point()}), decoders), InputError);
}

}  // namespace
}  // namespace gsst::experiments
