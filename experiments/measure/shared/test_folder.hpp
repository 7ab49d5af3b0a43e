#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace gsst::experiments {

/// An empty folder for each test, removed at its end.
class FolderTest : public testing::Test {
protected:
  void SetUp() override {
    std::filesystem::remove_all(folder());
    std::filesystem::create_directories(folder());
  }
  void TearDown() override { std::filesystem::remove_all(folder()); }

  static std::filesystem::path folder() {
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    return std::filesystem::path(testing::TempDir()) / test.test_suite_name() / test.name();
  }

  /// Names of what the folder holds.
  static std::vector<std::string> file_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder())) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }
};

}  // namespace gsst::experiments
