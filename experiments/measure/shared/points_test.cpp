#include "experiments/measure/shared/points.hpp"

#include <gtest/gtest.h>
#include <set>

#include <filesystem>
#include <fstream>
#include <span>
#include <stdexcept>

#include "common/frame/frame.hpp"
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

Json tiles_point() {
  return Json::parse(R"({"stage": "gsst/09_warp_tiles", "blocks": 1000})");
}

TEST(PointsFile, SaysHowTheTextIsEncoded) {
  Json point = tiles_point();
  EXPECT_TRUE(parse(Json::array({point})).points.at(0).input.options.empty());
  point["code_bits"] = 12U;
  point["level"] = 9U;
  const std::vector<Point> points = parse(Json::array({tiles_point(), point})).points;
  EXPECT_EQ(points[1].input.options, (format::CodecOptions{{"code-bits", 12}}));
  EXPECT_EQ(points[1].input.level, 9u);
  EXPECT_NE(points[0].input, points[1].input);
  point["parse"] = "optimal";
  point["codes_per_lane"] = 24U;
  point["checksum"] = "xxh64-tree";
  const Point with_parse = parse(Json::array({point})).points.at(0);
  EXPECT_EQ(with_parse.input.options,
            (format::CodecOptions{{"code-bits", 12}, {"codes-per-lane", 24}, {"parse", 1}}));
  EXPECT_EQ(with_parse.input.checksum, format::ChecksumKind::xxh64_tree);
  EXPECT_NE(points[1].input, with_parse.input);
  EXPECT_EQ(point_to_json(with_parse).at("parse"), "optimal");
  EXPECT_EQ(parse(Json::array({point_to_json(with_parse)})).points.at(0).input, with_parse.input);
  point["parse"] = "fast";
  expect_error(point, "'parse' must be greedy or optimal");
  point.erase("parse");
  point["code_bits"] = 9U;
  expect_error(point, "'code_bits' is 9, allowed are 8, 10 or 12");
  point.erase("code_bits");
  point["checksum"] = "crc";
  expect_error(point, "'checksum' must be xxh64 or xxh64-tree");
  point.erase("checksum");
  point["level"] = "nine";
  expect_error(point, "'level' is out of range");
  point["level"] = 0U;
  expect_error(point, "'level' is out of range");
}

TEST(PointsFile, OptionsThatTheCodecRefusesTogetherAreRefused) {
  Json point = tiles_point();
  point["strip_codes"] = 512U;
  point["codes_per_lane"] = 32U;
  EXPECT_NE(message_of(Json::array({point}), decoders).find("--strip-codes: 512"), std::string::npos);
}

TEST(PointsFile, OptionsOfOtherFormatsAreRefusedButTheOneSplitThatRowsHave) {
  Json point = blocks_point();
  point["code_bits"] = 8U;
  expect_error(point, "unknown key 'code_bits' for format blocks");
  point.erase("code_bits");
  point["splits"] = 1U;
  EXPECT_TRUE(parse(Json::array({point})).points.at(0).input.options.empty());
  point["splits"] = 2U;
  expect_error(point, "unknown key 'splits' for format blocks");
}

TEST(PointsFile, BlocksAreSaidByTheirNumberOrTheirSize) {
  Json point = blocks_point();
  point["block_bytes"] = 4096U;
  expect_error(point, "either 'blocks' or 'block_bytes' must be there");
  point.erase("blocks");
  EXPECT_EQ(encode_settings(parse(Json::array({point})).points.at(0).input, 100'000).block_bytes, 4096u);
  point.erase("block_bytes");
  expect_error(point, "either 'blocks' or 'block_bytes' must be there");
  EXPECT_EQ(encode_settings(parse(Json::array({blocks_point()})).points.at(0).input, 100'000).block_bytes,
            100u);
}

TEST(PointsFile, ATextIsEncodedAsTheInputSays) {
  const std::vector<std::uint8_t> text(5000, 'a');
  const Json splits =
      Json::parse(R"({"stage": "gsst/02_splits", "blocks": 10, "splits": 3, "checksum": "xxh64-tree"})");
  const std::vector<std::uint8_t> frame = make_frame(parse(Json::array({splits})).points.at(0).input, text);
  EXPECT_EQ(format::parse_frame_header(frame),
            (format::FrameHeader{.format = format::BlockFormat::splits,
                                 .block_size = 500,
                                 .split_count = 3,
                                 .checksum_kind = format::ChecksumKind::xxh64_tree}));
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
  EXPECT_EQ(points[0].input.options, (format::CodecOptions{{"splits", 192}}));
  EXPECT_EQ(points[0].row, (Json{{"policy", "common"}}));
  EXPECT_EQ(points[1].input.blocks, 1000u);
  EXPECT_TRUE(points[1].input.options.empty());
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
  point["splits"] = 0u;
  expect_error(point, "'splits' is 0, allowed are 1 to 65536");
  point["splits"] = "recommended";
  expect_error(point, "'splits': the stage recommends nothing");
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
  EXPECT_EQ(point.input.format, format::BlockFormat::splits);
  EXPECT_EQ(point.input.options, (format::CodecOptions{{"splits", 128}, {"blocks-per-table", 16}}));
  EXPECT_EQ(point.row, Json({{"policy", "common"}}));
  const Json parameters = encode_parameters(point);
  EXPECT_EQ(parameters.at("step"), 1);
  EXPECT_EQ(parameters.at("hash_entries"), 128);
  std::vector<std::string> names;
  for (const auto& [name, value] : parameters.items()) names.push_back(name);
  EXPECT_EQ(std::vector(names.end() - 3, names.end()),
            (std::vector<std::string>{"block_bytes", "splits", "blocks_per_table"}));
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
  EXPECT_EQ(points.front().input.format, format::BlockFormat::tiles);
  const Json parameters = encode_parameters(points.front());
  EXPECT_EQ(parameters.at("code_bits"), 12);
  EXPECT_EQ(parameters.at("codes_per_lane"), 32);
  EXPECT_EQ(parameters.at("splits"), 1);
  EXPECT_EQ(parameters.at("blocks_per_table"), 1);
  const Json written = point_to_json(points.front());
  EXPECT_EQ(written.at("format"), "tiles");
  EXPECT_EQ(parse(Json::array({written}), encoders).points.front().input, points.front().input);
  point["parse"] = "optimal";
  EXPECT_EQ(message_of(Json::array({point}), encoders), "stage gsst/10_wide_encoder: has no option parse");
  point.erase("parse");
  point["stage"] = "gsst/08_gpu_encoder";
  EXPECT_EQ(message_of(Json::array({point}), encoders),
            "points.json: point 1: unknown key 'code_bits' for format splits");
  point["format"] = "tiles";
  EXPECT_EQ(message_of(Json::array({point}), encoders), "points.json: point 1: 'format' must be splits");
}

TEST(EncoderPoints, SaysWhatIsWrongWithWhichPoint) {
  EXPECT_EQ(message_of(encoder_with("variant", "packed"), encoders), "no error");
  EXPECT_EQ(message_of(Json::array(), encoders), "no error");
  EXPECT_EQ(message_of(encoder_with("blocks", 3), encoders),
            "points.json: point 1: unknown key 'blocks' for format splits");
  EXPECT_EQ(message_of(encoder_with("splits", -1), encoders),
            "points.json: point 1: 'splits' must be a whole number");
  EXPECT_EQ(message_of(encoder_with("stage", "gsst/07_tuned"), encoders),
            "points.json: point 1: there is no stage 'gsst/07_tuned' that encodes");
  EXPECT_EQ(message_of(encoder_with("splits", 100000u), encoders),
            "points.json: point 1: 'splits' is 100000, allowed are 1 to 65536");
  EXPECT_NE(message_of(encoder_with("blocks_per_table", 0u), encoders).find("blocks per table is 0"),
            std::string::npos);
  EXPECT_NE(message_of(encoder_with("blocks_per_table", std::uint64_t{1} << 32), encoders)
                .find("blocks-per-table is too large"),
            std::string::npos);
  EXPECT_NE(message_of(encoder_with("parameters", {{"step", 77}}), encoders).find("'step'"),
            std::string::npos);
  Json without_size = Json::array({Json::parse(encoder_text)});
  without_size[0].erase("block_bytes");
  EXPECT_EQ(message_of(without_size, encoders), "points.json: point 1: 'block_bytes' is missing");
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
  const std::vector<Point> points = parse(Json::array({ranges_point(), splits}), ranges).points;
  ASSERT_EQ(points.size(), 2u);
  EXPECT_EQ(points[0].input.format, format::BlockFormat::tiles);
  EXPECT_EQ(points[0].input.options, (format::CodecOptions{{"code-bits", 12}}));
  EXPECT_TRUE(points[0].on_cpu);
  EXPECT_EQ(points[1].input.options, (format::CodecOptions{{"splits", 64}}));
  EXPECT_FALSE(points[1].on_cpu);
  ASSERT_TRUE(points[0].ranges.has_value());
  EXPECT_EQ(points[0].ranges->pattern, RangePattern::clustered);
  EXPECT_EQ(points[0].ranges->selectivity, 0.5);
  EXPECT_EQ(points[0].ranges->range_bytes, 32u);
  EXPECT_EQ(encode_settings(points[0].input, 1000).block_bytes, format::EncodeSettings().block_bytes);
  const Json written = point_to_json(points[0]);
  EXPECT_EQ(point_to_json(parse(Json::array({written}), ranges).points.front()), written);
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
