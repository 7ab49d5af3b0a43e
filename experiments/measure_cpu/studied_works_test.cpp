#include "experiments/measure_cpu/studied_works.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "experiments/measure/shared/test_folder.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

const Json settings = {{"repetitions", 3}};

Json studied_row(const std::string& name) {
  return {{"stage", name}, {"variant", ""}, {"parameters", Json::object()}, {"throughput_gb_per_s", nullptr}};
}

class StudiedWorks : public FolderTest {
protected:
  // A work of two rows, which notes when it is measured and how many works are kept by then.
  StudiedWork work(const std::string& name) {
    return {.key = {{"name", name}}, .measure = [this, name] {
              measured_.push_back(name + " after " + std::to_string(kept()));
              if (name == failing_) throw std::runtime_error(name);
              return std::vector{studied_row(name), studied_row(name + " again")};
            }};
  }

  void measure(const Json& with = settings) {
    measured_.clear();
    const std::vector<StudiedWork> works = {work("a"), work("b"), work("c")};
    measure_works(works, with, output());
  }

  static std::size_t kept() {
    std::ifstream file(folder() / "rows.json.partial.jsonl");
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    return lines;
  }

  static std::filesystem::path output() { return folder() / "rows.json"; }
  static Json written() { return Json::parse(std::ifstream(output())); }

  std::vector<std::string> measured_;
  std::string failing_;
};

TEST_F(StudiedWorks, EachIsKeptBeforeTheNextIsMeasured) {
  measure();
  EXPECT_EQ(measured_, (std::vector<std::string>{"a after 0", "b after 1", "c after 2"}));
  EXPECT_EQ(written(), (Json{studied_row("a"), studied_row("a again"), studied_row("b"),
                             studied_row("b again"), studied_row("c"), studied_row("c again")}));
  EXPECT_EQ(file_names(), std::vector<std::string>{"rows.json"});
}

TEST_F(StudiedWorks, WhatAnInterruptedRunHasFinishedIsNotMeasuredAgain) {
  failing_ = "c";
  EXPECT_THROW(measure(), std::runtime_error);
  EXPECT_FALSE(std::filesystem::exists(output()));
  failing_.clear();
  measure();
  EXPECT_EQ(measured_, std::vector<std::string>{"c after 2"});
  EXPECT_EQ(written().size(), 6u);
}

TEST_F(StudiedWorks, UnderOtherSettingsAllAreMeasuredAgain) {
  failing_ = "b";
  EXPECT_THROW(measure(), std::runtime_error);
  failing_.clear();
  measure({{"repetitions", 4}});
  EXPECT_EQ(measured_.size(), 3u);
}

}  // namespace
}  // namespace gsst::experiments
