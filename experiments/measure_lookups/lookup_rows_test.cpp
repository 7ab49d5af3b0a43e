#include "experiments/measure_lookups/lookup_rows.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

std::filesystem::path write_input(const std::string& text) {
  std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "lookup_rows_input";
  std::ofstream(path, std::ios::binary) << text;
  return path;
}

TEST(LookupRows, ARowForEachWayOfEachFormatAndOneForFsst) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += i % 7 == 0 ? "\n" : "line number " + std::to_string(i) + "\n";
  const std::size_t string_bytes = text.size() - 3000;
  const auto input = write_input(text + "no line");
  const auto works = lookup_works({.input = input, .block_bytes = 10'000, .level = 1, .repetitions = 2},
                                  {.name = "lines", .sha256 = ""});
  ASSERT_EQ(works.size(), 6u);
  std::set<std::string> seen;
  for (const StudiedWork& work : works) {
    for (const auto& row : work.measure()) {
      EXPECT_EQ(row["uncompressed_bytes"], string_bytes);
      EXPECT_EQ(row["strings"], 3000);
      EXPECT_EQ(row["looked_up_strings"], 3000);
      EXPECT_EQ(row["seconds"]["repetitions"], 2);
      EXPECT_GT(row["microseconds_each"], 0.0);
      const std::string variant = row["variant"];
      EXPECT_EQ(row.contains("first_microseconds"), variant == "one string");
      seen.insert(row["format"].get<std::string>() + " " + variant);
    }
  }
  EXPECT_EQ(seen.size(), 16u);
  std::filesystem::remove(input);
}

TEST(LookupRows, RefusesWhatItCannotMeasure) {
  EXPECT_THROW(lookup_works({.input = "no such file"}, {}), InputError);
  const auto input = write_input("no line");
  EXPECT_THROW(lookup_works({.input = input}, {}), InputError);
  std::filesystem::remove(input);
}

}  // namespace
}  // namespace gsst::experiments
