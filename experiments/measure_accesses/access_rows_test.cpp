#include "experiments/measure_accesses/access_rows.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const PointRules decoders = {
    .kind = "accesses", .operations = {stage::Operation::decode}, .multiprocessors = 1};

Json rows_of(const Json& points, const std::vector<std::uint8_t>& text) {
  const PointList list = parse_points(points, decoders, "test");
  return access_rows(list.points, text, {.name = "test/bytes", .sha256 = std::string(64, 'a')});
}

// All threads of a warp have splits of the same content, so that they go the same way to the end.
std::vector<std::uint8_t> equal_splits(std::size_t splits) {
  const std::string line = "the quick brown fox jumps over the lazy dog, twice\n";
  std::vector<std::uint8_t> text;
  for (std::size_t i = 0; i < splits; ++i) text.insert(text.end(), line.begin(), line.end());
  return text;
}

TEST(MeasureAccessRows, StoresOfSplitsThatAreEqualAreOfAllLanes) {
  const std::vector<std::uint8_t> text = equal_splits(32);
  const Json rows = rows_of({{{"stage", "gsst/02_splits"},
                              {"block_bytes", text.size()},
                              {"splits", 32U},
                              {"row", {{"policy", "common"}}}}},
                            text);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0]["policy"], "common");
  EXPECT_EQ(rows[0]["operation"], "decode");
  EXPECT_EQ(rows[0]["parameters"]["splits"], 32);
  EXPECT_EQ(rows[0]["uncompressed_bytes"], text.size());
  const Json& stores = rows[0]["accesses"]["global_store"];
  // A byte at a time, each of a split.
  EXPECT_EQ(stores["requests"], text.size() / 32);
  EXPECT_EQ(stores["lanes"], text.size());
  EXPECT_EQ(stores["bytes"], text.size());
  EXPECT_EQ(rows[0]["accesses"]["shared_load"]["requests"], 0);
}

TEST(MeasureAccessRows, PointsOfOneInputAreTogether) {
  const std::vector<std::uint8_t> text = equal_splits(64);
  const auto point = [&](const char* stage, unsigned splits) {
    return Json{{"stage", stage}, {"block_bytes", text.size()}, {"splits", splits}};
  };
  const Json rows = rows_of(
      {point("gsst/02_splits", 32), point("gsst/02_splits", 64), point("gsst/03_shared_memory", 32)}, text);
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[0]["parameters"]["splits"], 32);
  EXPECT_EQ(rows[1]["stage"], "gsst/03_shared_memory");
  EXPECT_GT(rows[1]["accesses"]["shared_load"]["passes"], 0);
  EXPECT_EQ(rows[2]["parameters"]["splits"], 64);
}

}  // namespace
}  // namespace gsst::experiments
