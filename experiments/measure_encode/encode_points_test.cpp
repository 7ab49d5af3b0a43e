#include "experiments/measure_encode/encode_points.hpp"

#include <gtest/gtest.h>

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
