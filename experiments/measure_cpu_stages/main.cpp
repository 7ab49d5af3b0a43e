// gsst_measure_cpu_stages: measures stages of the executor cpu and writes rows of results as JSON.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "experiments/measure/shared/command_line.hpp"
#include "experiments/measure/shared/error.hpp"
#include "experiments/measure/shared/points.hpp"
#include "experiments/measure/shared/row.hpp"
#include "experiments/measure_cpu/studied_works.hpp"
#include "experiments/measure_cpu_stages/file_works.hpp"
#include "experiments/measure_cpu_stages/stage_points.hpp"
#include "experiments/measure_cpu_stages/stage_works.hpp"

namespace gsst::experiments {
namespace {

// experiments/environment.py reads these two lines.
constexpr const char* version_text = "compiler: " GSST_COMPILER "\nflags: " GSST_FLAGS;

std::string check_sha256(const std::string& text) {
  const bool valid = text.size() == 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  return valid ? std::string() : "must be 64 lower-case hexadecimal digits";
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures stages that run on the processors of the host; every row is verified byte for byte.");
  app.set_version_flag("--version", version_text, "Prints the compiler and its flags");
  std::filesystem::path points_path;
  std::filesystem::path output;
  StageOptions options{};
  Dataset dataset;
  app.add_option("--points", points_path, "Points file: what is measured")->required();
  app.add_option("--input", options.input, "File to measure with")->required();
  app.add_option("--dataset", dataset.name, "Name of the data in the rows")->required();
  app.add_option("--dataset-sha256", dataset.sha256, "SHA-256 of the file, for the rows")
      ->required()
      ->check(check_sha256);
  app.add_option("--repetitions", options.repetitions, "Times that each point is timed")
      ->required()
      ->check(CLI::Range(std::size_t{1}, std::size_t{1'000'000}));
  app.add_option("--output", output, "JSON file to write the rows to")->required();
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;

  const StagePoints read = read_stage_points(points_path);
  for (const std::string& point : read.left_out) {
    std::cerr << "left out, not of this processor: " << point << "\n";
  }
  std::vector<StudiedWork> works;
  if (!read.points.empty() && read_document(points_path).contains("files")) {
    throw InputError(points_path.string() + ": has both points and files");
  }
  if (!read.points.empty()) works = stage_works(options, read.points, dataset);
  const FileOptions files = {
      .input = options.input, .folder = output.parent_path(), .repetitions = options.repetitions};
  std::ranges::move(file_works(points_path, files, dataset), std::back_inserter(works));
  measure_works(works,
                {{"dataset", dataset.name},
                 {"dataset_sha256", dataset.sha256},
                 {"repetitions", options.repetitions},
                 {"version", version_text}},
                output);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_cpu_stages", gsst::experiments::run, argc, argv);
}
