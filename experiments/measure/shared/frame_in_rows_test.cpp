#include "experiments/measure/shared/frame_in_rows.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "reference_cpu/test_inputs.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// In the order in which rows have the keys.
std::string keys_of(const Input& input, const std::vector<std::uint8_t>& text) {
  return frame_in_rows(input, make_frame(input, text)).dump();
}

TEST(FrameInRows, SaysHowTilesWereMade) {
  const std::vector<std::uint8_t> text = reference::test::make_text(100'000, 9);
  Input input = {.format = format::BlockFormat::tiles,
                 .blocks = 2,
                 .options = {{"code-bits", 12}, {"codes-per-lane", 24}}};
  EXPECT_EQ(keys_of(input, text),
            R"({"tiles":{"code_bits":12,"codes_per_lane":24,"level":1,"parse":"greedy"}})");
  input.options["parse"] = 1;
  EXPECT_EQ(keys_of(input, text),
            R"({"tiles":{"code_bits":12,"codes_per_lane":24,"level":1,"parse":"optimal"}})");
  input.options = {{"code-bits", 8}, {"codes-per-lane", 32}};
  input.level = 9;
  EXPECT_EQ(keys_of(input, text),
            R"({"tiles":{"code_bits":8,"codes_per_lane":32,"level":9,"parse":"optimal"}})");
}

TEST(FrameInRows, SaysNothingOfBlocksThatAreStoredAsTheyAreAndOfOtherFormats) {
  std::vector<std::uint8_t> noise(5000);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : noise)
    byte = static_cast<std::uint8_t>((state = state * 1664525 + 1013904223) >> 24);
  EXPECT_EQ(keys_of({.format = format::BlockFormat::tiles, .blocks = 1}, noise), "{}");
  EXPECT_EQ(keys_of({.format = format::BlockFormat::splits, .blocks = 1}, noise), "{}");
}

}  // namespace
}  // namespace gsst::experiments
