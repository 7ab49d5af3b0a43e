#include "experiments/measure_overlap/grid.hpp"

#include <gtest/gtest.h>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

std::string message_of(const char* document) {
  try {
    parse_grid(Json::parse(document), "points.json");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

TEST(OverlapGrid, HoldsBatchesAndInterconnects) {
  const OverlapGrid grid =
      parse_grid(Json::parse(R"({"batches": [1, 64], "interconnects": [null, 5.5]})"), "points.json");
  EXPECT_EQ(grid.batches, (std::vector<std::uint64_t>{1, 64}));
  EXPECT_EQ(grid.interconnects, (std::vector<std::optional<double>>{std::nullopt, 5.5}));
}

TEST(OverlapGrid, NamesWhatIsWrong) {
  EXPECT_EQ(message_of(R"([])"), "points.json: 'batches' must be a list that is not empty");
  EXPECT_EQ(message_of(R"({"batches": [], "interconnects": [1]})"),
            "points.json: 'batches' must be a list that is not empty");
  EXPECT_EQ(message_of(R"({"batches": [1]})"),
            "points.json: 'interconnects' must be a list that is not empty");
  EXPECT_EQ(message_of(R"({"batches": [0], "interconnects": [1]})"),
            "points.json: 'batches' holds 0, not a number of batches");
  EXPECT_EQ(message_of(R"({"batches": [1], "interconnects": [-1]})"),
            "points.json: 'interconnects' holds -1, neither GB/s nor null");
}

}  // namespace
}  // namespace gsst::experiments
