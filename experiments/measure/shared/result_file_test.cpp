#include "experiments/measure/shared/result_file.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/test_folder.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

Environment environment() {
  return {.gpu = "NVIDIA H200",
          .driver = "580",
          .cuda = "13.0",
          .clocks = "SM 1980 MHz",
          .ecc = nullptr,
          .cpu = "cpu",
          .compiler = "nvcc",
          .flags = "-O3",
          .commit = std::string(40, 'a'),
          .dirty = false,
          .date = "2026-01-31T12:00:00Z",
          .command = "gsst_measure"};
}

std::set<std::string> keys(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// Those of `names`, and `added`, which whoever runs the program adds.
std::set<std::string> with(std::set<std::string> names, const std::set<std::string>& added) {
  names.insert(added.begin(), added.end());
  return names;
}

TEST(MakeResult, HasTheKeysOfTheSchemaButThoseThatAreAddedLater) {
  std::ifstream file("experiments/schemas/result.schema.json");
  ASSERT_TRUE(file) << "tests run in the root of the repository";
  const Json schema = Json::parse(file);
  const Json result = make_result("gsst_fig_6_1", environment(), std::string(64, 'b'), {});
  EXPECT_EQ(with(keys(result), {"timing", "carried"}), keys(schema.at("properties")));
  EXPECT_EQ(with(keys(result.at("environment")), {"load"}),
            keys(schema.at("$defs").at("environment").at("properties")));
  EXPECT_EQ(result.at("schema"), 1);
  EXPECT_EQ(result.at("rows"), Json::array());
  EXPECT_EQ(result.at("environment").at("driver"), "580");
}

using WriteDocument = FolderTest;

TEST_F(WriteDocument, ReplacesTheFileAndLeavesNoOther) {
  const std::filesystem::path path = folder() / "result.json";
  std::ofstream(path) << "old";
  write_document({{"a", 1}}, path);
  EXPECT_EQ(Json::parse(std::ifstream(path)), (Json{{"a", 1}}));
  EXPECT_EQ(file_names(), std::vector<std::string>{"result.json"});
}

TEST_F(WriteDocument, FolderThatIsNotThereIsAnErrorNamingThePath) {
  try {
    write_document({}, folder() / "absent" / "result.json");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("absent/result.json"), std::string::npos) << error.what();
  }
}

TEST_F(WriteDocument, AnErrorLeavesNoTemporaryFile) {
  const std::filesystem::path path = folder() / "result.json";
  std::filesystem::create_directories(path / "in_the_way");
  EXPECT_THROW(write_document({}, path), InputError);
  EXPECT_EQ(file_names(), std::vector<std::string>{"result.json"});
}

}  // namespace
}  // namespace gsst::experiments
