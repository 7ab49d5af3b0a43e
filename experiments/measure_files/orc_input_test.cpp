#include "experiments/measure_files/orc_input.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "common/frame/checksum.hpp"
#include "experiments/measure/shared/error.hpp"
#include "stages/codag/orc/golden_orc_files.hpp"

// On the files of data/golden/codag/orc/, which pyarrow has written.
namespace gsst::experiments {
namespace {

using codag::orc::bytes_of_orc_file;
using Json = nlohmann::ordered_json;

TEST(OrcInput, HasTheValuesThatPyarrowReads) {
  const std::string name = "two_chunks.orc";
  const OrcInput input = read_orc_input(bytes_of_orc_file(name));
  const nlohmann::json files = codag::orc::listed_orc_files();
  const auto listed =
      std::ranges::find_if(files, [&](const auto& entry) { return entry.at("file") == name; });
  ASSERT_NE(listed, files.end());
  const nlohmann::json& column = listed->at("columns").at(0);
  EXPECT_EQ(format::checksum(format::ChecksumKind::xxh64, input.values),
            std::stoull(column.at("xxh64").get<std::string>(), nullptr, 16));
}

TEST(OrcInput, SaysHowTheFileIsStored) {
  const Json keys = orc_in_rows(read_orc_input(bytes_of_orc_file("two_chunks.orc")).column);
  EXPECT_EQ(keys.at("compression"), "zlib");
  EXPECT_EQ(keys.at("coding"), "v1");
  EXPECT_EQ(keys.at("stripes"), 1);
  EXPECT_EQ(keys.at("row_groups"), 5);
  EXPECT_EQ(keys.at("row_group_rows"), 3'000);
}

TEST(OrcInput, CountsRowGroupsOfAllStripes) {
  const codag::orc::OrcStripe with_index = {
      .rows = 25,
      .coding = codag::orc::OrcCoding::run_lengths_v1,
      .dictionary_entries = 0,
      .present = {},
      .data = {},
      .row_groups = {{.rows = 10, .present = {}, .data = {}}, {.rows = 15, .present = {}, .data = {}}}};
  codag::orc::OrcStripe without_index = with_index;
  without_index.rows = 40;
  without_index.row_groups.clear();
  const codag::orc::OrcColumn column = {.name = "c",
                                        .values = codag::orc::OrcValues::int64,
                                        .compression = codag::orc::OrcCompression::none,
                                        .chunk_bytes = 0,
                                        .rows = 65,
                                        .stripes = {with_index, without_index}};
  EXPECT_EQ(orc_in_rows(column), (Json{{"compression", "none"},
                                       {"coding", "v1"},
                                       {"stripes", 2},
                                       {"row_groups", 3},
                                       {"row_group_rows", 40}}));
}

// The message of read_orc_input(); empty if it takes the file.
std::string refusal_of_orc(const std::string& name) {
  try {
    read_orc_input(bytes_of_orc_file(name));
    return "";
  } catch (const InputError& error) {
    return error.what();
  }
}

TEST(OrcInput, RefusesWhatIsNotMeasured) {
  EXPECT_EQ(refusal_of_orc("no_rows.orc"), "column 'c' has no rows");
  EXPECT_EQ(refusal_of_orc("small_v12_zlib.orc"), "column 'c' may have nulls");
  EXPECT_THROW(read_orc_input(bytes_of_orc_file("v12_zlib.orc")), codag::orc::OrcError);
}

TEST(OrcInput, KnowsFilesByTheirFirstBytes) {
  EXPECT_TRUE(is_orc_file(bytes_of_orc_file("two_chunks.orc")));
  EXPECT_FALSE(is_orc_file(std::vector<std::uint8_t>{'O', 'R'}));
  EXPECT_FALSE(is_orc_file(std::vector<std::uint8_t>{'P', 'A', 'R', '1'}));
}

}  // namespace
}  // namespace gsst::experiments
