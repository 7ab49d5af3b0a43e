#include "experiments/measure_encode/encode_points.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const char* const point_text = R"({"stage": "gsst/08_gpu_encoder", "variant": "naive",
  "parameters": {"step": 1}, "block_bytes": 524288, "splits": 128, "blocks_per_table": 16,
  "row": {"policy": "common"}})";

Json point_with(const char* key, const Json& value) {
  Json point = Json::parse(point_text);
  point[key] = value;
  return Json::array({point});
}

std::string message_of(const Json& document) {
  try {
    parse_encode_points(document, "here");
  } catch (const InputError& error) {
    return error.what();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(EncodePoints, HoldsAllThatIsMeasured) {
  const std::vector<EncodePoint> points = parse_encode_points(
      {{"target", "encoder_ladder"}, {"points", Json::array({Json::parse(point_text)})}}, "here");
  ASSERT_EQ(points.size(), 1u);
  const EncodePoint& point = points.front();
  EXPECT_EQ(point.stage->description.id, "gsst/08_gpu_encoder");
  EXPECT_EQ(point.variant, "naive");
  EXPECT_EQ(point.settings.block_bytes, 524288u);
  EXPECT_EQ(point.settings.split_count, 128u);
  EXPECT_EQ(point.settings.blocks_per_table, 16u);
  EXPECT_EQ(point.row, Json({{"policy", "common"}}));
  const Json parameters = parameters_of(point);
  EXPECT_EQ(parameters.at("step"), 1);
  EXPECT_EQ(parameters.at("hash_entries"), 128);
  EXPECT_EQ(parameters.at("blocks_per_table"), 16);
}

TEST(EncodePoints, DifferentPointsAreKeptApart) {
  std::set<std::string> texts;
  const auto add = [&](const Json& points) {
    texts.insert(point_to_json(parse_encode_points(points, "here").front()).dump());
  };
  add(Json::array({Json::parse(point_text)}));
  add(point_with("variant", "packed"));
  add(point_with("parameters", {{"step", 2}}));
  add(point_with("block_bytes", 65536u));
  add(point_with("splits", 64u));
  add(point_with("blocks_per_table", 2u));
  add(point_with("row", {{"policy", "other"}}));
  EXPECT_EQ(texts.size(), 7u);
}

TEST(EncodePoints, SaysHowTilesAreMade) {
  Json point = {
      {"stage", "gsst/10_wide_encoder"}, {"block_bytes", 524288u}, {"splits", 1u}, {"code_bits", 12u}};
  const std::vector<EncodePoint> points = parse_encode_points(Json::array({point}), "here");
  EXPECT_EQ(points.front().settings.tiles, (format::TileShape{.code_bits = 12, .codes_per_lane = 32}));
  EXPECT_EQ(parameters_of(points.front()).at("code_bits"), 12);
  point["code_bits"] = 9u;
  EXPECT_NE(message_of(Json::array({point})).find("9 bits"), std::string::npos);
  point["stage"] = "gsst/08_gpu_encoder";
  EXPECT_EQ(message_of(Json::array({point})),
            "here: point 1: stage 'gsst/08_gpu_encoder' does not write format tiles");
}

TEST(EncodePoints, SaysWhatIsWrongWithWhichPoint) {
  EXPECT_EQ(message_of(point_with("variant", "packed")), "no error");
  EXPECT_EQ(message_of(Json::array()), "here: must be a list of points, or hold one in 'points'");
  EXPECT_EQ(message_of(point_with("blocks", 3)), "here: point 1: unknown key 'blocks'");
  EXPECT_EQ(message_of(point_with("splits", -1)), "here: point 1: 'splits' must be a whole number");
  EXPECT_EQ(message_of(point_with("stage", "gsst/07_tuned")),
            "here: point 1: there is no encoder stage 'gsst/07_tuned'");
  EXPECT_NE(message_of(point_with("splits", 100000u)).find("number of splits is 100000"), std::string::npos);
  EXPECT_NE(message_of(point_with("parameters", {{"step", 77}})).find("'step'"), std::string::npos);
  Json without_splits = Json::array({Json::parse(point_text)});
  without_splits[0].erase("splits");
  EXPECT_EQ(message_of(without_splits), "here: point 1: 'splits' is missing");
}

}  // namespace
}  // namespace gsst::experiments
