// gsst_measure_ranges: measures random access to a frame on a GPU and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_ranges/ranges_grid.hpp"
#include "experiments/measure_ranges/ranges_measurement.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/measured_text.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

// More ranges take the CPU seconds to sort, once for each repetition.
constexpr std::uint64_t most_ranges_on_cpu = std::uint64_t{1} << 22;

Json read_document(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) throw InputError("cannot open " + path.string());
  try {
    return Json::parse(file);
  } catch (const Json::exception& error) {
    throw InputError(path.string() + ": " + error.what());
  }
}

void report(const Json& row) {
  std::cerr << row["stage"].get<std::string>() << ", " << row["variant"].get<std::string>() << ", "
            << row["pattern"].get<std::string>() << " " << row["selectivity"] << ", " << row["range_count"]
            << " ranges of " << row["range_bytes"] << " bytes: " << row["throughput_gb_per_s"].get<double>()
            << " GB/s, " << row["seconds"]["median"].get<double>() * 1e6 << " us";
  if (row.contains("full_decode_gb_per_s")) {
    std::cerr << "; the whole frame " << row["full_decode_gb_per_s"].get<double>() << " GB/s";
  }
  std::cerr << std::endl;
}

// The rows of one frame.
Json measure_frame(RangesMeasurement& measurement, const RangesFrame& frame, const RangesGrid& grid,
                   std::uint64_t text_bytes) {
  Json rows = Json::array();
  const auto add = [&](Json row) {
    report(row);
    rows.push_back(std::move(row));
  };
  for (const std::uint64_t bytes : grid.range_bytes) {
    for (const RangePattern pattern : grid.patterns) {
      for (const double selectivity : grid.selectivities) {
        const RangeListRequest request{
            .pattern = pattern, .selectivity = selectivity, .range_bytes = bytes, .text_bytes = text_bytes};
        add(measurement.measure(request));
        const std::uint64_t count = rows.back()["range_count"];
        if (frame.on_cpu && count <= most_ranges_on_cpu) add(measurement.measure_on_cpu(request));
      }
    }
  }
  return rows;
}

void measure(const RunOptions& run, const InputOptions& input, const std::string& target) {
  Session session(run);
  const Json document = read_document(run.points.front());
  const RangesGrid grid = parse_ranges_grid(document, run.points.front().string());
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  check_text_size(text.size(), session.device().l2_bytes, run);
  std::vector<Json> rows;
  for (std::size_t i = 0; i < grid.frames.size(); ++i) {
    // The rows of a frame are measured together, so they are kept together.
    Json work = document;
    work["points"] = document["points"][i];
    if (session.find(work, input.dataset) == nullptr) {
      RangesMeasurement measurement(text, input.dataset, grid.frames[i], run.repetitions, session.monitor());
      session.keep(work, input.dataset, measure_frame(measurement, grid.frames[i], grid, text.size()));
    }
    for (const Json& row : *session.find(work, input.dataset)) rows.push_back(row);
  }
  session.finish_with(target, rows);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the decoding of byte ranges of frames on a GPU against the part of the text that they ask "
      "for; "
      "every list of ranges is verified byte for byte before and after.");
  app.require_subcommand(1);
  CLI::App& command = *app.add_subcommand("measure", "Measure frames and write a result file");
  RunOptions options;
  InputOptions input;
  std::string target = "beyond_random_access";
  command.add_option("--target", target, "Target of the result")->capture_default_str();
  add_points_option(command, options, "experiments/measure_ranges/ranges_grid.hpp")->expected(1);
  add_result_options(command, options, command_text(argc, argv));
  add_timing_options(command, options);
  add_input_options(command, input);
  if (const std::optional<int> status = parse_command_line(app, argc, argv)) return *status;
  measure(options, input, target);
  return 0;
}

}  // namespace
}  // namespace gsst::experiments

int main(int argc, char** argv) {
  return gsst::experiments::run_program("gsst_measure_ranges", gsst::experiments::run, argc, argv);
}
