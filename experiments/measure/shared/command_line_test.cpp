#include "experiments/measure/shared/command_line.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "experiments/measure/shared/error.hpp"

namespace gsst::experiments {
namespace {

const std::string sha256(64, 'a');

// What a program with all of the shared options makes of a command line.
struct Parsed {
  explicit Parsed(std::vector<std::string> words) {
    words.insert(words.begin(), "gsst_measure_made_up");
    std::vector<char*> arguments;
    arguments.reserve(words.size());
    for (std::string& word : words) arguments.push_back(word.data());
    const int count = static_cast<int>(arguments.size());
    CLI::App app;
    app.add_option("--points", run.points)->required();
    add_result_options(app, run, command_text(count, arguments.data()));
    add_timing_options(app, run);
    add_input_options(app, input);
    add_input_options(app, report, "report-", false);
    status = parse_command_line(app, count, arguments.data());
  }

  RunOptions run;
  InputOptions input;
  InputOptions report;
  std::optional<int> status;
};

std::vector<std::string> needed_words() {
  return {"--points", "p.json", "--output",  "o.json", "--sources-digest", sha256,
          "--input",  "text",   "--dataset", "words",  "--dataset-sha256", sha256};
}

std::optional<int> status_with(const std::vector<std::string>& more) {
  std::vector<std::string> words = needed_words();
  words.insert(words.end(), more.begin(), more.end());
  return Parsed(words).status;
}

TEST(CommandLine, ReadsTheOptions) {
  std::vector<std::string> words = needed_words();
  words.insert(words.end(), {"--points", "q.json", "--repetitions", "3", "--allow-small", "--dirty"});
  const Parsed parsed(words);
  EXPECT_FALSE(parsed.status.has_value());
  EXPECT_EQ(parsed.run.points, (std::vector<std::filesystem::path>{"p.json", "q.json"}));
  EXPECT_EQ(parsed.run.output, "o.json");
  EXPECT_EQ(parsed.run.repetitions, 3u);
  EXPECT_TRUE(parsed.run.allow_small);
  EXPECT_TRUE(parsed.run.dirty);
  EXPECT_EQ(parsed.run.commit, "unknown");
  EXPECT_EQ(parsed.run.sources_digest, sha256);
  EXPECT_EQ(parsed.input.path, "text");
  EXPECT_EQ(parsed.input.dataset.name, "words");
  EXPECT_EQ(parsed.input.dataset.sha256, sha256);
  EXPECT_TRUE(parsed.report.path.empty());
}

TEST(CommandLine, TheCommandIsTheWholeLineUnlessAnOptionSaysIt) {
  EXPECT_TRUE(Parsed(needed_words()).run.command.starts_with("gsst_measure_made_up --points p.json"));
  std::vector<std::string> words = needed_words();
  words.insert(words.end(), {"--command", "make figures"});
  EXPECT_EQ(Parsed(words).run.command, "make figures");
}

TEST(CommandLine, WrongOptionsEndTheProgram) {
  EXPECT_EQ(status_with({"--help"}), 0);
  EXPECT_EQ(status_with({"--unknown"}), exit_usage);
  EXPECT_EQ(status_with({"--repetitions", "0"}), exit_usage);
  EXPECT_EQ(status_with({"--commit", "abc"}), exit_usage);
  EXPECT_EQ(status_with({"--commit", std::string(40, '0')}), std::nullopt);
  // A file without its name and digest.
  EXPECT_EQ(status_with({"--report-input", "other"}), exit_usage);
  EXPECT_EQ(Parsed({}).status, exit_usage);
}

TEST(RunProgram, MapsErrorsToStatuses) {
  EXPECT_EQ(run_program(
                "made up", [](int count, char** /*arguments*/) { return count; }, 7, nullptr),
            7);
  EXPECT_EQ(run_program(
                "made up", [](int, char**) -> int { throw InputError("no text"); }, 0, nullptr),
            exit_usage);
  testing::internal::CaptureStderr();
  EXPECT_EQ(run_program(
                "made up", [](int, char**) -> int { throw std::runtime_error("no GPU"); }, 0, nullptr),
            exit_failure);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "made up: no GPU\n");
}

}  // namespace
}  // namespace gsst::experiments
