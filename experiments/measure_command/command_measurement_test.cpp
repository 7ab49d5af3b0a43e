#include "experiments/measure_command/command_measurement.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <set>
#include <string>

#include "common/stage/default_stages.hpp"
#include "experiments/measure/shared/error.hpp"
#include "reference_cpu/test_inputs.hpp"

// The measurement with the CPU executor: what rows hold, and that what the command writes is checked. Times
// mean nothing there.
namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

class CommandMeasurementTest : public testing::Test {
protected:
  CommandMeasurementTest() {
    fs::remove_all(folder());
    fs::create_directory(folder());
  }
  ~CommandMeasurementTest() override { fs::remove_all(folder()); }

  // Programs are built beside the tests.
  static fs::path built_command() {
    return fs::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin" / "gsst";
  }
  // Tests run in several processes at once.
  static fs::path folder() {
    return fs::path(testing::TempDir()) / ("gsst_command_measurement_" + std::to_string(getpid()));
  }

  // A script in place of the command; $gsst is the real one.
  static fs::path script(const std::string& text) {
    const fs::path path = folder() / "script";
    std::ofstream(path) << "#!/bin/sh\ngsst='" << built_command().string() << "'\n" << text;
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  static Point point_of(stage::Operation operation) {
    const auto tiles = format::BlockFormat::tiles;
    const stage::RegisteredStage* const stage = stage::default_stage(tiles, operation, stage::Executor::simt);
    return {.id = stage->description.id,
            .stage = stage,
            .input = {.format = tiles, .block_bytes = 16384, .options = {{"code_bits", 8}}},
            .row = Json{{"policy", "grid"}}};
  }

  std::vector<Json> measure(const fs::path& command, stage::Operation operation,
                            std::size_t devices = 1) const {
    const CommandTools tools = {.command = command,
                                .folder = folder(),
                                .executor = stage::Executor::simt,
                                .devices = devices,
                                .first_device = "7",
                                .clocks_during = [](const std::function<void()>& work) {
                                  work();
                                  return Json{{"samples", 0}};
                                }};
    CommandMeasurement measurement(text_, {.name = "text", .sha256 = std::string(64, 'c')}, 2, tools);
    return measurement.measure(point_of(operation));
  }

  const std::vector<std::uint8_t> text_ = reference::test::make_text(50'000, 8);
};

void check_command_rows(const std::vector<Json>& rows, const std::string& operation) {
  for (const Json& row : rows) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["operation"], operation);
    EXPECT_EQ(row["uncompressed_bytes"], 50'000);
    EXPECT_LT(row["compressed_bytes"], 50'000);
    EXPECT_EQ(row["parameters"], (Json{{"block_bytes", 16384}, {"code_bits", 8}}));
    EXPECT_EQ(row["seconds"]["repetitions"], 2);
    EXPECT_EQ(row["format"], "tiles");
    EXPECT_EQ(row["policy"], "grid");
    EXPECT_TRUE(row["end_to_end"].get<bool>());
    EXPECT_EQ(row.contains("cp_seconds"), operation == "decode");
    if (row.contains("cp_seconds")) {
      EXPECT_GT(row["cp_seconds"]["median"].get<double>(), 0);
    }
    EXPECT_GT(row["link_gb_per_s"]["up"].get<double>(), 0);
    EXPECT_GT(row["link_gb_per_s"]["down"].get<double>(), 0);
  }
}

TEST_F(CommandMeasurementTest, HasARowForEachWayToDecompress) {
  const std::vector<Json> rows = measure(built_command(), stage::Operation::decode);
  std::vector<std::string> ways;
  for (const Json& row : rows) {
    ways.push_back(row["device"].get<std::string>() + " " + row["variant"].get<std::string>());
  }
  EXPECT_EQ(ways,
            (std::vector<std::string>{"simt test", "simt to a file", "simt to a pipe", "simt to /dev/null",
                                      "cpu test", "cpu to a file", "cpu to a pipe", "cpu to /dev/null"}));
  check_command_rows(rows, "decode");
  // All that it made is gone.
  EXPECT_TRUE(fs::is_empty(folder()));
}

// The command that decompresses with one device sees the first alone.
TEST_F(CommandMeasurementTest, HasRowsOfOneDeviceAndOfAll) {
  const std::string log = folder() / "visible";
  const fs::path logged =
      script("echo \"${CUDA_VISIBLE_DEVICES-all} $3 $4\" >>'" + log + R"('; "$gsst" "$@")");
  const std::vector<Json> rows = measure(logged, stage::Operation::decode, 3);
  std::vector<std::string> devices;
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    for (std::size_t j = i; j < i + 4; ++j) EXPECT_EQ(rows[j]["device"], rows[i]["device"]);
    devices.push_back(rows[i]["device"].get<std::string>() + " " + rows[i].value("devices", Json()).dump());
  }
  EXPECT_EQ(devices, (std::vector<std::string>{"simt 1", "all simts 3", "cpu null"}));
  check_command_rows(rows, "decode");
  std::set<std::string> ran;
  std::ifstream lines(log);
  for (std::string line; std::getline(lines, line);) ran.insert(line);
  for (const std::string way : {"7 simt -t", "7 simt -d", "all simt -t", "all simt -d", "all cpu -t"}) {
    EXPECT_TRUE(ran.contains(way)) << way;
  }
  EXPECT_FALSE(ran.contains("7 cpu -t"));
}

TEST_F(CommandMeasurementTest, HasARowForEachDeviceThatCompresses) {
  const std::vector<Json> rows = measure(built_command(), stage::Operation::encode);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["device"], "simt");
  EXPECT_EQ(rows[0]["devices"], 1);
  EXPECT_EQ(rows[1]["device"], "cpu");
  EXPECT_FALSE(rows[1].contains("devices"));
  check_command_rows(rows, "encode");
}

TEST_F(CommandMeasurementTest, RefusesOtherBytes) {
  const fs::path wrong_file = script(R"("$gsst" "$@" && if [ "$4" = -d ]; then echo >>"$7"; fi)");
  EXPECT_THROW(measure(wrong_file, stage::Operation::decode), MismatchError);
  const fs::path same_size =
      script(R"("$gsst" "$@" && if [ "$4" = -d ]; then printf x | dd of="$7" conv=notrunc 2>/dev/null; fi)");
  EXPECT_THROW(measure(same_size, stage::Operation::decode), MismatchError);
  const fs::path no_file = script(R"("$gsst" "$@" && if [ "$4" = -d ]; then rm "$7"; fi)");
  EXPECT_THROW(measure(no_file, stage::Operation::decode), MismatchError);
  const fs::path wrong_pipe = script(R"("$gsst" "$@" && if [ "$4" = -dc ]; then echo; fi)");
  EXPECT_THROW(measure(wrong_pipe, stage::Operation::decode), MismatchError);
  EXPECT_THROW(measure(wrong_pipe, stage::Operation::encode), MismatchError);
}

TEST_F(CommandMeasurementTest, RefusesACommandThatFails) {
  EXPECT_THROW(measure(script("exit 1"), stage::Operation::encode), InputError);
}

TEST_F(CommandMeasurementTest, RefusesAFolderWithoutRoom) {
  const CommandTools tools = {
      .command = built_command(), .folder = "/proc", .executor = stage::Executor::simt, .clocks_during = {}};
  EXPECT_THROW(CommandMeasurement(text_, {.name = "text", .sha256 = std::string(64, 'c')}, 2, tools),
               InputError);
}

TEST_F(CommandMeasurementTest, RefusesAStageThatTheCommandDoesNotTake) {
  Point point = point_of(stage::Operation::decode);
  point.input.format = format::BlockFormat::splits;
  const CommandTools tools = {
      .command = built_command(), .folder = folder(), .executor = stage::Executor::simt, .clocks_during = {}};
  CommandMeasurement measurement(text_, {.name = "text", .sha256 = std::string(64, 'c')}, 2, tools);
  EXPECT_THROW(measurement.measure(point), InputError);
}

}  // namespace
}  // namespace gsst::experiments
