#include "experiments/measure/shared/partial_rows.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/test_folder.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const Json key = {{"point", "a"}, {"sources_digest", "1"}};
const Json row = {{"throughput_gb_per_s", 1.5}};

class PartialRowsTest : public FolderTest {
protected:
  static std::filesystem::path output() { return folder() / "out.json"; }
  static std::filesystem::path file() { return folder() / "out.json.partial.jsonl"; }
};

TEST_F(PartialRowsTest, AppendedRowsAreFoundByTheNextRun) {
  PartialRows(output()).append(key, row);
  PartialRows rows(output());
  const Json other_key = {{"point", "b"}, {"sources_digest", "1"}};
  rows.append(other_key, Json{{"throughput_gb_per_s", 2.5}});
  const PartialRows again(output());
  ASSERT_NE(again.find(key), nullptr);
  EXPECT_EQ(*again.find(key), row);
  ASSERT_NE(again.find(other_key), nullptr);
  EXPECT_EQ(again.find(other_key)->at("throughput_gb_per_s"), 2.5);
}

TEST_F(PartialRowsTest, RowOfAnotherKeyDoesNotCount) {
  PartialRows rows(output());
  rows.append(key, row);
  EXPECT_EQ(rows.find({{"point", "a"}, {"sources_digest", "2"}}), nullptr);
}

TEST_F(PartialRowsTest, LineThatAnInterruptionCutIsDroppedAndTheNextOneIsWhole) {
  PartialRows(output()).append(key, row);
  std::ofstream(file(), std::ios::app) << R"({"key": {"point": "b")";
  const Json other_key = {{"point", "c"}};
  {
    PartialRows rows(output());
    EXPECT_NE(rows.find(key), nullptr);
    rows.append(other_key, row);
  }
  const PartialRows again(output());
  EXPECT_NE(again.find(key), nullptr);
  EXPECT_NE(again.find(other_key), nullptr);
}

TEST_F(PartialRowsTest, AnotherFileIsAnErrorNamingIt) {
  std::ofstream(file()) << "not rows\n";
  try {
    const PartialRows rows(output());
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("out.json.partial.jsonl"), std::string::npos) << error.what();
  }
}

TEST_F(PartialRowsTest, RemoveLeavesNothing) {
  PartialRows rows(output());
  rows.append(key, row);
  ASSERT_TRUE(std::filesystem::exists(file()));
  rows.remove();
  EXPECT_FALSE(std::filesystem::exists(file()));
  EXPECT_NO_THROW(rows.remove());
}

}  // namespace
}  // namespace gsst::experiments
