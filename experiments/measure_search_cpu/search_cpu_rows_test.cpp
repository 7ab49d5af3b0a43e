#include "experiments/measure_search_cpu/search_cpu_rows.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "experiments/measure/shared/error.hpp"
#include "experiments/measure_search_cpu/search_ways.hpp"

// Runs the built command, and grep, on files of the test. Times mean nothing there.
namespace gsst::experiments {
namespace {

namespace fs = std::filesystem;

class SearchCpuRowsTest : public testing::Test {
protected:
  SearchCpuRowsTest() {
    fs::remove_all(folder());
    fs::create_directory(folder());
    std::ofstream text(folder() / "text", std::ios::binary);
    for (int i = 0; i < 3000; ++i) text << "carefully final deposits sleep " << i << " times\n";
    // A last line without an end.
    text << "carefully";
  }
  ~SearchCpuRowsTest() override { fs::remove_all(folder()); }

  // Tests run in several processes at once.
  static fs::path folder() {
    return fs::path(testing::TempDir()) / ("gsst_search_cpu_rows_" + std::to_string(getpid()));
  }
  static SearchTools tools() {
    // Programs are built beside the tests.
    const fs::path tests = fs::read_symlink("/proc/self/exe").parent_path();
    return {.command = tests.parent_path() / "bin" / "gsst", .folder = folder()};
  }
  static SearchCpuOptions options(const std::string& questions) {
    std::ofstream(folder() / "questions") << questions;
    return {.input = folder() / "text",
            .questions = folder() / "questions",
            .tiles = {.block_bytes = 16384, .code_bits = {8, 12}, .level = 3},
            .repetitions = 2};
  }
  static std::vector<nlohmann::ordered_json> measure(const SearchCpuOptions& options,
                                                     const SearchTools& tools) {
    std::vector<nlohmann::ordered_json> rows;
    for (const StudiedWork& work : search_cpu_works(options, tools, {.name = "text", .sha256 = "d"})) {
      for (auto& row : work.measure()) rows.push_back(std::move(row));
    }
    return rows;
  }
};

TEST_F(SearchCpuRowsTest, EveryWayAnswersEveryQuestion) {
  const auto rows = measure(options(R"({"word": ["sleep 7"], "words": ["sleep 1 ", "p 22"]})"), tools());
  std::set<std::string> ways;
  for (const auto& row : rows) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["matched_lines"], row["question"] == "word" ? 111 : 1 + 111);
    EXPECT_EQ(row["lines"], 3001);
    EXPECT_EQ(row["operation"], "query");
    EXPECT_EQ(row["uncompressed_bytes"], fs::file_size(folder() / "text"));
    EXPECT_EQ(row["seconds"]["repetitions"], 2);
    const std::string stage = row["stage"];
    EXPECT_EQ(row["ratio"] == 1, stage == "peer/grep" || stage == "peer/ripgrep");
    ways.insert(stage + ", " + row["variant"].get<std::string>());
  }
  std::set<std::string> expected = {"search/codes, 8 bits", "search/codes, 12 bits",
                                    "search/decoded, 12 bits", "search/decoded_to_grep, 12 bits",
                                    "peer/grep, text"};
  if (has_program("zstd")) expected.insert("peer/zstd_grep, level 3");
  if (has_program("rg")) expected.insert("peer/ripgrep, text");
  EXPECT_EQ(ways, expected);
  EXPECT_EQ(rows.size(), 2 * ways.size());
}

TEST_F(SearchCpuRowsTest, NothingIsLeftInItsFolder) {
  measure(options(R"({"word": ["sleep 7"]})"), tools());
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder())) names.insert(entry.path().filename());
  EXPECT_EQ(names, (std::set<std::string>{"text", "questions"}));
}

TEST_F(SearchCpuRowsTest, AnotherCountThanThatOfGrepIsNoRow) {
  const fs::path script = folder() / "script";
  std::ofstream(script) << "#!/bin/sh\nif [ \"$1\" = grep ]; then echo 110; else exec '"
                        << tools().command.string() << "' \"$@\"; fi\n";
  fs::permissions(script, fs::perms::owner_all);
  EXPECT_THROW(measure(options(R"({"word": ["sleep 7"]})"), {.command = script, .folder = folder()}),
               MismatchError);
}

TEST_F(SearchCpuRowsTest, QuestionsThatCannotBeAskedAreRefused) {
  for (const char* const questions : {"", "{}", "[1]", R"({"word": "sleep"})", R"({"word": [1]})"}) {
    SCOPED_TRACE(questions);
    EXPECT_THROW(measure(options(questions), tools()), InputError);
  }
  EXPECT_THROW(measure(options(R"({"in no line": ["zzqx"]})"), tools()), InputError);
  SearchCpuOptions no_text = options(R"({"word": ["sleep 7"]})");
  no_text.input = folder() / "no text";
  EXPECT_THROW(measure(no_text, tools()), InputError);
}

}  // namespace
}  // namespace gsst::experiments
