// gsst_measure_overlap: measures how transfer and decoding overlap on a GPU and writes a result as JSON.
#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <optional>
#include <string>

#include "experiments/measure/error.hpp"
#include "experiments/measure/input_file.hpp"
#include "experiments/measure_gpu/points.hpp"
#include "experiments/measure_overlap/device_tools.hpp"
#include "experiments/measure_overlap/grid.hpp"
#include "experiments/measure_overlap/overlap_measurement.hpp"
#include "experiments/measure_shared/command_line.hpp"
#include "experiments/measure_shared/measured_text.hpp"
#include "experiments/measure_shared/session.hpp"

namespace gsst::experiments {
namespace {

using Json = nlohmann::ordered_json;

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
  std::cerr << row["stage"].get<std::string>() << ", " << row["batches"] << " batches, interconnect "
            << row["interconnect_gb_per_s"] << " (alone " << row["transfer_gb_per_s"].get<double>()
            << " GB/s): " << row["throughput_gb_per_s"].get<double>() << " GB/s, decoding alone "
            << row["decode_gb_per_s"].get<double>() << " GB/s, a batch alone "
            << row["batch_decode_gb_per_s"].get<double>() << " GB/s" << std::endl;
}

void measure(const RunOptions& run, const InputOptions& input, const std::string& target) {
  Session session(run);
  const ExecutorTools tools = device_tools(session.monitor());
  const PointList list = read_points(run.points, session.device().multiprocessors);
  const Json document = read_document(run.points.front());
  const OverlapGrid grid = parse_grid(document, run.points.front().string());
  const std::string target_of_result = target_of(list, target);
  const std::vector<std::uint8_t> text = read_input_file(input.path);
  check_text_size(text.size(), session.device().l2_bytes, run);
  OverlapMeasurement measurement(text, input.dataset, run.repetitions, tools);
  std::vector<Json> rows;
  for (const Point& point : list.points) {
    // The rows of a point are measured together, so they are kept together.
    const Json work{{"point", point_to_json(point)},
                    {"batches", document["batches"]},
                    {"interconnects", document["interconnects"]}};
    if (session.find(work, input.dataset) == nullptr) {
      session.keep(work, input.dataset, measurement.measure(point, grid));
    }
    for (const Json& row : *session.find(work, input.dataset)) {
      report(row);
      rows.push_back(row);
    }
  }
  session.finish_with(target_of_result, rows);
}

int run(int argc, char** argv) {
  CLI::App app(
      "Measures the time from compressed blocks in host memory to decoded text on the GPU, transfer and "
      "decoding overlapping by batches; every number of batches is verified byte for byte before and after.");
  app.require_subcommand(1);
  CLI::App& command = *app.add_subcommand("measure", "Measure points and write a result file");
  RunOptions options;
  InputOptions input;
  std::string target;
  command.add_option("--target", target, "Target of the result; else the points file's");
  add_points_option(command, options,
                    "experiments/measure_gpu/points.hpp, with the keys 'batches' and 'interconnects' of "
                    "experiments/measure_overlap/grid.hpp")
      ->expected(1);
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
  return gsst::experiments::run_program("gsst_measure_overlap", gsst::experiments::run, argc, argv);
}
