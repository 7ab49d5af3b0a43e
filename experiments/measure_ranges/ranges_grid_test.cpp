#include "experiments/measure_ranges/ranges_grid.hpp"

#include <gtest/gtest.h>

#include "experiments/measure/error.hpp"

namespace gsst::experiments {
namespace {

using RangesJson = nlohmann::ordered_json;

RangesJson a_ranges_document() {
  return RangesJson::parse(R"({
    "points": [{"format": "tiles", "code_bits": 12, "on_cpu": true}, {"format": "splits", "splits": 64},
               {"format": "tiles", "code_bits": 8, "short_strips": true}],
    "patterns": ["clustered"], "selectivities": [0.5, 1], "range_bytes": [32]})");
}

TEST(RangesGrid, HoldsWhatTheFileSays) {
  const RangesGrid grid = parse_ranges_grid(a_ranges_document(), "points.json");
  ASSERT_EQ(grid.frames.size(), 3u);
  EXPECT_EQ(grid.frames[0].options.strip_codes, 0u);
  EXPECT_EQ(grid.frames[2].options.strip_codes, short_strip_codes);
  EXPECT_EQ(grid.frames[0].options.format, format::BlockFormat::tiles);
  EXPECT_EQ(grid.frames[0].options.code_bits, 12u);
  EXPECT_TRUE(grid.frames[0].on_cpu);
  EXPECT_EQ(grid.frames[1].options.split_count, 64u);
  EXPECT_FALSE(grid.frames[1].on_cpu);
  EXPECT_EQ(grid.patterns, std::vector<RangePattern>{RangePattern::clustered});
  EXPECT_EQ(grid.selectivities, (std::vector<double>{0.5, 1}));
  EXPECT_EQ(grid.range_bytes, std::vector<std::uint64_t>{32});
}

TEST(RangesGrid, WhatCannotBeMeasuredIsRefused) {
  const std::vector<std::pair<const char*, const char*>> changes = {{"points", "[]"},
                                                                    {"points", R"([{"format": "blocks"}])"},
                                                                    {"points", R"([{"format": "tiles"}])"},
                                                                    {"patterns", R"(["elsewhere"])"},
                                                                    {"selectivities", "[0]"},
                                                                    {"selectivities", "[1.5]"},
                                                                    {"range_bytes", "[0]"},
                                                                    {"range_bytes", "null"}};
  for (const auto& [key, value] : changes) {
    RangesJson document = a_ranges_document();
    document[key] = RangesJson::parse(value);
    EXPECT_THROW(parse_ranges_grid(document, "points.json"), InputError) << key << " " << value;
  }
}

}  // namespace
}  // namespace gsst::experiments
