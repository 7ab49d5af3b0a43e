#include "experiments/measure/shared/sweep_choice.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gsst::experiments {
namespace {

nlohmann::ordered_json row_of(const std::string& stage, const std::string& variant, double throughput) {
  return {{"stage", stage}, {"variant", variant}, {"throughput_gb_per_s", throughput}};
}

TEST(ChooseFastest, TakesOneRowOfEachStageAndVariant) {
  const std::vector<nlohmann::ordered_json> rows = {row_of("a", "", 10), row_of("b", "", 5),
                                                    row_of("a", "", 30), row_of("a", "x", 1),
                                                    row_of("a", "", 20), row_of("b", "", 5)};
  EXPECT_EQ(choose_fastest(rows), (std::vector<std::size_t>{2, 1, 3}));
}

TEST(ChooseFastest, NoRowsNoChoice) {
  EXPECT_TRUE(choose_fastest({}).empty());
}

}  // namespace
}  // namespace gsst::experiments
